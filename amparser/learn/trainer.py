"""One epoch of training, and the greedy accuracy that judges it."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from amparser.errors import ConfigError, ModelError
from amparser.learn.batches import Dataset, IntArray, epoch_batches, length_batches
from amparser.learn.checkpoint import load_weights
from amparser.learn.config import Config
from amparser.learn.progress import OnProgress, TrainingProgress
from amparser.nn.losses import LOSSES, TREES_RIGHT
from amparser.nn.network import Network

_DEV_BATCH_TOKENS = 4096


class Trainer:
    """A network, its optimizer (AdamW), and how an epoch changes them."""

    def __init__(
        self, network: Network, config: Config, on_progress: OnProgress | None = None
    ) -> None:
        self.network = network
        self.config = config
        self.on_progress = on_progress
        self.dev_figure: float | None = None
        self.optimizer = torch.optim.AdamW(
            _groups(network, config),
            lr=config.train.learning_rate,
            weight_decay=config.train.weight_decay,
        )

    def learning_rate(self, share: float) -> float:
        """The rate once a share of all epochs is over: a straight line downwards."""
        settings = self.config.train
        return settings.learning_rate * (1 - share * (1 - settings.final_learning_rate))

    def run_epoch(self, data: Dataset, epoch: int) -> dict[str, float]:
        """One pass over the examples, epochs counted from 1; returns the mean losses.

        Raises:
            ConfigError: the loss has become infinite.
        """
        settings = self.config.train
        self.network.train()
        batches = epoch_batches(
            data.lengths, settings.batch_tokens, seed=settings.seed, epoch=epoch
        )
        sums = torch.zeros(3, dtype=torch.float64)
        token_count = sentence_count = 0
        started = time.perf_counter()
        for number, members in enumerate(batches, 1):
            share = (epoch - 1 + (number - 1) / len(batches)) / settings.epochs
            losses = self._step(data, members, self.learning_rate(share))
            count = int(data.lengths[members].sum())
            sums += losses * count
            token_count += count
            sentence_count += len(members)
            loss = float(sums.sum()) / token_count
            if not math.isfinite(loss):
                raise ConfigError(
                    f"the loss is not finite in epoch {epoch}; "
                    f"train.learning_rate = {settings.learning_rate} may be too high"
                )
            if self.on_progress is not None:
                elapsed = time.perf_counter() - started
                batches_left = (settings.epochs - epoch + 1) * len(batches) - number
                self.on_progress(
                    TrainingProgress(
                        epoch=epoch,
                        epochs=settings.epochs,
                        batch=number,
                        batches=len(batches),
                        loss=loss,
                        dev_figure=self.dev_figure,
                        sentences_per_second=sentence_count / elapsed,
                        seconds_left=elapsed / number * batches_left,
                    )
                )
        supertags, heads, operations = (sums / token_count).tolist()
        return {
            "loss": supertags + heads + operations,
            "supertag_loss": supertags,
            "head_loss": heads,
            "operation_loss": operations,
        }

    def _step(self, data: Dataset, members: IntArray, learning_rate: float) -> Tensor:
        """Learn from one batch; its three losses `[3]`, float64 on the CPU."""
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate * group["share"]
        network = self.network
        tokens, gold = data.batch(members)
        tokens = network.with_subwords(tokens, data.sentences(members))
        tokens, gold = tokens.to(network.device), gold.to(network.device)
        losses = LOSSES[self.config.edge.loss](network(tokens, gold.heads), gold, tokens.mask)
        self.optimizer.zero_grad(set_to_none=True)
        losses.total.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(network.parameters(), self.config.train.gradient_clip)
        self.optimizer.step()
        return torch.stack(losses).detach().cpu().double()

    def tensors(self) -> dict[str, Tensor]:
        """The weights and the optimizer's state, under names."""
        weights = {f"network.{name}": t for name, t in self.network.state_dict().items()}
        named = dict(self.network.named_parameters())
        return weights | optimizer_tensors(named, self.optimizer)

    def restore(self, tensors: Mapping[str, Tensor], where: object) -> None:
        """The inverse of `tensors`; raises ModelError where they do not fit."""
        load_weights(self.network, below("network.", tensors), where)
        named = dict(self.network.named_parameters())
        restore_optimizer(named, self.optimizer, tensors, where)


def optimizer_tensors(
    parameters: Mapping[str, nn.Parameter], optimizer: torch.optim.Optimizer
) -> dict[str, Tensor]:
    """The state of Adam or AdamW, under names."""
    return {
        f"optimizer.{name}.{key}": value
        for name, parameter in parameters.items()
        for key, value in optimizer.state[parameter].items()
    }


def restore_optimizer(
    parameters: Mapping[str, nn.Parameter],
    optimizer: torch.optim.Optimizer,
    tensors: Mapping[str, Tensor],
    where: object,
) -> None:
    """The inverse of `optimizer_tensors`; raises ModelError where they do not fit."""
    for name, parameter in parameters.items():
        # A parameter that no loss has reached yet has no state.
        state = below(f"optimizer.{name}.", tensors)
        if state and state.keys() != {"step", "exp_avg", "exp_avg_sq"}:
            raise ModelError(f"{where}: the optimizer's state of {name!r} is incomplete")
        if state:
            optimizer.state[parameter] = {
                # AdamW keeps its count of steps on the CPU.
                key: value if key == "step" else value.to(parameter.device)
                for key, value in state.items()
            }


def _groups(network: Network, config: Config) -> list[dict[str, Any]]:
    """What is trained, with its share of the learning rate: a pretrained encoder has its own."""
    pretrained = list(network.pretrained.parameters()) if network.pretrained is not None else []
    known = set(map(id, pretrained))
    groups: list[dict[str, Any]] = [
        {"params": [p for p in network.parameters() if id(p) not in known], "share": 1.0}
    ]
    if trained := [parameter for parameter in pretrained if parameter.requires_grad]:
        # Where nothing else is trained, neither is it.
        rate = config.train.learning_rate or float("inf")
        share = config.encoder.pretrained_learning_rate / rate
        groups.append({"params": trained, "share": share})
    return groups


def below(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors whose names begin with a prefix, without it."""
    return {k.removeprefix(prefix): t for k, t in tensors.items() if k.startswith(prefix)}


@torch.no_grad()
def evaluate_greedily(network: Network, data: Dataset, loss: str) -> dict[str, float]:
    """`dev_accuracy`, the share of sentences whose untyped reading is right, and `dev_loss`.

    Read is what the loss has trained: heads one by one, or as the best projective
    tree. Empty for an empty dataset.
    """
    if not len(data):
        return {}
    network.eval()
    right = token_count = 0
    total = 0.0
    for members in length_batches(data.lengths, _DEV_BATCH_TOKENS):
        tokens, gold = data.batch(members)
        tokens = network.with_subwords(tokens, data.sentences(members))
        tokens, gold = tokens.to(network.device), gold.to(network.device)
        logits = network(tokens, gold.heads)
        count = int(data.lengths[members].sum())
        total += float(LOSSES[loss](logits, gold, tokens.mask).total) * count
        token_count += count
        right += int(TREES_RIGHT[loss](logits, gold, tokens.mask).sum())
    return {"dev_accuracy": right / len(data), "dev_loss": total / token_count}
