"""From data files to what a sequence-to-sequence model learns from and is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from amparser.baselines.from_scratch import Pair
from amparser.baselines.notation import Notation, notation_of, target_of
from amparser.baselines.settings import PairSettings
from amparser.corpora.examples import (
    MAX_TOKENS,
    Example,
    checksum,
    iterate_examples,
    read_examples,
    split_files,
)
from amparser.errors import CorpusError, located
from amparser.evaluation.phenomena import phenomena_of
from amparser.learn.preparation import HELD_OUT_SEED, subset, without

SYGNS_TARGETS = ("fol", "clf", "vf")


def pair_files(data: Path, target: str) -> dict[str, Path]:
    """The data files of a folder for a target; those of SyGNS name it.

    Raises:
        CorpusError: there are none.
    """
    return split_files(data, target if target in SYGNS_TARGETS else "")


def training_pairs(
    data: Path, settings: PairSettings, seed: int
) -> tuple[list[Pair], list[Pair], dict[str, Any]]:
    """Pairs to learn from, pairs to look at, and the checksums of their files.

    Without a file of dev a share of train serves as one, the same for each `fraction` and seed.

    Raises:
        CorpusError: naming file and line.
    """
    files = pair_files(data, settings.target)
    if "train" not in files:
        raise CorpusError(located("there is no train file", path=data))
    notation = notation_of(settings.target)
    train: Sequence[Example] = read_examples(files["train"])
    dev: Sequence[Example]
    if "dev" in files:
        dev = read_examples(files["dev"])
    else:
        dev = subset(train, settings.held_out, HELD_OUT_SEED)
        train = without(train, dev)
    train = subset(train, settings.fraction, seed)
    if not train:
        raise CorpusError(
            located("empty, expected SENTENCE<TAB>MEANING<TAB>TYPE", path=files["train"])
        )
    described: dict[str, Any] = {
        name: {"file": files[name].name, "sha256": checksum(files[name])}
        for name in ("train", "dev")
        if name in files
    }
    dev_file = files.get("dev", files["train"])
    return (
        _pairs(train, notation, files["train"]),
        _pairs(dev, notation, dev_file),
        described,
    )


def read_targets(path: Path, notation: Notation, limit: int | None = None) -> list[Example]:
    """The first rows of a data file, their meanings in the notation.

    Raises:
        CorpusError: naming file and line, and what was expected there.
    """
    examples = []
    for example in islice(iterate_examples(path), limit):
        if len(example.tokens) > MAX_TOKENS:
            reason = f"{len(example.tokens)} tokens, expected at most {MAX_TOKENS}"
            raise CorpusError(located(reason, path=path, line=example.line))
        meaning = target_of(notation, example, path=path)
        kind = phenomena_of(example.tokens, example.kind)
        examples.append(replace(example, meaning=meaning, kind=kind))
    if not examples:
        raise CorpusError(located("empty, expected SENTENCE<TAB>MEANING<TAB>TYPE", path=path))
    return examples


def _pairs(examples: Sequence[Example], notation: Notation, path: Path) -> list[Pair]:
    return [Pair(example.tokens, target_of(notation, example, path=path)) for example in examples]
