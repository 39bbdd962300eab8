"""Training loop of all systems: rounds of updates, with a checkpoint after each round.

The order of batches, dropout and the learning rate of a round depend only on the seed and the
number of the round. A run that was killed and resumed therefore ends with the same weights as an
uninterrupted run. On a CPU with the same number of threads, the weights are bit-identical.
Checkpoints contain only weights that are trained.

If there are several processes (`amparser.learn.processes`), each of them learns from a part of
every batch. A run may be resumed with another number of processes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch

from amparser.files import write_atomically
from amparser.learn.checkpoint import (
    Checkpoints,
    TrainingIdentity,
    TrainingState,
    restored_generators,
    seed_generators,
)
from amparser.learn.model_folder import (
    LOG,
    LOG_FORMAT,
    MetricsJson,
    load_tensors,
    prepare_model_folder,
)
from amparser.learn.processes import Processes, processes_on
from amparser.learn.report import OnProgress
from amparser.learn.settings import TrainSettings, to_dict
from amparser.learn.task import Task
from amparser.learn.trainer import Trainer
from amparser.nn.packed_weights import below
from amparser.working_folder import alone_in

Trained = TypeVar("Trained")


@dataclass(frozen=True)
class Training(Generic[Trained]):
    """Training run of one model, as input of the loop.

    Attributes:
        identity: properties that must not change when the run is resumed.
        load: function that reads the finished model.
        start: function that returns the untrained task; the random generators are seeded before.
        finish: function that makes the model from the trained task and its metrics, and writes it.
    """

    folder: Path
    identity: TrainingIdentity
    settings: TrainSettings
    load: Callable[[], Trained]
    start: Callable[[torch.device], Task[Any]]
    finish: Callable[[Task[Any], MetricsJson], Trained]
    dev_count: int


def train(
    training: Training[Trained], *, resume: bool = False, on_progress: OnProgress | None = None
) -> Trained:
    """Train until the last round, or until dev figures stop improving; write the model folder.

    Without dev data, the model has the weights of the last round.

    Raises:
        InputError: the folder is not writable, contains another training run, or is in use by
            another process.
        ModelError: the checkpoint to resume from is damaged.
        ConfigError: the loss is not finite.
    """
    settings = training.settings
    if not training.dev_count:
        settings = replace(settings, select="last")
        training = replace(training, settings=settings)
    prepare_model_folder(training.folder)
    processes = processes_on(settings.device)
    with alone_in(training.folder) if processes.first else nullcontext():
        processes.check_alike(training.folder, training.identity.data)
        checkpoints = Checkpoints(training.folder, training.identity)
        if resume and processes.decided(checkpoints.finished):
            return training.load()
        with restored_generators(processes.device):
            seed_generators(settings.seed, 0)
            task = training.start(processes.device)
            trainer = Trainer(task, settings, on_progress, processes)
            state = _state(trainer, checkpoints, resume=resume)
            while state.epoch < trainer.plan.rounds and not state.stopped(settings.patience):
                started = time.perf_counter()
                state.epochs.append(_round(trainer, state))
                _write_log(training.folder / LOG, state, time.perf_counter() - started, processes)
                if processes.first:
                    checkpoints.save(state, trainer.tensors())
            if processes.first:
                tensors, where = checkpoints.tensors_of(state.best_epoch)
                load_tensors(trainer.trained, below("network.", tensors), where)
        if not processes.first:
            processes.wait()
            return training.load()
        task.network.eval()
        metrics = MetricsJson(
            best_epoch=state.best_epoch, epochs=[*state.epochs], data=training.identity.data
        )
        model = training.finish(task, metrics)
        checkpoints.clear()
        processes.wait()
        return model


def identity_of(system: str, settings: Any, data: str) -> TrainingIdentity:
    """Return the identity of a training run, given a checksum of its data."""
    return TrainingIdentity(system, to_dict(settings), data)


def _state(trainer: Trainer[Any], checkpoints: Checkpoints, *, resume: bool) -> TrainingState:
    processes = trainer.processes
    if not resume:
        processes.decided(checkpoints.clear)
        return TrainingState()
    state = processes.decided(checkpoints.restore)
    if state.epoch:
        trainer.restore(*checkpoints.tensors_of(state.epoch))
    return state


def _round(trainer: Trainer[Any], state: TrainingState) -> dict[str, float]:
    settings, number = trainer.settings, state.epoch + 1
    dev_figure = state.epochs[-1].get("dev_accuracy") if state.epochs else None
    figures = {"epoch": number, **trainer.run_round(number, dev_figure)}
    trainer.task.network.eval()
    parts = trainer.processes.gathered(trainer.task.evaluate(trainer.processes.share))
    for name in parts[0]:
        means = [part[name] for part in parts]
        figures[name] = sum(mean.total for mean in means) / sum(mean.count for mean in means)
    if settings.select == "loss":
        figures["dev_figure"] = -figures["dev_loss"]
    elif settings.select == "accuracy":
        figures["dev_figure"] = figures["dev_accuracy"]
    return figures


def _write_log(log: Path, state: TrainingState, seconds: float, processes: Processes) -> None:
    rate = state.epochs[-1].pop("sentences") / seconds
    if not processes.first:
        return
    times = {"sentences_per_second": round(rate, 1), "seconds": round(seconds, 2)}
    if processes.share.count > 1:
        times["processes"] = processes.share.count
    # Lines of later rounds are removed: a run may have been killed before it wrote a checkpoint.
    before = log.read_text(encoding="utf-8").splitlines()[: state.epoch - 1] if log.exists() else []
    line = json.dumps({"format": LOG_FORMAT, **state.epochs[-1], **times})
    write_atomically(log, "".join(f"{one}\n" for one in (*before, line)).encode())
