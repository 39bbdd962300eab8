"""From how many occurrences on a lexicon rules out what it has not seen."""

from collections.abc import Iterable
from random import Random

import numpy as np
import pytest
from grammar_trees import sampled_trees

from amparser.algebra.conll import am_trees_from_str
from amparser.algebra.derivation import Derivation
from amparser.decode.scores import Scores
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.restrictions import NEVER, Restrictions
from amparser.lexicon.thresholds import COUNTS, broken, thresholds

ONE = "(i1<root> / --LEX--)"
OTHER = "(i1<root> / --LEX-- :of (i2 / kind))"
VERB = "(i1<root> / --LEX-- :agent (i2<s>))"


def asleep(word: str, constant: str = ONE) -> str:
    """The tree of "WORD slept", as a file has it."""
    rows = (
        f"1\t{word}\t_\t{word}\t_\t_\t{constant}\t$LEMMA$\t()\t2\tAPP_s\ttrue",
        f"2\tslept\t_\tsleep\t_\t_\t{VERB}\t$LEMMA$\t(s())\t0\tROOT\ttrue",
    )
    return "\n".join((*rows, "\n"))


def trees(sentences: Iterable[str]) -> list[Derivation]:
    return [tree.derivation() for tree in am_trees_from_str("".join(sentences))]


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_is_read_off_what_has_no_halves(count: int) -> None:
    assert thresholds(trees([asleep("Emma")] * count)) == (NEVER, NEVER)


def test_where_all_is_alike_few_occurrences_suffice() -> None:
    assert thresholds(trees([asleep("Emma")] * 40)) == (2 * COUNTS[0], 2 * COUNTS[0])


def with_a_second_use(words: int, first: int, second: int) -> list[Derivation]:
    """Words that are used otherwise now and then, each as a word of its own always is."""
    sentences = []
    for i in range(words):
        other = OTHER.replace(":of", f":of{i}")
        sentences += [asleep(f"w{i}")] * first + [asleep(f"w{i}", other)] * second
        sentences += [asleep(f"v{i}", other)] * 20
    return trees(sentences)


def test_words_with_a_second_use_are_ruled_out_late() -> None:
    """A half has each word ten times, give or take some, and often without its second use."""
    found = thresholds(with_a_second_use(20, first=18, second=2))
    assert found.word_count == 2 * 20
    assert found.supertag_count == 2 * COUNTS[0]


def test_frequent_words_with_a_second_use_are_never_ruled_out() -> None:
    assert thresholds(with_a_second_use(8, first=98, second=2)).word_count == NEVER


def test_what_is_broken_is_what_the_restrictions_rule_out() -> None:
    """Of the gold tree's supertags and edges; orders and sides are left to the search."""
    sampled = sampled_trees("slog", 3)
    Random(1).shuffle(sampled)
    lexicon = Lexicon.from_trees(sampled[::2])
    rules = Restrictions(lexicon=lexicon, word_count=2, supertag_count=2)
    seen = set()
    for tree in sampled[1::2]:
        encoded = lexicon.encode(tree)
        if encoded is None:
            assert not broken(rules, tree)
            continue
        supertags, heads, operations = encoded.supertags, encoded.heads, encoded.operations
        n = len(tree.tokens)
        scores = Scores(
            np.zeros((n, len(lexicon.supertags)), np.float32),
            np.zeros((n, n + 1, len(lexicon.operations)), np.float32),
        )
        [scores] = rules.apply([tree.tokens], [scores])
        tokens = np.arange(n)
        found = broken(rules, tree)
        seen |= found
        no_supertag = (scores.supertag_logp[tokens, supertags] == -np.inf).any()
        assert no_supertag == bool(found & {"words", "followers"})
        if not no_supertag:
            no_edge = (scores.edge_logp[tokens, heads, operations] == -np.inf).any()
            assert not no_edge or "markers" in found
    assert seen & {"words", "followers"}, "some tree is to break something"
