"""Generation of corpora with a given number of different sentences for each type and split.

The rows of all types and splits are generated in random order, so all splits of a type have the
same distribution. An ambiguous sentence gets its right-branching derivation (Li et al. 2023,
appendix B.2); other derivations are rejected. Equal seeds give equal corpora.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from random import Random

from amparser.errors import GrammarError, InputError
from amparser.grammar.irtg import Derivation
from amparser.grammar.library import Library
from amparser.grammar.plan import ALL, Plan, SentenceType

MAX_REPEATS = 10_000

Amounts = Mapping[tuple[str, str], int]
"""Number of rows for each pair of a type and a split."""


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence of a corpus: its split, type, tokens and derivation."""

    split: str
    kind: str
    tokens: tuple[str, ...]
    derivation: Derivation


def amounts(plan: Plan, *, count: int | None = None) -> dict[tuple[str, str], int]:
    """Return the number of rows of each type in each split, by default as in the published corpus.

    If `count` is given, `train` (or the first split) gets this number of rows, and the numbers of
    other splits change in proportion. Types that list all their derivations keep their numbers, and
    every type has at least one row. Raises InputError if the count is too small for the listed
    types.
    """
    counts: dict[tuple[str, str], int] = {}
    whole: set[tuple[str, str]] = set()
    for name in plan.names:
        for split, wanted in plan.splits_of(name).items():
            if wanted == ALL:
                whole.add((name, split))
                wanted = len(plan.type_of(name).enumerated)
            counts[name, split] = int(wanted)
    if count is None or not counts:
        return counts
    splits = [split for _, split in counts]
    reference = "train" if "train" in splits else splits[0]
    kept = sum(n for key, n in counts.items() if key in whole and key[1] == reference)
    total = sum(n for key, n in counts.items() if key[1] == reference)
    if count < kept + (total > kept):
        raise InputError(
            f"--count {count}: expected more than the {kept} rows of fully enumerated types"
        )
    factor = (count - kept) / (total - kept) if total > kept else 1.0
    for split in dict.fromkeys(splits):
        keys = [key for key in counts if key[1] == split and key not in whole]
        size = count - kept if split == reference else round(factor * sum(counts[k] for k in keys))
        counts.update(_shared({key: counts[key] for key in keys}, size))
    return counts


def _shared(weights: Mapping[tuple[str, str], int], size: int) -> dict[tuple[str, str], int]:
    """Divide a number in proportion to weights, by largest remainders; each share is at least 1."""
    total = sum(weights.values())
    exact = {key: size * weight / total for key, weight in weights.items()}
    parts = {key: max(1, int(share)) for key, share in exact.items()}
    by_remainder = sorted(exact, key=lambda key: (parts[key] - exact[key], key))
    for key in by_remainder[: max(0, size - sum(parts.values()))]:
        parts[key] += 1
    while (over := sum(parts.values()) - size) > 0 and max(parts.values()) > 1:
        largest = max(parts, key=lambda key: parts[key])
        parts[largest] -= min(over, parts[largest] - 1)
    return parts


class Generation:
    """Generator of the rows of a corpus.

    Attributes:
        drawn: number of rejected samples by reason, `repeated` or `other_reading`.
    """

    def __init__(self, library: Library, plan: Plan, wanted: Amounts, seed: int) -> None:
        self.library = library
        self.plan = plan
        self.wanted = wanted
        self.seed = seed
        self.drawn: Counter[str] = Counter()

    def rows(self) -> Iterator[Row]:
        """Yield each row once; 16 bytes per sentence are kept in memory. Raises GrammarError."""
        random = Random(f"{self.plan.path.stem} {self.seed}")
        types = {name: self.plan.type_of(name) for name, _ in self.wanted}
        listed = {name: iter(sentence_type.enumerated) for name, sentence_type in types.items()}
        left = {key: number for key, number in self.wanted.items() if number}
        seen: set[bytes] = set()
        while left:
            [(name, split)] = random.choices(list(left), list(left.values()))
            if types[name].enumerated:
                derivation = next(listed[name])
                row = Row(split, name, self.library.tokens(derivation), derivation)
                seen.add(_digest(row.tokens))
            else:
                row = self._drawn(types[name], split, random, seen)
            yield row
            left[name, split] -= 1
            if not left[name, split]:
                del left[name, split]

    def _drawn(
        self, sentence_type: SentenceType, split: str, random: Random, seen: set[bytes]
    ) -> Row:
        for _ in range(MAX_REPEATS):
            derivation = sentence_type.sample(random)
            tokens = self.library.tokens(derivation)
            if (digest := _digest(tokens)) in seen:
                self.drawn["repeated"] += 1
                continue
            seen.add(digest)
            if self.library.chart(tokens).right_branching() != derivation:
                self.drawn["other_reading"] += 1
            else:
                return Row(split, sentence_type.name, tokens, derivation)
        wanted = sum(
            number for (name, _), number in self.wanted.items() if name == sentence_type.name
        )
        raise exhausted(sentence_type.name, wanted)


def exhausted(kind: str, wanted: int) -> GrammarError:
    """Return the error for a type that has fewer different sentences than requested."""
    return GrammarError(
        f"type {kind!r}: {wanted} rows requested, but it has fewer different sentences"
    )


def _digest(tokens: tuple[str, ...]) -> bytes:
    return blake2b(" ".join(tokens).encode(), digest_size=16).digest()
