"""The training loop of all systems: updates in rounds, a checkpoint after each.

A round depends only on the weights before it and on (seed, round): the order of
its batches, dropout and the learning rate start anew with each. A training that was killed and
resumed therefore ends with the same weights as one that was not; on a CPU with the same number
of threads they are equal to the bit. Checkpoints do not keep weights that are not trained.

Several processes (`amparser.learn.processes`) learn from the same batches as one, each from its
part. A training may go on with another number of them.
"""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor, nn

from amparser.errors import ConfigError, InputError, ModelError
from amparser.files import alone_in, prepare_folder
from amparser.learn.checkpoint import Checkpoints, TrainingIdentity, TrainingState
from amparser.learn.model_folder import check_tensors, load_tensors, trained_parameters
from amparser.learn.plan import Plan, Update
from amparser.learn.processes import Processes, processes_on
from amparser.learn.progress import OnProgress, TrainingProgress, shorten_log
from amparser.learn.randomness import restored_generators, seed_generators
from amparser.learn.settings import TrainSettings, to_dict
from amparser.learn.task import Batch, Losses, Mean, Share, Task

LOG = "log.jsonl"

Trained = TypeVar("Trained")


class _Objective(nn.Module, Generic[Batch]):
    """The losses of a task as a module, which has the parameters of its network."""

    def __init__(self, task: Task[Batch], device: torch.device, settings: TrainSettings) -> None:
        super().__init__()
        self.network = task.network
        self._losses = task.losses
        self._precision = torch.autocast(
            device.type, torch.bfloat16, enabled=settings.precision == "bfloat16"
        )

    def forward(self, batch: Batch) -> Losses:
        with self._precision:
            return self._losses(batch)


