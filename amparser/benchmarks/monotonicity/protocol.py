"""The protocols of Yanaka et al. 2020: the sets of pairs of each training and test file.

A set D has quantifiers, replacement functions and a depth. A premise has one quantifier
per clause, and one of the functions is applied to its innermost noun, or at depth 1 to its noun
or verb (section 2.1). Both orders of a pair belong to the set, so half of it is entailment. A
protocol defines the sets of each training and test file (section 2.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from amparser.benchmarks.monotonicity.replacements import FUNCTIONS, NOUN_FUNCTIONS
from amparser.errors import InputError

QUANTIFIER_PAIRS = (
    ("some", "no"),
    ("at_least_three", "at_most_three"),
    ("more_than_three", "less_than_three"),
    ("a_few", "few"),
)
"""The upward and downward quantifiers of the paper, by the labels of their rules."""
QUANTIFIERS = tuple(sorted(quantifier for pair in QUANTIFIER_PAIRS for quantifier in pair))
_HYPONYMS = frozenset({"lex.n", "lex.iv"})
"""The function r1 of Table 2, in the names of the files; the others follow in its order."""
MAX_DEPTH = 5
_DEPTHS: Mapping[str, range] = {
    "productivity": range(2, MAX_DEPTH),
    "localism": range(3, MAX_DEPTH + 1),
}
"""The depths of train of the aspects that have a choice."""
_HELD = "no"  # this quantifier has all functions in train; the choice is arbitrary (section 2.2)
TRAIN, TEST = "train", "test"


@dataclass(frozen=True)
class PairSet:
    """A set D of pairs.

    Attributes:
        quantifiers: the quantifiers of premises, by the labels of their rules.
        depth: the number of nested quantified noun phrases, from 1.
        part: `train` or `test`, if both are parts of one set, without a common pair; or empty.
    """

    quantifiers: frozenset[str] = frozenset(QUANTIFIERS)
    functions: frozenset[str] = frozenset(FUNCTIONS)
    depth: int = 1
    part: str = ""

    def __post_init__(self) -> None:
        if self.depth > 1:
            kept = self.functions & frozenset(NOUN_FUNCTIONS)
            object.__setattr__(self, "functions", kept)

    def __str__(self) -> str:
        names = (",".join(sorted(names)) for names in (self.quantifiers, self.functions))
        return " ".join((*names, f"D{self.depth}", "", self.part)).rstrip()


Files: TypeAlias = Mapping[str, Sequence[PairSet]]
"""Files, each a union of sets; a set that two files share has the same pairs in both."""


def variants() -> dict[str, Callable[[], Files]]:
    """Return the files of each variant by its name.

    `predicate`: S1-S4, T1-T4; `embedding`: S0-S3, T1-T3. `productivity-N`: train of all depths
    up to N, and tests D1-D5. `localism-N`: train of depth N, and tests up to it.
    """
    found: dict[str, Callable[[], Files]] = {"predicate": _predicate, "embedding": _embedding}
    for depth in _DEPTHS["productivity"]:
        train, test = range(1, depth + 1), range(1, MAX_DEPTH + 1)
        found[f"productivity-{depth}"] = partial(_depths, train, test)
    for depth in _DEPTHS["localism"]:
        found[f"localism-{depth}"] = partial(_depths, [depth], range(1, depth + 1))
    return found


def files_of(variant: str | None) -> Files:
    """Return the files of a variant; raises InputError if there is none of this name."""
    known = variants()
    if variant not in known:
        raise InputError(f"--variant {variant}: expected {', '.join(known)}")
    return known[variant]()


def _predicate() -> Files:
    order = [pair for pair in QUANTIFIER_PAIRS if _HELD not in pair]
    others = frozenset(FUNCTIONS) - _HYPONYMS
    train = [PairSet(frozenset({_HELD})), PairSet(functions=_HYPONYMS)]
    unseen = frozenset(QUANTIFIERS) - {_HELD}
    files: dict[str, Sequence[PairSet]] = {}
    for number, pair in enumerate(((), *order), 1):
        if pair:
            train, unseen = [*train, PairSet(frozenset(pair))], unseen - frozenset(pair)
        files[f"S{number}"] = train
        files[f"T{number}"] = [PairSet(unseen, others)]
    return files


def _embedding() -> Files:
    train, unseen = [PairSet()], frozenset(QUANTIFIERS)
    files: dict[str, Sequence[PairSet]] = {"S0": train}
    for number, pair in enumerate(QUANTIFIER_PAIRS[:-1], 1):
        train, unseen = [*train, PairSet(frozenset(pair), depth=2)], unseen - frozenset(pair)
        files[f"S{number}"] = train
        files[f"T{number}"] = [PairSet(unseen, depth=2)]
    return files


def _depths(train: Sequence[int], test: Sequence[int]) -> Files:
    tests = {f"{TEST}-D{depth}": [PairSet(depth=depth, part=TEST)] for depth in test}
    return {TRAIN: [PairSet(depth=depth, part=TRAIN) for depth in train], **tests}


def is_test(name: str) -> bool:
    """Return whether a file of a protocol is a test set rather than a training file."""
    return name.startswith(("T", TEST))


def own_tests(name: str, files: Iterable[str]) -> list[str]:
    """Return the test files of a training file, such as T1 of S1."""
    if name == TRAIN:
        return [file for file in files if file.startswith(TEST)]
    return [file for file in files if file == f"T{name.removeprefix('S')}"]
