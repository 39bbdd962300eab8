"""The protocols of Yanaka et al. 2020: the sets of pairs of each training and test file.

A set D has quantifiers, replacement functions and a depth. A premise has one quantifier
per clause, and one of the functions is applied to its innermost noun, or at depth 1 to its noun
or verb (section 2.1). Both orders of a pair belong to the set, so half of it is entailment. A
protocol defines the sets of each training and test file (section 2.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

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
PAPER_FUNCTIONS: Mapping[str, frozenset[str]] = {
    "hyponym": frozenset({"lex.n", "lex.iv"}),
    "adjective": frozenset({"adj"}),
    "preposition": frozenset({"pp.n", "pp.iv"}),
    "relative clause": frozenset({"rc"}),
    "adverb": frozenset({"adv"}),
    "disjunction": frozenset({"disj"}),
    "conjunction": frozenset({"conj"}),
}
"""The functions r1 to r7 of Table 2, in the names of the files."""
ASPECTS = ("predicate", "embedding", "productivity", "localism")
MAX_DEPTH = 5
DEFAULT_DEPTHS: Mapping[str, int] = {"productivity": 2, "localism": 3}
"""The default depth of train."""
_HELD = "no"  # this quantifier has all functions in train; the choice is arbitrary (section 2.2)
SUBJECT, ADVERB, PREPOSITION, OBJECT = "", "adverb", "preposition", "object"
VARIANTS = (ADVERB, PREPOSITION, OBJECT)
"""The structures of the additional test sets T'."""
TRAIN, TEST = "train", "test"


@dataclass(frozen=True)
class PairSet:
    """A set D of pairs.

    Attributes:
        quantifiers: the quantifiers of premises, by the labels of their rules.
        functions: the functions that are applied, of `FUNCTIONS`.
        depth: the number of nested quantified noun phrases, from 1.
        variant: the modifier in front of the sentence (`adverb`, `preposition`), or `object` if the
            replacement is in the object; only at depth 1.
        part: `train` or `test`, if both are parts of one set; empty for the whole set. No pair
            is in both, and no premise before its replacement.
    """

    quantifiers: frozenset[str] = frozenset(QUANTIFIERS)
    functions: frozenset[str] = frozenset(FUNCTIONS)
    depth: int = 1
    variant: str = SUBJECT
    part: str = ""

    def __post_init__(self) -> None:
        if self.depth > 1 or self.variant == OBJECT:
            kept = self.functions & frozenset(NOUN_FUNCTIONS)
            object.__setattr__(self, "functions", kept)

    def __str__(self) -> str:
        names = (",".join(sorted(names)) for names in (self.quantifiers, self.functions))
        return " ".join((*names, f"D{self.depth}", self.variant, self.part)).rstrip()


@dataclass(frozen=True)
class Protocol:
    """Files, each a union of sets; a set that two files share has the same pairs in both."""

    files: Mapping[str, Sequence[PairSet]]

    @property
    def sets(self) -> list[PairSet]:
        """All sets, each once."""
        return list(dict.fromkeys(one for sets in self.files.values() for one in sets))


def protocol(aspect: str, *, depth: int | None = None, permutation: int = 0) -> Protocol:
    """The files of an aspect.

    `predicate`: S1-S4, T1-T4 and T'1-T'4 (`T1-adverb` ..), where `no` is the quantifier that
    has all functions in train, and hyponyms are the function that all quantifiers have.
    `embedding`: S0-S3 and T1-T3. `productivity`: train of all depths up to `depth` (2 to 4),
    and tests D1-D5. `localism`: train of one depth (3 to 5), and tests up to it.

    Args:
        permutation: the order in which the pairs of quantifiers are added, from 0; there are
            6 orders for `predicate`, 24 for `embedding`.

    Raises:
        InputError: an unknown aspect, or a depth or permutation that it does not have.
    """
    match aspect:
        case "predicate":
            _no_depth(aspect, depth)
            return _predicate(permutation)
        case "embedding":
            _no_depth(aspect, depth)
            return _embedding(permutation)
        case "productivity":
            _no_permutation(aspect, permutation)
            depth = _checked(depth, DEFAULT_DEPTHS[aspect], MAX_DEPTH - 1)
            return _depths(range(1, depth + 1), range(1, MAX_DEPTH + 1))
        case "localism":
            _no_permutation(aspect, permutation)
            depth = _checked(depth, DEFAULT_DEPTHS[aspect], MAX_DEPTH)
            return _depths([depth], range(1, depth + 1))
    raise InputError(f"unknown aspect {aspect!r}, expected one of {', '.join(ASPECTS)}")