class Trainer(Generic[Batch]):
    """A task, its optimizer (AdamW), and how an update changes the weights."""

    def __init__(
        self,
        task: Task[Batch],
        settings: TrainSettings,
        on_progress: OnProgress | None = None,
        processes: Processes | None = None,
    ) -> None:
        self.processes = processes or Processes(torch.device("cpu"))
        self.task = task
        self.settings = settings
        self.on_progress = on_progress
        self.plan = Plan(lambda number: task.epoch(number, self.processes.share), settings)
        self.trained = trained_parameters(task.network)
        self.optimizer = torch.optim.AdamW(
            _groups(self.trained, task.shares()),
            lr=settings.learning_rate,
            betas=(0.9, settings.adam_beta2),
            weight_decay=settings.weight_decay,
            fused=settings.fused or None,
        )
        objective = _Objective(task, self.processes.device, settings)
        self._objective = self.processes.prepared(objective, partial=task.partial)

    def learning_rate(self, step: int, epochs: float) -> float:
        """The rate of a step (counted from 1), given the number of epochs before it."""
        settings = self.settings
        warm = settings.warmup_steps
        if settings.schedule == "noam":
            decay = min(step**-0.5, step * warm**-1.5) if warm else step**-0.5
            return float(settings.learning_rate * self.task.size**-0.5 * decay)
        if warm and step < warm:
            return settings.learning_rate * step / warm
        if settings.schedule == "linear":
            left = (self.plan.total - step + 1) / (self.plan.total - warm + 1)
            return settings.learning_rate * min(1.0, left)
        if settings.schedule == "fall":
            share = epochs / settings.epochs
            return settings.learning_rate * (1 - share * (1 - settings.final_learning_rate))
        return settings.learning_rate

    def run_round(self, number: int, dev_figure: float | None = None) -> dict[str, float]:
        """The updates of a round, counted from 1.

        Args:
            number: the number of the round.
            dev_figure: shown by `on_progress`.

        Returns:
            The last `step`, the mean losses and the number of `sentences`.

        Raises:
            ConfigError: the loss has become infinite.
        """
        first = self.plan.round_end(number - 1) + 1 if number > 1 else 1
        last = self.plan.round_end(number)
        self.task.network.train()
        sums: Counter[str] = Counter()
        loss_sum = token_count = 0.0
        sentence_count = 0
        started = time.perf_counter()
        for step, update in enumerate(self.plan.updates(first, last), first):
            step_loss, step_count = self._step(update, step, sums)
            loss_sum += step_loss
            token_count += step_count
            sentence_count += sum(map(len, update.batches))
            loss = loss_sum / token_count
            if not math.isfinite(loss):
                raise ConfigError(
                    f"the loss is not finite at step {step}; "
                    f"train.learning_rate = {self.settings.learning_rate} may be too high"
                )
            if self.on_progress is not None:
                elapsed = time.perf_counter() - started
                left = self.plan.steps_left(number, step)
                self.on_progress(
                    TrainingProgress(
                        epoch=number,
                        epochs=self.plan.rounds,
                        batch=step + 1 - first,
                        batches=last + 1 - first,
                        loss=loss,
                        dev_figure=dev_figure,
                        sentences_per_second=sentence_count / elapsed,
                        seconds_left=elapsed / (step + 1 - first) * left,
                    )
                )
        # A part of a loss that some batches have is not known to all processes.
        merged: Counter[str] = Counter()
        for part in self.processes.gathered(sums):
            merged.update(part)
        means = {name: total / token_count for name, total in merged.items()}
        return {"step": last, "loss": sum(means.values()), **means, "sentences": sentence_count}

    def _step(self, update: Update[Batch], step: int, sums: Counter[str]) -> tuple[float, float]:
        """Learn from the batches of an update.

        Args:
            update: the batches.
            step: the number of the update, from 1.
            sums: the losses of this process's parts are added to it by name.

        Returns:
            The sum of the losses of all tokens, and their number. The sum is an estimate, for
            the display of progress, if the processes need not tell each other.
        """
        rate = self.learning_rate(step, update.epochs)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group["share"]
        self.optimizer.zero_grad(set_to_none=True)
        loss_sum = token_count = 0.0
        for batch in update.batches:
            share = self.processes.share
            part = self.task.part(batch, share)
            # What is too small to be shared is learned from by one process; in the others it
            # reaches the same parameters, and counts nothing.
            empty = not len(part)
            if empty:
                part = self.task.part(batch, Share(0, share.count))
            losses: Losses = self._objective(part)
            own_count = 0 if empty else losses.token_count
            for name, loss in losses.parts.items():
                sums[name] += loss * own_count  # type: ignore[assignment]
            own_loss = sum(losses.parts.values()) * own_count
            known = self.task.token_count(batch)
            if known is None:
                batch_loss, batch_count = self.processes.sums([own_loss, own_count])
            else:
                batch_loss, batch_count = own_loss * known / max(own_count, 1), known
            # The gradient of the batch is the mean of those of the parts, weighted by their tokens.
            weight = own_count * share.count / max(batch_count, 1)
            self.processes.backward(losses.total / len(update.batches) * weight)
            loss_sum += batch_loss
            token_count += batch_count
        if self.settings.gradient_clip:
            nn.utils.clip_grad_norm_(self.trained.values(), self.settings.gradient_clip)
        self.optimizer.step()
        return loss_sum, token_count

    def tensors(self) -> dict[str, Tensor]:
        """The trained weights and the optimizer's state, by name."""
        weights: dict[str, Tensor] = {f"network.{name}": p for name, p in self.trained.items()}
        state = {
            f"optimizer.{name}.{key}": value
            for name, parameter in self.trained.items()
            for key, value in self.optimizer.state[parameter].items()
        }
        return weights | state

    def restore(self, tensors: Mapping[str, Tensor], where: object) -> None:
        """The inverse of `tensors`; raises ModelError if they do not fit."""
        load_tensors(self.trained, _below("network.", tensors), where)
        if not _below("optimizer.", tensors):
            raise ModelError(f"{where}: the optimizer's state is missing")
        for name, parameter in self.trained.items():
            # A parameter that no loss has reached yet has no state.
            state = _below(f"optimizer.{name}.", tensors)
            if state and state.keys() != {"step", "exp_avg", "exp_avg_sq"}:
                raise ModelError(f"{where}: the optimizer's state of {name!r} is incomplete")
            if state:
                like = {key: parameter if key != "step" else torch.tensor(0.0) for key in state}
                check_tensors(like, state, f"{where}: optimizer of {name!r}")
                # AdamW keeps its count of steps on the CPU, unless it is one kernel.
                on_cpu = () if self.settings.fused else ("step",)
                self.optimizer.state[parameter] = {
                    key: value if key in on_cpu else value.to(parameter.device)
                    for key, value in state.items()
                }


@dataclass(frozen=True)
class Training(Generic[Trained]):
    """One model's training, except the loop.

    Attributes:
        folder: the model folder.
        identity: what must be the same for the training to go on.
        settings: how the network is trained.
        load: reads the finished model.
        start: builds the task; the generators are seeded, and the network has fresh weights.
        finish: makes the model of the trained task, given its metrics, and writes it.
        dev_count: the number of dev examples.
    """

    folder: Path
    identity: TrainingIdentity
    settings: TrainSettings
    load: Callable[[], Trained]
    start: Callable[[torch.device], Task[Any]]
    finish: Callable[[Task[Any], dict[str, Any]], Trained]
    dev_count: int


def train(
    training: Training[Trained], *, resume: bool = False, on_progress: OnProgress | None = None
) -> Trained:
    """Train a model until its last round, or until dev stops improving; writes its folder.

    Args:
        training: what is trained.
        resume: go on after the last checkpoint in the folder, if there is one.
        on_progress: called after each update.

    Raises:
        InputError: there is no dev to select by; the folder cannot be written, or holds
            another training, or another process trains there.
        ModelError: the checkpoint to resume from is damaged.
        ConfigError: the loss has become infinite.
    """
    settings = training.settings
    if not training.dev_count and settings.select != "last":
        raise InputError(f"train.select = {settings.select!r} needs dev, and there is none")
    prepare_folder(training.folder)
    processes = processes_on(settings.device)
    with alone_in(training.folder) if processes.first else nullcontext():
        processes.check_alike(training.folder, training.identity.data)
        return _train_alone(training, processes, resume=resume, on_progress=on_progress)


