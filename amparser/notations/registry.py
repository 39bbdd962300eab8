"""Registry of notations. To add one, write a module and register it here or as an entry point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amparser.errors import InputError
from amparser.registry import Registry

if TYPE_CHECKING:
    from amparser.notations.notation import Notation, Order

NOTATIONS: Registry[Notation] = Registry(
    "notation",
    "amparser.notations",
    {
        "cogs": "amparser.notations.cogs:COGS",
        "varfree": "amparser.notations.varfree:VARFREE",
        "fol": "amparser.notations.scoped:FOL",
        "vf": "amparser.notations.scoped:VF",
        "clf": "amparser.notations.scoped:CLF",
        "quantified": "amparser.notations.quantified_graph:QUANTIFIED",
        "penman": "amparser.notations.penman:PENMAN",
        "eds": "amparser.notations.eds:EDS",
        "term": "amparser.notations.term:TERM",
        "json": "amparser.notations.json_values:JSON",
        "sexpr": "amparser.notations.sexpr:SEXPR",
        "bracketed": "amparser.notations.bracketed:BRACKETED",
        "clauses": "amparser.notations.clauses:CLAUSES",
        "prolog": "amparser.notations.prolog:PROLOG",
    },
)


def family_of(name: str) -> tuple[str, ...]:
    """Return the notations that can write a notation's graphs, beginning with the notation."""
    family = NOTATIONS[name].family
    return (name, *(n for n in NOTATIONS if n != name and NOTATIONS[n].family == family))


def written_in(
    family: str, name: str | None, style: str = "", order: Order | None = None
) -> Notation | None:
    """Return the notation in which a model's graphs are written; None if none is known.

    Args:
        family: notation of the model's meanings; empty if it is unknown.
        name: notation that the user requests, or None.

    Raises:
        InputError: the requested notation cannot write the model's graphs.
    """
    source = NOTATIONS[family].styled(style, order) if family else None
    if name is None or name == family:
        return source
    chosen = NOTATIONS[name]
    # If the graphs have no notation, any notation may fit. A graph that does not fit is a failure.
    if source is not None and source.family != chosen.family:
        raise InputError(f"a model of {family} cannot write {name}")
    return chosen