def _no_depth(aspect: str, depth: int | None) -> None:
    if depth is not None:
        raise InputError(f"{aspect} has no choice of depth, found {depth}")


def _no_permutation(aspect: str, permutation: int) -> None:
    if permutation:
        raise InputError(f"{aspect} has no permutations, found {permutation}")


def _checked(depth: int | None, least: int, most: int) -> int:
    depth = least if depth is None else depth
    if not least <= depth <= most:
        raise InputError(f"expected a depth from {least} to {most}, found {depth}")
    return depth


def _ordered(pairs: Sequence[tuple[str, str]], permutation: int) -> Sequence[tuple[str, str]]:
    orders = list(permutations(pairs))
    if not 0 <= permutation < len(orders):
        raise InputError(f"expected a permutation from 0 to {len(orders) - 1}, found {permutation}")
    return orders[permutation]


def _predicate(permutation: int) -> Protocol:
    known = PAPER_FUNCTIONS["hyponym"]
    order = _ordered([pair for pair in QUANTIFIER_PAIRS if _HELD not in pair], permutation)
    train = [PairSet(frozenset({_HELD})), PairSet(functions=known)]
    unseen = frozenset(QUANTIFIERS) - {_HELD}
    files: dict[str, Sequence[PairSet]] = {}
    for number in range(len(order) + 1):
        if number:
            pair = frozenset(order[number - 1])
            train, unseen = [*train, PairSet(pair)], unseen - pair
        files[f"S{number + 1}"] = train
        test = PairSet(unseen, frozenset(FUNCTIONS) - known)
        files[f"T{number + 1}"] = [test]
        for variant in VARIANTS:
            files[f"T{number + 1}-{variant}"] = [
                PairSet(unseen, frozenset(FUNCTIONS) - known, variant=variant)
            ]
    return Protocol(files)


def _embedding(permutation: int) -> Protocol:
    order = _ordered(QUANTIFIER_PAIRS, permutation)
    train, unseen = [PairSet()], frozenset(QUANTIFIERS)
    files: dict[str, Sequence[PairSet]] = {"S0": train}
    for number, pair in enumerate(order[:-1], 1):
        train, unseen = [*train, PairSet(frozenset(pair), depth=2)], unseen - frozenset(pair)
        files[f"S{number}"] = train
        files[f"T{number}"] = [PairSet(unseen, depth=2)]
    return Protocol(files)


def _depths(train: Sequence[int], test: Sequence[int]) -> Protocol:
    files: dict[str, Sequence[PairSet]] = {
        TRAIN: [PairSet(depth=depth, part=TRAIN) for depth in train]
    }
    for depth in test:
        files[f"{TEST}-D{depth}"] = [PairSet(depth=depth, part=TEST)]
    return Protocol(files)


def is_test(name: str) -> bool:
    """Whether a file of a protocol is a test set rather than a training file."""
    return name.startswith(("T", TEST))


def own_tests(name: str, files: Iterable[str]) -> list[str]:
    """The test files that belong to a training file.

    >>> own_tests("S1", ["S1", "S2", "T1", "T1-adverb", "T2"])
    ['T1', 'T1-adverb']
    """
    if name == TRAIN:
        return [file for file in files if file.startswith(TEST)]
    own = f"T{name.removeprefix('S')}"
    return [file for file in files if file.partition("-")[0] == own]
