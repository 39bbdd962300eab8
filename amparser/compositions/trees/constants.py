"""Constants that are pieces of trees: parsers are trained from meanings, graphs or trees."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from amparser.compositions.constants import Constants
from amparser.compositions.needs import tree_needs
from amparser.compositions.settings import TreeSettings
from amparser.compositions.source import graph_of_example, notation_of
from amparser.compositions.trees.composition import TreeComposition
from amparser.compositions.trees.gold import (
    TreeLearned,
    derived_train,
    gold_derivations,
    settled,
)
from amparser.compositions.trees.samples import TreeSamples
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import AMParserError, CorpusError
from amparser.induction.constants import Hole
from amparser.induction.derivation import FIRST_PIECE, Derivation
from amparser.induction.inventory import Inventory
from amparser.notations.notation import Notation


def given_back(corpus: Corpus) -> float:
    """See `Constants`. An edge that closes a cycle is lost, so trees alone can come back."""
    notation = notation_of(corpus)
    trees = [example for example in corpus.train if _is_tree(example, notation)]
    if not trees:
        return 0.0
    try:
        derived = derived_train(replace(corpus, train=trees, dev=()))
    except CorpusError:
        raise
    except AMParserError:
        return 0.0
    whole = sum(_is_composed(one, derived.inventory) for one in derived.derivations)
    return max(0, whole - len(derived.cuts)) / len(corpus.train)


def _is_composed(derivation: Derivation, inventory: Inventory) -> bool:
    """Whether there are several pieces, or one of a single node."""
    pieces = [inventory.piece(tag) for tag in derivation.tags if tag >= FIRST_PIECE]
    return len(pieces) > 1 or all(isinstance(sub, Hole) for p in pieces for _, sub in p.arguments)


def _is_tree(example: Example, notation: Notation | None) -> bool:
    with suppress(AMParserError):
        graph = graph_of_example(example, notation)
        return len(graph.edges) == len(graph.nodes) - 1
    return False


TREE = Constants(
    "tree",
    "constants of several nodes with holes and sorts, for real questions and small corpora",
    TreeSettings(),
    TreeLearned,
    gold_derivations,
    tree_needs,
    TreeSamples,
    TreeComposition,
    given_back,
    settled,
    one_thread=True,
)
