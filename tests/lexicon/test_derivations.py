"""Graphs from indices are those of the trees of the same indices."""

from collections.abc import Sequence
from random import Random

import pytest
from grammar_trees import sampled_trees

from amparser.algebra.derivation import Derivation
from amparser.algebra.expand import expand
from amparser.errors import AMParserError
from amparser.graph.sgraph import SGraph
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.supertags import instantiate
from amparser.notations.cogs import COGS
from amparser.notations.cogs_from_graph import plain_logical_form
from amparser.notations.notation import Notation

Indices = tuple[Sequence[int], Sequence[int], Sequence[int]]


@pytest.fixture(scope="module")
def sampled() -> tuple[Lexicon, list[tuple[tuple[str, ...], Indices]]]:
    trees = sampled_trees("slog", 8, seed=2)
    lexicon = Lexicon.from_trees(trees, polymorphic=True)
    sentences = [tree.tokens for tree in trees]
    indices = [encoded(lexicon, tree) for tree in trees]
    return lexicon, list(zip(sentences, indices, strict=True))


def encoded(lexicon: Lexicon, tree: Derivation) -> Indices:
    found = lexicon.encode(tree)
    return found.tags, found.heads, found.operations


def slowly(lexicon: Lexicon, tokens: tuple[str, ...], indices: Indices) -> SGraph | None:
    """The definition: the derivation is made concrete, and expanded."""
    try:
        return expand(instantiate(lexicon.derivation(tokens, *indices)), open_root=len(tokens) == 1)
    except (AMParserError, KeyError, AssertionError):
        return None


def graph_of(lexicon: Lexicon, tokens: tuple[str, ...], indices: Indices) -> SGraph | None:
    derivation = lexicon.derivation(tokens, *indices)
    try:
        return expand(derivation, open_root=len(tokens) == 1, polymorphic=True)
    except AMParserError:
        return None


def broken(indices: Indices, lexicon: Lexicon, chance: Random) -> Indices:
    supertags, heads, operations = map(list, indices)
    n = len(heads)
    for _ in range(chance.randint(1, 2)):
        i = chance.randrange(n)
        which = chance.randrange(3)
        if which == 0:
            supertags[i] = chance.randrange(len(lexicon.supertags))
        elif which == 1:
            heads[i] = chance.randrange(n + 1)
        else:
            operations[i] = chance.randrange(len(lexicon.operations))
    return supertags, heads, operations


def test_graphs_are_those_of_the_trees(sampled) -> None:
    lexicon, rows = sampled
    chance = Random(3)
    sound = 0
    for tokens, indices in rows:
        for tried in [indices, *(broken(indices, lexicon, chance) for _ in range(25))]:
            found, expected = (f(lexicon, tokens, tried) for f in (graph_of, slowly))
            assert found == expected
            if found is not None:
                assert list(found.nodes) == list(expected.nodes)
                sound += 1
    assert sound > 2 * len(rows)


def test_plain_texts_are_those_that_are_read_again(sampled) -> None:
    lexicon, rows = sampled
    chance = Random(4)
    plain = of_whole = 0
    words = [token for tokens, _ in rows for token in tokens] + ["the", "The", "?", "AND", "x"]
    for tokens, indices in rows:
        whole = graph_of(lexicon, tokens, indices)
        of_whole += plain_logical_form(tokens, whole) is not None
        for _ in range(25):
            tried = broken(indices, lexicon, chance)
            graph = graph_of(lexicon, tokens, tried)
            if graph is None:
                continue
            others = list(tokens)
            for _ in range(chance.randrange(3)):
                others[chance.randrange(len(others))] = chance.choice(words)
            for sentence in (tokens, tuple(others)):
                text = plain_logical_form(sentence, graph)
                if text is not None:
                    assert Notation.written(COGS, sentence, graph) == text
                    plain += 1
    assert plain > len(rows)
    assert of_whole > 0.9 * len(rows)
