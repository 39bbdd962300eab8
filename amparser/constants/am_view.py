"""Derivations seen as AM dependency trees, and the reverse.

A tree says all of a derivation in which each constant has one slot at most and nothing stands
beside the tree: no edges but those of constants, no boxes. AM-CoNLL is written through this view.
"""

from __future__ import annotations

from collections.abc import Iterator

from amparser.constants.constant import Constant, constant_of
from amparser.constants.derivation import ARC, Derivation
from amparser.constants.tree import AMTree, Entry
from amparser.errors import AMParserError, InputError


def from_am_tree(tree: AMTree) -> Derivation:
    """The derivation that a tree shows; columns that say nothing of the graph are left out."""
    constants: list[Constant | None] = []
    tokens, fillers, heads, operations = [], [], [], []
    for entry in tree.entries:
        supertag = entry.supertag
        filler: tuple[str, ...] = ()
        if supertag is None:
            constants.append(None)
        else:
            constant = constant_of(supertag)
            constants.append(constant)
            if constant.slots and (label := entry.label) is not None:
                filler = (label,)
        tokens.append(entry.form)
        fillers.append(filler)
        heads.append(entry.head - 1)
        operations.append(entry.operation)
    return Derivation(
        tuple(tokens), tuple(constants), tuple(fillers), tuple(heads), tuple(operations)
    )


def am_tree(derivation: Derivation) -> AMTree:
    """The AM dependency tree of a derivation.

    Raises:
        InputError: a tree cannot say all of it; names the token and the reason.
    """
    for token, reason in _beside(derivation):
        raise InputError(f"no AM dependency tree: token {token + 1}: {reason}")
    entries = []
    for token, form in enumerate(derivation.tokens):
        try:
            entries.append(_entry(derivation, token, form))
        except AMParserError as error:
            raise InputError(f"no AM dependency tree: token {token + 1}: {error}") from None
    return AMTree(tuple(entries))


def _beside(derivation: Derivation) -> Iterator[tuple[int, str]]:
    """What stands beside the tree: tokens and reasons."""
    for token, operation in enumerate(derivation.operations):
        if operation == ARC:
            yield token, f"{ARC} joins it to token {derivation.heads[token] + 1}"
    for parent, child, _ in derivation.beside:
        yield child, f"an arc beside the tree joins it to token {parent + 1}"
    if derivation.scope is not None:
        for token, introduced in enumerate(derivation.scope.introduced):
            if introduced:
                yield token, f"it introduces {len(introduced)} boxes"


def _entry(derivation: Derivation, token: int, form: str) -> Entry:
    constant = derivation.constants[token]
    if constant is None:
        return Entry(form)
    if constant.optional:
        constant = constant.closing(derivation.closed[token] if derivation.closed else ())
    supertag = constant.supertag()
    label = None
    if constant.slots:
        label = constant.filled(derivation.fillers[token])[constant.slots[0]]
    head, operation = derivation.heads[token] + 1, derivation.operations[token]
    entry = Entry(form, head, operation, supertag, label)
    if entry.label != label:
        raise InputError(f"the lexical label {label!r} reads as a reference to a column")
    return entry
