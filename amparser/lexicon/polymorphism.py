"""Polymorphic requests: generalising supertags, and making trees concrete again.

Two constants that differ only in the name of the one source that they expect
open in an argument, say `(C(L1_UNIFY_M), M())` and `(C(R1_UNIFY_M), M())`, are
redundant: the argument's type already says which source it is.
`generalise` replaces them by `(C(*_UNIFY_M), M())`, which also accepts a
source that was never seen open in training. `instantiate` makes a decoded
derivation concrete, so that it is one of the plain algebra.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from amparser.algebra.derivation import Derivation, bottom_up
from amparser.algebra.fragment import Fragment
from amparser.algebra.joining import meeting
from amparser.algebra.types import ANY, APP, AMType, source_of


def generalise(supertags: Iterable[Fragment]) -> dict[Fragment, Fragment]:
    """Map each supertag to its polymorphic form, or to itself if it has none.

    A supertag is generalised if another one has the same constant and a
    type that differs only in the names of its renamings.
    """
    distinct = list(dict.fromkeys(supertags))
    forms = {supertag: polymorphic_form(supertag) for supertag in distinct}
    kin: dict[Fragment, int] = {}
    for form in forms.values():
        kin[form] = kin.get(form, 0) + 1
    return {s: form if kin[form] > 1 else s for s, form in forms.items()}


@lru_cache(maxsize=1 << 16)
def polymorphic_form(supertag: Fragment) -> Fragment:
    """Return the supertag with any one source in each request for one that it renames."""
    lexical_type = supertag.type
    asked = [edge.source for edge in lexical_type.renamings]
    renamings = frozenset(
        edge._replace(name=ANY)
        if edge.name != edge.target and asked.count(edge.source) == 1
        else edge
        for edge in lexical_type.renamings
    )
    return replace(supertag, type=AMType(lexical_type.sources, renamings))


def instantiate(derivation: Derivation) -> Derivation:
    """Give every constant the request that its arguments really meet.

    A polymorphic request takes the name of its argument's open source. An
    open source that a request does not mention is passed on, under a new name
    if the old one is taken. Derivations without either come back unchanged.
    The derivation must be well typed up to these two.
    """
    constants = list(derivation.fragments)
    open_types: dict[int, AMType] = {}
    children = derivation.children()
    for token in bottom_up(children, children[-1]):
        constant = constants[token]
        assert constant is not None
        current, filled = constant.type, set[str]()
        for child in children[token]:
            if (operation := derivation.operations[child]).startswith(APP):
                filled.add(source := source_of(operation))
                current = meeting(current, source, open_types[child])
        if current != constant.type:
            constants[token] = replace(constant, type=current)
        while ready := filled & current.origins:
            for source in ready:
                current = current.without(source)
        open_types[token] = current
    return replace(derivation, fragments=tuple(constants))
