"""Trainer: runs the updates of a round.

The members of an ensemble have no common weights. On CPUs, they are trained in parallel: for each
round, a process is forked for each member and returns its weights. The result is the same as with
sequential training.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple

import torch
from torch import Tensor, nn

from amparser.errors import ConfigError, ModelError
from amparser.learn.checkpoint import seed_generators
from amparser.learn.model_folder import check_tensors, load_tensors, trained_parameters
from amparser.learn.plan import Plan, Update
from amparser.learn.processes import Processes
from amparser.learn.report import OnProgress, TrainingProgress
from amparser.learn.settings import TrainSettings
from amparser.learn.task import Batch, Share, Task
from amparser.nn.device import one_thread
from amparser.nn.packed_weights import below
from amparser.nn.targets import Losses
from amparser.processes import answer_of, forked


class _Objective(nn.Module, Generic[Batch]):
    def __init__(self, task: Task[Batch]) -> None:
        super().__init__()
        self.network = task.network
        self._losses = task.losses

    def forward(self, batch: Batch) -> Losses:
        return self._losses(batch)


@dataclass
class Learned:
    """Sums of losses over the updates of a round.

    Attributes:
        sums: losses, by name, of all tokens from which this process has learned.
        loss_sum: losses of all processes, which are displayed as progress.
    """

    sums: Counter[str] = field(default_factory=Counter)
    loss_sum: float = 0.0
    tokens: float = 0.0
    sentences: int = 0

    @property
    def loss(self) -> float:
        """Mean loss per token."""
        return self.loss_sum / self.tokens

    def add(self, other: Learned) -> None:
        """Add the sums of other updates of the round."""
        self.sums.update(other.sums)
        self.loss_sum += other.loss_sum
        self.tokens += other.tokens
        self.sentences += other.sentences


Show = Callable[[Learned, float], None]
"""Function that displays progress, given the sums so far and the completed share of the round."""


class Course(NamedTuple, Generic[Batch]):
    """Updates of a round, with their numbers, that change the same member of an ensemble."""

    member: int
    updates: Sequence[tuple[int, Update[Batch]]]


class Trainer(Generic[Batch]):
    """Task with its optimizer (AdamW), which updates the weights."""

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
        self.plan = Plan(task.epoch, settings)
        self.trained = trained_parameters(task.network)
        self.optimizer = torch.optim.AdamW(
            _groups(self.trained, task.shares()),
            lr=settings.learning_rate,
            betas=(0.9, settings.adam_beta2),
            weight_decay=settings.weight_decay,
            fused=settings.fused or None,
        )
        self._objective = self.processes.prepared(_Objective(task), partial=task.partial)

    def learning_rate(self, step: int, epochs: float) -> float:
        """Return the learning rate of a step (from 1), given the number of epochs before it."""
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
        """Run the updates of a round.

        Returns:
            The last `step`, the mean losses and the number of `sentences`.

        Raises:
            ConfigError: the loss is not finite.
        """
        first = self.plan.round_end(number - 1) + 1 if number > 1 else 1
        last = self.plan.round_end(number)
        size = last + 1 - first
        self.task.network.train()
        started = time.perf_counter()

        def show(learned: Learned, done: float) -> None:
            if self.on_progress is None:
                return
            elapsed = time.perf_counter() - started
            batch = round(done * size)
            left = self.plan.steps_left(number, first - 1 + batch)
            self.on_progress(
                TrainingProgress(
                    epoch=number,
                    epochs=self.plan.rounds,
                    batch=batch,
                    batches=size,
                    loss=learned.loss,
                    dev_figure=dev_figure,
                    sentences_per_second=learned.sentences / elapsed,
                    seconds_left=elapsed / batch * left,
                )
            )

        updates = enumerate(self.plan.updates(first, last), first)
        learned = self._learn_all(number, self._courses(updates), show)
        # Some processes may not have all parts of the loss.
        merged: Counter[str] = Counter()
        for part in self.processes.gathered(learned.sums):
            merged.update(part)
        means = {name: total / learned.tokens for name, total in merged.items()}
        return {"step": last, "loss": sum(means.values()), **means, "sentences": learned.sentences}

    def _courses(self, updates: Iterable[tuple[int, Update[Batch]]]) -> list[Course[Batch]]:
        """Return a course per member, or one for all if an update may change several members."""
        if self.task.members == 1 or self.settings.accumulate > 1:
            return [Course(0, [*updates])]
        parts: dict[int, list[tuple[int, Update[Batch]]]] = {}
        for step, update in updates:
            parts.setdefault(self.task.member(update.batches[0]), []).append((step, update))
        return [Course(*part) for part in parts.items()]

    def _learn_all(self, number: int, courses: Sequence[Course[Batch]], show: Show) -> Learned:
        if len(courses) == 1 or self.processes.device.type != "cpu":
            return self._learn(number, courses, show)
        count = min(len(courses), self.processes.beside)
        own, *others = [courses[i::count] for i in range(count)]

        def answer(i: int) -> tuple[Learned, dict[str, Any]]:
            return self._changed_by(number, others[i])

        with one_thread():
            if not others:
                return self._learn(number, own, show)
            with forked(answer, len(others)) as ask:
                futures = [ask(i) for i in range(len(others))]
                learned = self._learn(number, own, show)
                tensors = self.tensors()
                for theirs, changed in map(answer_of, futures):
                    learned.add(theirs)
                    tensors |= {name: torch.from_numpy(values) for name, values in changed.items()}
        self.restore(tensors, "a process of this training")
        return learned

    def _changed_by(
        self, number: int, courses: Sequence[Course[Batch]]
    ) -> tuple[Learned, dict[str, Any]]:
        before = {name: tensor.clone() for name, tensor in self.tensors().items()}
        learned = self._learn(number, courses, lambda learned, done: None)
        return learned, {
            name: tensor.detach().numpy()
            for name, tensor in self.tensors().items()
            if name not in before or not torch.equal(tensor, before[name])
        }

    def _learn(self, number: int, courses: Sequence[Course[Batch]], show: Show) -> Learned:
        learned = Learned()
        size = sum(len(course.updates) for course in courses)
        done = 0
        for course in courses:
            seed_generators(self.settings.seed, number, self.processes.share.index, course.member)
            for step, update in course.updates:
                self._step(update, step, learned)
                if not math.isfinite(learned.loss):
                    raise ConfigError(
                        f"the loss is not finite at step {step}; "
                        f"train.learning_rate = {self.settings.learning_rate} may be too high"
                    )
                done += 1
                show(learned, done / size)
        return learned

    def _step(self, update: Update[Batch], step: int, learned: Learned) -> None:
        rate = self.learning_rate(step, update.epochs)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group["share"]
        self.optimizer.zero_grad(set_to_none=True)
        learned.sentences += sum(map(len, update.batches))
        for batch in update.batches:
            share = self.processes.share
            part = self.task.part(batch, share)
            # A batch that is too small to be divided goes to one process. The others run the
            # batch with weight 0, so that their gradients reach the same parameters.
            empty = not len(part)
            if empty:
                part = self.task.part(batch, Share(0, share.count))
            losses: Losses = self._objective(part)
            own_count = 0 if empty else losses.token_count
            for name, loss in losses.parts.items():
                learned.sums[name] += loss * own_count  # type: ignore[assignment]
            own_loss = sum(losses.parts.values()) * own_count
            batch_loss, batch_count = self.processes.sums([own_loss, own_count])
            # The gradient of a batch is the mean of the gradients of its parts, weighted by their
            # numbers of tokens.
            weight = own_count * share.count / max(batch_count, 1)
            self.processes.backward(losses.total / len(update.batches) * weight)
            learned.loss_sum += batch_loss
            learned.tokens += batch_count
        if self.settings.gradient_clip:
            nn.utils.clip_grad_norm_(self.trained.values(), self.settings.gradient_clip)
        self.optimizer.step()

    def tensors(self) -> dict[str, Tensor]:
        """Return the trained weights and the optimizer's state, by name."""
        weights: dict[str, Tensor] = {f"network.{name}": p for name, p in self.trained.items()}
        state = {
            f"optimizer.{name}.{key}": value
            for name, parameter in self.trained.items()
            for key, value in self.optimizer.state[parameter].items()
        }
        return weights | state

    def restore(self, tensors: Mapping[str, Tensor], where: object) -> None:
        """Load the result of `tensors`; raise ModelError if it does not fit."""
        load_tensors(self.trained, below("network.", tensors), where)
        given = below("optimizer.", tensors)
        if not given:
            raise ModelError(f"{where}: the optimizer's state is missing")
        # A parameter that has had no gradient so far has no optimizer state.
        known = {name: p for name, p in self.trained.items() if f"{name}.step" in given}
        step = torch.zeros((), dtype=torch.float32 if self.settings.fused else None)
        expected = {
            f"{name}.{key}": step if key == "step" else parameter
            for name, parameter in known.items()
            for key in ("step", "exp_avg", "exp_avg_sq")
        }
        check_tensors(expected, given, f"{where}: the optimizer's state")
        # AdamW keeps its step count on the CPU, unless it is fused.
        on_cpu = () if self.settings.fused else ("step",)
        for name, parameter in known.items():
            self.optimizer.state[parameter] = {
                key: value if key in on_cpu else value.to(parameter.device)
                for key, value in below(f"{name}.", given).items()
            }


def _groups(
    trained: Mapping[str, nn.Parameter], shares: Mapping[str, float]
) -> list[dict[str, Any]]:
    groups: dict[str, list[nn.Parameter]] = {"": [], **{prefix: [] for prefix in shares}}
    for name, parameter in trained.items():
        prefix = next((prefix for prefix in shares if name.startswith(prefix)), "")
        groups[prefix].append(parameter)
    return [
        {"params": group, "share": shares.get(prefix, 1.0)}
        for prefix, group in groups.items()
        if group
    ]
