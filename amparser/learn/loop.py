"""Training: epochs of batches, a checkpoint after each, the best epoch by dev.

What an epoch does depends on the weights before it and on (seed, epoch) alone:
the order of its batches, dropout and the learning rate begin anew with each.
A training that was killed and resumed therefore ends with the same model as
one that was not; on a CPU with the same number of threads, to the bit.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from amparser.errors import InputError
from amparser.learn.batches import Dataset, TrainingExample, check_examples, examples_checksum
from amparser.learn.checkpoint import (
    Model,
    build_network,
    load_model,
    load_weights,
    prepare_folder,
    save_model,
)
from amparser.learn.config import Config, to_dict
from amparser.learn.progress import OnProgress, shorten_log
from amparser.learn.randomness import restored_generators, seed_generators
from amparser.learn.resume import Checkpoints, TrainingIdentity, TrainingState, checksum_of_json
from amparser.learn.trainer import Trainer, evaluate_greedily
from amparser.nn.device import device_from_name
from amparser.nn.network import Network
from amparser.nn.vocabulary import vocabulary_from_sentences

LOG = "log.jsonl"

DevMetric = Callable[[Network], float]
ExamplesOfEpoch = Callable[[int], Sequence[TrainingExample]]


class Inventory(Protocol):
    """What training must know of a lexicon: how many supertags and operations there are."""

    @property
    def supertags(self) -> Sequence[object]:
        """Supertag 0 is the empty one."""

    @property
    def operations(self) -> Sequence[str]:
        """Operation 0 is IGNORE and 1 is ROOT."""

    @property
    def supertag_parts(self) -> Sequence[Sequence[int]]:
        """For each supertag the numbers of its parts, from 0."""


def train(
    examples: Sequence[TrainingExample],
    dev: Sequence[TrainingExample],
    lexicon: Inventory,
    config: Config,
    output_dir: str | Path,
    *,
    lexicon_json: Mapping[str, Any],
    resume: bool = False,
    on_progress: OnProgress | None = None,
    dev_metric: DevMetric | None = None,
    examples_of_epoch: ExamplesOfEpoch | None = None,
) -> Model:
    """Train a network and write the model folder; returns the model of the best epoch.

    Args:
        examples: the sentences to learn from.
        dev: what early stopping watches; when empty, and without `dev_metric`,
            all epochs run and the last one counts.
        lexicon: the supertags and operations that the examples refer to.
        config: all settings; `train.device` alone may change on resuming.
        output_dir: the model folder. A model that lies there is replaced at the end.
        lexicon_json: kept in `model.json` and given back by `load_model`.
        resume: go on after the last checkpoint in the folder, if there is one.
        on_progress: called after each batch.
        dev_metric: a figure, higher is better, to watch instead of the greedy
            accuracy on dev (all supertags, heads and operations of a sentence
            right); given the network in evaluation mode.
        examples_of_epoch: what an epoch (counted from 1) learns from instead of
            `examples`; it must depend on the number of the epoch alone.

    Raises:
        InputError: no examples; one is too long for a pretrained encoder; the folder
            cannot be written, or holds another training.
        AMTreeError: an example is no tree over the lexicon.
        ConfigError: the loss has become infinite, a layer is not installed, or there is
            no such pretrained encoder.
        ModelError: the checkpoint to resume from is damaged.
    """
    folder = Path(output_dir)
    device = device_from_name(config.train.device)
    if not examples:
        raise InputError("no examples to train on")
    counts = {
        "supertag_count": len(lexicon.supertags),
        "operation_count": len(lexicon.operations),
    }
    check_examples(examples, **counts, name="training")
    check_examples(dev, **counts, name="dev")
    prepare_folder(folder)
    data_checksum = checksum_of_json([examples_checksum(examples, dev), counts, lexicon_json])
    checkpoints = Checkpoints(folder, TrainingIdentity(to_dict(config), data_checksum))
    if resume and checkpoints.finished():
        return load_model(folder, config.train.device)

    with restored_generators(device):
        seed_generators(config.train.seed, 0)
        vocabulary = vocabulary_from_sentences(example.tokens for example in examples)
        parts = lexicon.supertag_parts if config.supertag.composed else None
        network = build_network(
            config,
            vocabulary,
            supertag_count=counts["supertag_count"],
            operation_count=counts["operation_count"],
            supertag_parts=parts,
        ).to(device)
        _check_lengths(network, {"training": examples, "dev": dev})
        trainer = Trainer(network, config, on_progress)
        if resume:
            state = checkpoints.restore(trainer)
        else:
            checkpoints.clear()
            state = TrainingState()
        shorten_log(folder / LOG, state.epoch)
        data, dev_data = Dataset(examples, vocabulary), Dataset(dev, vocabulary)
        while state.epoch < config.train.epochs and not state.stopped(config.train.patience):
            epoch = state.epoch + 1
            seed_generators(config.train.seed, epoch)
            started = time.perf_counter()
            if examples_of_epoch is not None:
                data = Dataset(examples_of_epoch(epoch), vocabulary)
            figures = {"epoch": epoch, **trainer.run_epoch(data, epoch)}
            rate = len(data) / (time.perf_counter() - started)
            figures |= evaluate_greedily(network, dev_data, config.edge.loss)
            if dev_metric is not None:
                network.eval()
                figures["dev_figure"] = float(dev_metric(network))
            elif dev:
                figures["dev_figure"] = figures["dev_accuracy"]
            trainer.dev_figure = figures.get("dev_figure")
            state.epochs.append(figures)
            seconds = time.perf_counter() - started
            times = {"sentences_per_second": round(rate, 1), "seconds": round(seconds, 2)}
            # The log first: resuming cuts it down to the epochs of the checkpoint.
            with (folder / LOG).open("a", encoding="utf-8") as log:
                log.write(json.dumps({**figures, **times}) + "\n")
            checkpoints.save(trainer, state)

        load_weights(network, *checkpoints.weights_of(state.best_epoch))
    network.eval()
    metrics = {"best_epoch": state.best_epoch, "epochs": state.epochs, "data": data_checksum}
    model = Model(network, config, lexicon_json, metrics)
    save_model(folder, model)
    checkpoints.clear()
    return model


def _check_lengths(network: Network, parts: Mapping[str, Sequence[TrainingExample]]) -> None:
    if network.pretrained is None:
        return
    for name, examples in parts.items():
        for number, example in enumerate(examples, 1):
            if problem := network.problem(example.tokens):
                raise InputError(f"{name} example {number}: {problem}")
