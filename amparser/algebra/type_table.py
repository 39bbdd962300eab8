"""Compilation of a lexicon's types to tables of integers for decoders.

Type 0 is the empty type. Operations are indices, and 0 and 1 are IGNORE and ROOT. `combine[h, d,
o]` is the type of a head of type h after it has taken a dependent of type d by operation o. It is
-1 if this is undefined, as it always is for IGNORE and ROOT.

Three more tables `[T, O]` are for the decoder with gaps (`amparser.decode.astar_gap`), in which an
argument may be missing for a while (a *gap*). For a type t and an APP operation o with source s:

- `rest[t, o]` is the type that remains of t after s is filled.
- `filler[t, o]` is the type of the argument that must fill s.
- `bound[t, o]` is the type that remains of t after s is filled by an argument that is complete
  except for a gap. It is defined only if the request of t at s is polymorphic.

Undefined entries are -1. If `unbound[o]` is true, polymorphic requests do not accept arguments in
which the source of operation o is open, and no head binds a gap of this source.

If `nearer[side, a, b]` is true, a dependent by operation a must not be farther from the head than
one by operation b on this side of the head (0 left, 1 right).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.types import ANY, APP, EMPTY, MOD, AMType, apply_type, modify_type, source_of


@dataclass(frozen=True, slots=True, eq=False)
class TypeTable:
    """Types of supertags and their constituents, and how they combine; compared by identity.

    Attributes:
        types: all lexical types and all types that remain of them after APP; `types[0]` is `()`.
        lexical_type: `[K]` int32, the type of each supertag; -1 for supertag 0.
        combine: `[T, T, O]` int32 (see the module's docstring).
        rest, filler, bound: `[T, O]` int32 (see the module's docstring).
        nearer: `[2, O, O]` bool (see the module's docstring).
        unbound: `[O]` bool (see the module's docstring).
    """

    types: tuple[AMType, ...]
    lexical_type: NDArray[np.int32]
    combine: NDArray[np.int32]
    rest: NDArray[np.int32]
    filler: NDArray[np.int32]
    bound: NDArray[np.int32]
    nearer: NDArray[np.bool_]
    unbound: NDArray[np.bool_]


def type_table(
    lexical_types: Sequence[AMType | None],
    operations: Sequence[str],
    nearer: NDArray[np.bool_] | None = None,
    unbound: NDArray[np.bool_] | None = None,
) -> TypeTable:
    """Return the table of the types of supertags (None for the empty supertag) and operations.

    If `nearer` is None, the dependents of a head may have any order. If `unbound` is None,
    polymorphic requests accept any open source.
    """
    if unbound is None:
        unbound = np.zeros(len(operations), dtype=np.bool_)
    closed = {source_of(o) for o, never in zip(operations, unbound, strict=True) if never}
    index: dict[AMType, int] = {EMPTY: 0}
    agenda = [t for t in lexical_types if t is not None]
    while agenda:
        current = agenda.pop()
        if current in index and current != EMPTY:
            continue
        index.setdefault(current, len(index))
        agenda.extend(current.without(source) for source in sorted(current.origins))
    types = tuple(index)
    combine = np.full((len(types), len(types), len(operations)), -1, dtype=np.int32)
    rest, filler, bound = np.full((3, len(types), len(operations)), -1, dtype=np.int32)
    for o, operation in enumerate(operations):
        if not operation.startswith((APP, MOD)):
            continue
        step = apply_type if operation.startswith(APP) else modify_type
        source = source_of(operation)
        for h, head in enumerate(types):
            any_source = False
            if step is apply_type and source in head.origins:
                request, without = head.request(source), index[head.without(source)]
                any_source = ANY in request.sources
                if request in index:
                    rest[h, o], filler[h, o] = without, index[request]
                elif request.sources == {ANY}:
                    bound[h, o] = without
            for d, dependent in enumerate(types):
                if any_source and not closed.isdisjoint(dependent.sources):
                    continue
                result = step(head, source, dependent)
                if result is not None:
                    combine[h, d, o] = index[result]
    lexical = np.array([-1 if t is None else index[t] for t in lexical_types], dtype=np.int32)
    if nearer is None:
        nearer = np.zeros((2, len(operations), len(operations)), dtype=np.bool_)
    return TypeTable(types, lexical, combine, rest, filler, bound, nearer, unbound)
