"""AM dependency trees of sampled sentences of a grammar, with induced sources."""

from functools import cache
from random import Random

from amparser.algebra.derivation import Derivation as General
from amparser.benchmarks import fragments
from amparser.grammar.irtg import Derivation
from amparser.grammar.library import load_library
from amparser.induction.analysis import analyse
from amparser.notations.registry import NOTATIONS


@cache
def sampled_derivations(grammar: str, each: int, seed: int = 1) -> list[tuple[str, Derivation]]:
    """Return `each` derivations of each sentence type except single words, with their types."""
    plan, chance = load_library(grammar).plan(), Random(seed)
    types = {kind: plan.type_of(kind) for kind in plan.names if kind != "primitive"}
    return [(kind, found.sample(chance)) for kind, found in types.items() for _ in range(each)]


@cache
def sampled_trees(grammar: str, each: int, seed: int = 1) -> list[General]:
    """Return the trees of `sampled_derivations`."""
    library, rows = load_library(grammar), []
    for _, derivation in sampled_derivations(grammar, each, seed):
        tokens = tuple(library.tokens(derivation))
        meaning = fragments.meaning_of(library, derivation)
        rows.append((tokens, NOTATIONS["cogs"].graph(tokens, meaning)))
    trees = [tree for tree in analyse(rows).trees if tree is not None]
    assert len(trees) == len(rows)
    return trees
