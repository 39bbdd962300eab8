"""Draws the pairs of a set of the protocols from the grammar."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import product
from random import Random

from amparser.benchmarks.monotonicity.pairs import LabelledPair, written
from amparser.benchmarks.monotonicity.protocol import TEST, PairSet
from amparser.benchmarks.monotonicity.reading import fragment
from amparser.benchmarks.monotonicity.replacements import (
    ENTAILMENT,
    NEUTRAL,
    Replacement,
    positions,
    replacements,
)
from amparser.grammar.irtg import Derivation
from amparser.grammar.templates import read_lexicon
from amparser.logic.polarity import Polarity

_CLAUSES = ("subject_relative", "object_relative", "object_relative_bare")


class PairGenerator:
    """Pairs of sets, drawn at random; only quantifiers may repeat in a premise (section 3.1)."""

    def __init__(self) -> None:
        self.library = fragment()
        self.grammar = self.library.grammar
        self._node, self._leaves = self.grammar.node, self.grammar.leaves

    def pairs(self, wanted: PairSet, count: int, random: Random) -> list[LabelledPair]:
        """Different pairs of a set in random order: `count`, or all if the set has fewer.

        At depth 1 the set is enumerated. At greater depths quantifiers come in all combinations,
        each equally often; half of the pairs have each label.
        """
        if wanted.depth == 1:
            return self._enumerated(wanted, count, random)
        combinations = list(product(sorted(wanted.quantifiers), repeat=wanted.depth))
        random.shuffle(combinations)
        found: dict[tuple[str, str], LabelledPair] = {}
        misses = number = 0
        # Pairs in a row that may be repeated ones.
        while len(found) < count and misses < 2_000:
            quantifiers = combinations[number // 2 % len(combinations)]
            label = (ENTAILMENT, NEUTRAL)[number % 2]
            premise = self._premise(quantifiers, wanted.part, random)
            if premise is None:
                continue
            function = random.choice(sorted(wanted.functions))
            nouns = (at.path for at in positions(premise) if at.node.rule.parent.startswith("N_"))
            ways = [
                way
                for way in replacements(premise, max(nouns, key=len), function)
                if self._natural(way)
            ]
            pair = self._pair(premise, random.choice(ways), wanted.depth, label)
            if pair[:2] in found:
                misses += 1
                continue
            misses = 0
            number += 1
            found[pair[:2]] = pair
        return _shuffled(found.values(), random)

    def _enumerated(self, wanted: PairSet, count: int, random: Random) -> list[LabelledPair]:
        ways = [
            (premise, replacement)
            for premise in self._simple(wanted)
            for replacement in replacements(premise)
            if replacement.function in wanted.functions and self._natural(replacement)
        ]
        # Each alternative makes a pair with either label.
        half = min(-(-count // 2), len(ways))
        chosen = [
            (way, label) for label in (ENTAILMENT, NEUTRAL) for way in random.sample(ways, half)
        ]
        del chosen[count:]
        pairs = [self._pair(premise, found, 1, label) for (premise, found), label in chosen]
        return _shuffled(pairs, random)

    def _simple(self, wanted: PairSet) -> Iterator[Derivation]:
        """Yield the premises of depth 1, before anything is replaced."""
        for quantifier in sorted(wanted.quantifiers):
            for noun in self._nouns:
                phrase = self._noun_phrase(quantifier, noun)
                for verb in self._leaves("IV", "intransitive_"):
                    if _belongs((quantifier, noun, verb.rule.label), wanted.part):
                        yield self._node("statement", phrase, self._node("intransitive", verb))

    def _natural(self, replacement: Replacement) -> bool:
        """Return whether the short relative clauses have the published pronouns."""
        return all(
            node.rule.label in self._published
            for node in replacement.result.nodes()
            if node.rule.parent == "Relative"
        )

    def _premise(self, quantifiers: Sequence[str], part: str, random: Random) -> Derivation | None:
        """Return a premise with these quantifiers from outside; None if it is in another part."""
        below = range(len(quantifiers) - 1)
        nouns = random.sample(self._nouns, len(quantifiers))
        verbs = random.sample(self._leaves("TV"), len(below))
        kinds = [random.choice(_CLAUSES) for _ in below]
        pronouns = [random.choice(self._leaves("Pronoun")) for _ in below]
        verb = random.choice(self._leaves("IV", "intransitive_"))
        labels = [leaf.rule.label for leaf in (*verbs, *pronouns, verb)]
        if not _belongs((*quantifiers, *nouns, *kinds, *labels), part):
            return None
        phrase = self._noun_phrase(quantifiers[-1], nouns[-1])
        for i in reversed(below):
            parts = {"Pronoun": pronouns[i], "TV": verbs[i], "NP": phrase}
            children = self.grammar.by_label[kinds[i]].children
            clause = self._node(kinds[i], *(parts[child] for child in children))
            phrase = self._noun_phrase(quantifiers[i], nouns[i], clause)
        return self._node("statement", phrase, self._node("intransitive", verb))

    def _pair(
        self, premise: Derivation, replacement: Replacement, depth: int, label: str
    ) -> LabelledPair:
        """The pair of a label: a premise and the result of a replacement, or the reverse."""
        both = (premise, replacement.result)
        left, right = (written(self.library.tokens(sentence)) for sentence in both)
        if replacement.label != label:
            left, right = right, left
        function = "rc.n" if replacement.function == "rc" and depth > 1 else replacement.function
        direction = "up" if replacement.polarity is Polarity.UPWARD else "down"
        return LabelledPair(left, right, label, f"depth{depth - 1}.{function}.{direction}")

    def _noun_phrase(
        self, quantifier: str, noun: str, clause: Derivation | None = None
    ) -> Derivation:
        rule = self.grammar.by_label[quantifier]
        sign, _, number = rule.parent.lower().partition("_")
        head = self._node(f"noun_{noun}_{number}")
        inner = self._node(f"bare_{number}", self._node(f"noun_{number}", head))
        whole = (
            self._node(f"plain_{number}", inner)
            if clause is None
            else self._node(f"embedding_{number}", inner, clause)
        )
        return self._node(f"{sign}_{number}", Derivation(rule), whole)

    @cached_property
    def _nouns(self) -> list[str]:
        nouns = self._leaves("Head_sg", "noun_")
        return [noun.rule.label.removeprefix("noun_").removesuffix("_sg") for noun in nouns]

    @cached_property
    def _published(self) -> frozenset[str]:
        """The rules of short relative clauses that have the published pronoun."""
        rows = read_lexicon(self.library.folder / "monotonicity.tsv")["relative"]
        return frozenset(f"relative_{row['predicate']}_{row['pronoun']}" for row in rows)


def _belongs(words: Sequence[str], part: str) -> bool:
    """Return whether premises with these words are in a part of their set."""
    if not part:
        return True
    # the share of premises for test, if train and test use one set
    held_out = sha256(" ".join(words).encode()).digest()[0] % 16 == 0
    return held_out == (part == TEST)


def _shuffled(pairs: Collection[LabelledPair], random: Random) -> list[LabelledPair]:
    found = list(pairs)
    random.shuffle(found)
    return found
