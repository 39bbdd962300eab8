"""Training of models that write a target word by word: updates in rounds, a checkpoint after each.

What a round does depends on the weights before it and on (seed, round) alone, so that a
training that was killed and resumed ends with the same model as one that was not; on a CPU
with the same number of threads, to the bit. Weights that are not trained are not kept.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from amparser.baselines.settings import FitSettings
from amparser.baselines.vocabulary import IGNORED
from amparser.errors import ConfigError, InputError, ModelError
from amparser.learn.batches import IntArray
from amparser.learn.checkpoint import MODEL, prepare_folder, read_pair
from amparser.learn.config import to_dict
from amparser.learn.plan import BatchPlan, cut
from amparser.learn.progress import OnProgress, TrainingProgress, shorten_log
from amparser.learn.randomness import restored_generators, seed_generators
from amparser.learn.resume import Checkpoints, TrainingIdentity, TrainingState
from amparser.learn.trainer import below, optimizer_tensors, restore_optimizer

LOG = "log.jsonl"

_DEV_BATCH = 128

Part = Literal["train", "dev"]


class Task(Protocol):
    """A network with the examples that it learns from."""

    @property
    def network(self) -> nn.Module:
        """What is trained: its parameters that want a gradient."""

    def lengths(self, part: Part) -> IntArray:
        """`[N, 2]`: tokens of each sentence and of its target."""

    def logits(self, part: Part, members: IntArray) -> tuple[Tensor, Tensor]:
        """`[B, m, V]` for some examples, and the gold `[B, m]`, IGNORED where there is none."""


class Fitter:
    """A task, Adam, and how an update changes the weights."""

    def __init__(
        self, task: Task, settings: FitSettings, on_progress: OnProgress | None = None
    ) -> None:
        self.task = task
        self.settings = settings
        self.on_progress = on_progress
        self.dev_figure: float | None = None
        self.plan = BatchPlan(task.lengths("train"), settings)
        self.trained = trained_parameters(task.network)
        self.optimizer = torch.optim.Adam(
            self.trained.values(), lr=settings.learning_rate, betas=(0.9, settings.adam_beta2)
        )

    def learning_rate(self, step: int, size: int) -> float:
        """The rate of a step, counted from 1; `size` is the width that `noam` divides by."""
        settings = self.settings
        warm = settings.warmup_steps
        if settings.schedule == "noam":
            decay = min(step**-0.5, step * warm**-1.5) if warm else step**-0.5
            return float(settings.learning_rate * size**-0.5 * decay)
        if warm and step < warm:
            return settings.learning_rate * step / warm
        if settings.schedule == "linear":
            left = (self.plan.total - step + 1) / (self.plan.total - warm + 1)
            return settings.learning_rate * min(1.0, left)
        return settings.learning_rate

    def run_round(
        self, number: int, *, size: int, accuracy: float | None = None
    ) -> dict[str, float]:
        """The updates of a round, counted from 1; returns its last step and mean loss.

        Raises:
            ConfigError: the loss has become infinite.
        """
        settings, network = self.settings, self.task.network
        first = self.plan.round_end(number - 1) + 1 if number > 1 else 1
        last = self.plan.round_end(number)
        network.train()
        total, token_count, sentence_count = 0.0, 0, 0
        started = time.perf_counter()
        for step, batches in enumerate(self.plan.updates(first, last), first):
            for group in self.optimizer.param_groups:
                group["lr"] = self.learning_rate(step, size)
            self.optimizer.zero_grad(set_to_none=True)
            for members in batches:
                logits, gold = self.task.logits("train", members)
                loss = _loss(logits, gold, settings.label_smoothing)
                (loss / len(batches)).backward()  # type: ignore[no-untyped-call]
                count = int((gold != IGNORED).sum())
                total += float(loss.detach()) * count
                token_count += count
                sentence_count += len(members)
            if settings.gradient_clip:
                nn.utils.clip_grad_norm_(self.trained.values(), settings.gradient_clip)
            self.optimizer.step()
            if not math.isfinite(total):
                raise ConfigError(
                    f"the loss is not finite at step {step}; "
                    f"train.learning_rate = {settings.learning_rate} may be too high"
                )
            if self.on_progress is not None:
                elapsed = time.perf_counter() - started
                self.on_progress(
                    TrainingProgress(
                        epoch=number,
                        epochs=self.plan.rounds(),
                        batch=step + 1 - first,
                        batches=last + 1 - first,
                        loss=total / token_count,
                        dev_figure=accuracy,
                        sentences_per_second=sentence_count / elapsed,
                        seconds_left=elapsed / (step + 1 - first) * (self.plan.total - step),
                    )
                )
        return {"step": last, "loss": total / token_count, "sentences": sentence_count}

    @torch.no_grad()
    def evaluate(self) -> dict[str, float]:
        """`dev_loss`, in nats a word, and `dev_accuracy`; empty where there is no dev.

        Accurate is a target each of whose words is the likeliest after those before it,
        which is what greedy search finds.
        """
        lengths = self.task.lengths("dev")
        if not len(lengths):
            return {}
        self.task.network.eval()
        total, token_count, right = 0.0, 0, 0
        order = lengths.sum(axis=1).argsort(kind="stable")
        for members in cut(order, lengths, _DEV_BATCH, self.settings.batch_tokens):
            logits, gold = self.task.logits("dev", members)
            learned = gold != IGNORED
            count = int(learned.sum())
            total += float(_loss(logits, gold, 0.0)) * count
            token_count += count
            right += int(((logits.argmax(2) == gold) | ~learned).all(1).sum())
        return {"dev_loss": total / token_count, "dev_accuracy": right / len(lengths)}

    def tensors(self) -> dict[str, Tensor]:
        """What is trained, and Adam's state, under names."""
        weights: dict[str, Tensor] = {f"network.{name}": p for name, p in self.trained.items()}
        return weights | optimizer_tensors(self.trained, self.optimizer)

    def restore(self, tensors: Mapping[str, Tensor], where: object) -> None:
        """The inverse of `tensors`; raises ModelError where they do not fit."""
        load_trained(self.task.network, below("network.", tensors), where)
        restore_optimizer(self.trained, self.optimizer, tensors, where)


