"""The AM dependency tree of a derivation: what a grammar says a sentence means.

A grammar's interpretation `am` (tree algebra) builds the tree from the leaves: a
rule of one word gives a token with the label of its node, `-` where it has none,
and these symbols combine tokens:

    "(i1<root> / --LEX-- :agent (i2<L1>))"(x)   gives the head of x its constant; a type
                                                after it says what its sources ask for
    APP_s(x, y), MOD_s(x, y)                    y hangs from the head of x
    FILL_s(x, y)                                y hangs by APP_s from the one token below the
                                                head of x whose source s is not filled

Words that no token of the tree stands for are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from random import Random

from amparser.algebra.derivation import Derivation as General
from amparser.algebra.fragment import Fragment, fragment_from_penman
from amparser.algebra.tree import AMTree, Entry
from amparser.algebra.types import APP, MOD, ROOT, AMType, type_from_str
from amparser.errors import GrammarError
from amparser.grammar.irtg import Derivation, Term
from amparser.grammar.library import load_library
from amparser.graph.penman_codec import sgraph_from_penman
from amparser.lexicon.polymorphism import instantiate

FILL = "FILL_"
NO_LABEL = "-"

_Path = tuple[int, ...]


@dataclass
class _Token:
    """A token of the tree: the derivation's node that introduces it, and what hangs from it."""

    path: _Path
    label: str
    supertag: Fragment | None = None
    below: list[tuple[str, _Token]] = field(default_factory=list)


@cache
def sampled_derivations(grammar: str, each: int, seed: int = 1) -> list[tuple[str, Derivation]]:
    """So many derivations of each type of sentences, single words aside, and their types."""
    plan, chance = load_library(grammar).plan(), Random(seed)
    types = {kind: plan.type_of(kind) for kind in plan.names if kind != "primitive"}
    return [(kind, found.sample(chance)) for kind, found in types.items() for _ in range(each)]


def sampled_trees(grammar: str, each: int, seed: int = 1) -> list[General]:
    """The trees of `sampled_derivations`."""
    found = sampled_derivations(grammar, each, seed)
    return [tree_of_derivation(derivation)[0] for _, derivation in found]


def tree_of_derivation(
    derivation: Derivation, *, string: str = "string", am: str = "am"
) -> tuple[General, tuple[str, ...]]:
    """The tree of a derivation and its words.

    Raises:
        GrammarError: the terms do not make a tree; names the rule.
    """
    words: list[tuple[str, _Path]] = []
    _lay_out(derivation, (), string, words)
    positions = {path: i for i, (_, path) in enumerate(words, 1)}
    top = _built(derivation, (), am)
    entries = [Entry(word) for word, _ in words]
    agenda = [(top, 0, ROOT)]
    while agenda:
        token, head, operation = agenda.pop()
        if token.path not in positions:
            raise GrammarError(f"the token {token.label!r} stands for no word of its own")
        position = positions[token.path]
        form = words[position - 1][0]
        if token.supertag is None:
            raise GrammarError(f"the token {form!r} has no constant")
        label = None if token.label == NO_LABEL else token.label
        entries[position - 1] = Entry(form, head, operation, token.supertag, label)
        agenda += [(child, position, o) for o, child in token.below]
    return instantiate(AMTree(tuple(entries)).derivation()), tuple(word for word, _ in words)


def _lay_out(
    derivation: Derivation, path: _Path, string: str, words: list[tuple[str, _Path]]
) -> None:
    """The words from left to right, each with the node of the rule that has it."""

    def walk(term: Term) -> None:
        if term.variable:
            number = term.variable - 1
            _lay_out(derivation.children[number], (*path, number), string, words)
        elif term.children:
            for child in term.children:
                walk(child)
        else:
            words.append((term.label, path if not derivation.children else (*path, -1)))

    walk(derivation.rule.terms[string])


def _built(derivation: Derivation, path: _Path, am: str) -> _Token:
    rule = derivation.rule

    def build(term: Term) -> _Token:
        if term.variable:
            number = term.variable - 1
            return _built(derivation.children[number], (*path, number), am)
        if not term.children:
            return _Token(path, term.label)
        head, *others = (build(child) for child in term.children)
        if term.label.startswith("(") and not others:
            head.supertag = constant(term.label)
            return head
        if term.label.startswith((APP, MOD)) and len(others) == 1:
            head.below.append((term.label, others[0]))
            return head
        if term.label.startswith(FILL) and len(others) == 1:
            source = term.label.removeprefix(FILL)
            owners = _lacking(head, source)
            if len(owners) != 1:
                raise GrammarError(
                    f"rule {rule.label!r}: {len(owners)} tokens lack {source!r}, expected one"
                )
            owners[0].below.append((APP + source, others[0]))
            return head
        raise GrammarError(f"rule {rule.label!r}: {term.label!r} is no operation on AM trees")

    return build(rule.terms[am])


def _lacking(token: _Token, source: str) -> list[_Token]:
    """The tokens from this one down through arguments whose source is not filled."""
    filled = [operation for operation, _ in token.below]
    supertag = token.supertag
    lacks = supertag is not None and source in supertag.type.origins
    found = [token] if lacks and APP + source not in filled else []
    for operation, child in token.below:
        if operation.startswith(APP):
            found += _lacking(child, source)
    return found


def constant(text: str) -> Fragment:
    """A constant in PENMAN, with its type behind it unless no source asks for anything.

    >>> constant("(i1<root> / --LEX-- :agent (i2<L1>))").type == type_from_str("(L1())")
    True
    """
    depths = accumulate((character == "(") - (character == ")") for character in text)
    end = next((i for i, depth in enumerate(depths, 1) if depth == 0), len(text))
    penman, rest = text[:end], text[end:].strip()
    sources = frozenset(sgraph_from_penman(penman).sources)
    return fragment_from_penman(penman, type_from_str(rest) if rest else AMType(sources))