def _train_alone(
    training: Training[Trained],
    processes: Processes,
    *,
    resume: bool,
    on_progress: OnProgress | None,
) -> Trained:
    """Train in a folder in which no other training writes."""
    settings = training.settings
    checkpoints = Checkpoints(training.folder, training.identity)
    if resume and processes.decided(checkpoints.finished):
        return training.load()
    with restored_generators(processes.device):
        seed_generators(settings.seed, 0)
        task = training.start(processes.device)
        trainer = Trainer(task, settings, on_progress, processes)
        state = _state(trainer, checkpoints, resume=resume)
        while not trainer.plan.is_over(state.epoch, state.step):
            if state.stopped(settings.patience):
                break
            with _timed(training.folder / LOG, state, processes):
                state.epochs.append(_round(trainer, state))
            if processes.first:
                checkpoints.save(state, trainer.tensors())
        if processes.first:
            tensors, where = checkpoints.tensors_of(state.best_epoch)
            load_tensors(trainer.trained, _below("network.", tensors), where)
    if not processes.first:
        processes.wait()
        return training.load()
    task.network.eval()
    figures = {"best_epoch": state.best_epoch, "epochs": state.epochs}
    model = training.finish(task, {**figures, "data": training.identity.data})
    checkpoints.clear()
    processes.wait()
    return model


def identity_of(system: str, settings: Any, data: str) -> TrainingIdentity:
    """The identity of a training with a checksum of its data."""
    return TrainingIdentity(system, to_dict(settings), data)


def _state(trainer: Trainer[Any], checkpoints: Checkpoints, *, resume: bool) -> TrainingState:
    """The initial state of a training; a checkpoint's tensors go to the trainer."""

    def begun() -> TrainingState:
        state = checkpoints.restore()[0] if resume else TrainingState()
        if not resume:
            checkpoints.clear()
        shorten_log(checkpoints.folder / LOG, state.epoch)
        return state

    state = trainer.processes.decided(begun)
    if state.epoch:
        trainer.restore(*checkpoints.tensors_of(state.epoch))
    return state


def _round(trainer: Trainer[Any], state: TrainingState) -> dict[str, float]:
    """The figures of the next round."""
    settings, number = trainer.settings, state.epoch + 1
    seed_generators(settings.seed, number, trainer.processes.share.index)
    dev_figure = state.epochs[-1].get("dev_accuracy") if state.epochs else None
    figures = {"epoch": number, **trainer.run_round(number, dev_figure)}
    trainer.task.network.eval()
    figures |= _evaluated(trainer)
    if settings.select == "loss":
        figures["dev_figure"] = -figures["dev_loss"]
    elif settings.select == "accuracy":
        figures["dev_figure"] = figures["dev_accuracy"]
    return figures


def _evaluated(trainer: Trainer[Any]) -> dict[str, float]:
    """The figures of dev; each process evaluates a share of it."""
    processes = trainer.processes
    parts = processes.gathered(trainer.task.evaluate(processes.share))
    sums = {name: [mean[name] for mean in parts] for name in parts[0]}
    means = {
        name: Mean(sum(m.total for m in many), sum(m.count for m in many))
        for name, many in sums.items()
    }
    return {name: mean.total / mean.count for name, mean in means.items()}


@contextmanager
def _timed(log: Path, state: TrainingState, processes: Processes) -> Iterator[None]:
    """Write the figures of a round into the log, with the time it took."""
    started = time.perf_counter()
    yield
    seconds = time.perf_counter() - started
    rate = state.epochs[-1].pop("sentences") / seconds
    if not processes.first:
        return
    times = {"sentences_per_second": round(rate, 1), "seconds": round(seconds, 2)}
    if processes.share.count > 1:
        times["processes"] = processes.share.count
    # The log precedes the checkpoint: resuming cuts it down to the rounds of the checkpoint.
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**state.epochs[-1], **times}) + "\n")


def _groups(
    trained: Mapping[str, nn.Parameter], shares: Mapping[str, float]
) -> list[dict[str, Any]]:
    """The trained parameters, grouped by their share of the learning rate."""
    groups: dict[str, list[nn.Parameter]] = {"": [], **{prefix: [] for prefix in shares}}
    for name, parameter in trained.items():
        prefix = next((prefix for prefix in shares if name.startswith(prefix)), "")
        groups[prefix].append(parameter)
    return [
        {"params": group, "share": shares.get(prefix, 1.0)}
        for prefix, group in groups.items()
        if group
    ]


def _below(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors whose names begin with a prefix, without it."""
    return {k.removeprefix(prefix): t for k, t in tensors.items() if k.startswith(prefix)}