def checkpoints_of(
    folder: Path,
    config: Any,
    checksum: str,
    parts: tuple[Sequence[object], Sequence[object]],
    *,
    program: str,
) -> Checkpoints:
    """The checkpoints of a training, in a folder that is made ready for it.

    Args:
        folder: the model folder.
        config: all settings, those of `FitSettings` as `train`.
        checksum: of what is learned from.
        parts: train and dev.
        program: whose format the checkpoints have.

    Raises:
        InputError: nothing to learn from, or no dev to choose by; the folder cannot be
            written.
    """
    train, dev = parts
    if not train:
        raise InputError("no examples to train on")
    if not dev and config.train.select != "last":
        raise InputError(f"train.select = {config.train.select!r} needs dev, and there is none")
    prepare_folder(folder)
    return Checkpoints(folder, TrainingIdentity(to_dict(config), checksum), program=program)


def read_trained(folder: Path, *, program: str) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """What `model.json` and `model.safetensors` of a folder hold.

    Raises:
        ModelError: files are missing, truncated, of another program or version, or do not
            belong together; one line that names the folder.
    """
    content, weights = read_pair(folder, MODEL, program=program)
    for key in ("config", "data", "metrics"):
        if not isinstance(content.get(key), dict):
            raise ModelError(f"{folder / MODEL}.json: {key!r} is missing")
    return content, weights


def fit(
    task: Task,
    settings: FitSettings,
    checkpoints: Checkpoints,
    *,
    device: torch.device,
    size: int,
    resume: bool,
    on_progress: OnProgress | None = None,
) -> dict[str, Any]:
    """Train until the last step, or until dev no longer gets better.

    Args:
        task: with fresh weights, which become the trained ones.
        settings: all of them.
        checkpoints: of the model folder, which is there.
        device: on which the generators are to be restored.
        size: width of the network, by which the `noam` schedule divides.
        resume: go on after the last checkpoint, if there is one.
        on_progress: called after each update.

    Returns:
        `best_epoch`, the round whose weights the network has now, and `epochs`, the
        figures of each round.

    Raises:
        InputError: the checkpoint is that of another training.
        ModelError: it is damaged.
        ConfigError: the loss has become infinite.
    """
    folder = checkpoints.folder
    with restored_generators(device):
        fitter = Fitter(task, settings, on_progress)
        if resume:
            state = checkpoints.restore(fitter)
        else:
            checkpoints.clear()
            state = TrainingState()
        shorten_log(folder / LOG, state.epoch)
        while fitter.plan.total > (state.epochs[-1]["step"] if state.epochs else 0):
            if settings.patience and state.stopped(settings.patience):
                break
            number = state.epoch + 1
            seed_generators(settings.seed, number)
            started = time.perf_counter()
            accuracy = state.epochs[-1].get("dev_accuracy") if state.epochs else None
            figures = {"epoch": number, **fitter.run_round(number, size=size, accuracy=accuracy)}
            rate = figures.pop("sentences") / (time.perf_counter() - started)
            figures |= fitter.evaluate()
            if settings.select != "last" and "dev_loss" in figures:
                by_loss = settings.select == "loss"
                figures["dev_figure"] = -figures["dev_loss"] if by_loss else figures["dev_accuracy"]
            state.epochs.append(figures)
            seconds = time.perf_counter() - started
            times = {"sentences_per_second": round(rate, 1), "seconds": round(seconds, 2)}
            # The log first: resuming cuts it down to the rounds of the checkpoint.
            with (folder / LOG).open("a", encoding="utf-8") as log:
                log.write(json.dumps({**figures, **times}) + "\n")
            checkpoints.save(fitter, state)
        tensors, where = checkpoints.weights_of(state.best_epoch)
        load_trained(task.network, tensors, where)
    task.network.eval()
    return {"best_epoch": state.best_epoch, "epochs": state.epochs}


def trained_parameters(network: nn.Module) -> dict[str, nn.Parameter]:
    """The parameters that are trained, by name; what is tied to another one comes once."""
    return {name: p for name, p in network.named_parameters() if p.requires_grad}


def load_trained(network: nn.Module, weights: Mapping[str, Tensor], where: object) -> None:
    """Put weights into what is trained; raises ModelError naming the first that does not fit."""
    expected = trained_parameters(network)
    for name in sorted(expected.keys() ^ weights.keys()):
        state = "is missing" if name in expected else "belongs to another network"
        raise ModelError(f"{where}: the tensor {name!r} {state}")
    with torch.no_grad():
        for name, tensor in sorted(weights.items()):
            if tensor.shape != expected[name].shape:
                raise ModelError(
                    f"{where}: the tensor {name!r} has shape {list(tensor.shape)}, "
                    f"expected {list(expected[name].shape)}"
                )
            expected[name].copy_(tensor)


def _loss(logits: Tensor, gold: Tensor, smoothing: float) -> Tensor:
    """The mean over positions that are learned, in nats."""
    return cross_entropy(
        logits.flatten(0, 1).float(),
        gold.flatten(),
        ignore_index=IGNORED,
        label_smoothing=smoothing,
    )
