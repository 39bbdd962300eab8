"""Runs of an experiment on pairs: classifiers, and parsers over whose forms natural logic decides.

Their answers are labels. What is kept of them, as of other runs, is a digit a pair by type;
the type of a pair says its test set, replacement function, direction and innermost quantifier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from amparser.benchmarks.monotonicity.classifiers.model import load_nli
from amparser.benchmarks.monotonicity.evaluate_pairs import Quantifiers, judge_of
from amparser.benchmarks.monotonicity.pairs import LabelledPair, read_pairs
from amparser.corpora.examples import checksum
from amparser.evaluation.phenomena import PAIR
from amparser.evaluation.runs import EXACT, WRONG, Digits, Run, read_json, write_json
from amparser.learn.checkpoint import MODEL
from amparser.learn.config import to_dict
from amparser.learn.resume import checksum_of_json

TEST = "test-"


@dataclass(frozen=True)
class PairRun(Run):
    """A parser of forms that is trained; its `data` is a folder of forms."""

    def labels(self, test: Path, *, fresh: bool = False) -> tuple[Digits, int]:
        """How right its labels of the pairs in a file are, and how many pairs have none."""
        weights = read_json(self.folder / f"{MODEL}.json")["weights_sha256"]
        digest = checksum_of_json([checksum(test), weights])[:10]
        path = self.folder / f"labels-{name_of(test)}-{digest}.json"
        if fresh or not path.exists():
            pairs = read_pairs(test)
            judge = judge_of(self.folder, device=self.config.train.device).judge
            answers = judge([(pair.premise, pair.hypothesis) for pair in pairs])
            found = {
                "digits": _digits(pairs, answers, name_of(test)),
                "unanswered": sum(answer is None for answer in answers),
            }
            write_json(path, found)
        kept = read_json(path)
        return kept["digits"], kept["unanswered"]


@dataclass(frozen=True)
class ClassifierRun(PairRun):
    """A classifier that is trained; its `data` is a file of pairs."""

    @cached_property
    def files(self) -> dict[str, Path]:
        """The file of pairs."""
        return {"train": self.data}

    def of_training(self, config: Any) -> dict[str, Any]:
        """The settings that training depends on."""
        found = to_dict(config)
        del found["train"]["device"]
        return found

    def kept_config(self) -> Any:
        """The settings of the model in the folder."""
        return load_nli(self.folder, "cpu").config


def name_of(test: Path) -> str:
    """A test set's short name.

    >>> name_of(Path("x/test-D3.tsv")), name_of(Path("T1-adverb.tsv"))
    ('D3', 'T1-adverb')
    """
    return test.name.partition(".")[0].removeprefix(TEST)


def coarse(answers: Digits) -> dict[str, str]:
    """Answers by test set and direction alone.

    >>> coarse({"D1|adj|up|few": "3", "D1|pp.n|up|no": "0"})
    {'D1 up': '30'}
    """
    found: dict[str, str] = {}
    for kind, row in answers.items():
        test, _, direction, _ = kind.split(PAIR)
        key = f"{test} {direction}"
        found[key] = found.get(key, "") + row
    return found


def _digits(
    pairs: Sequence[LabelledPair], answers: Sequence[str | None], test: str
) -> dict[str, str]:
    quantifiers = Quantifiers()
    found: dict[str, str] = {}
    for pair, answer in zip(pairs, answers, strict=True):
        innermost = quantifiers.ends(pair.premise)[-1:]
        kind = PAIR.join((test, pair.function, pair.direction, *(innermost or ("none",))))
        found[kind] = found.get(kind, "") + (EXACT if answer == pair.label else WRONG)
    return found
