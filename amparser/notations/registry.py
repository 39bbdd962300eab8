"""Registry of notations. To add one, register its class here or as an entry point of a package."""

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
    """Return the names of all notations in the family of notation `name`, beginning with `name`."""
    family = NOTATIONS[name].family
    return (name, *(n for n in NOTATIONS if n != name and NOTATIONS[n].family == family))


def written_in(
    family: str, name: str | None, style: str = "", order: Order | None = None
) -> Notation | None:
    """Return the notation of a model's answers, or None if this notation is unknown.

    Args:
        family: notation of the model's training data; empty if it is unknown.
        name: notation that the user requests, or None.
        style: style of the training data.
        order: order of arguments in the training data; see `Notation.order_of`.

    Raises:
        InputError: the requested notation cannot write the model's graphs.
    """
    source = NOTATIONS[family].styled(style, order) if family else None
    if name is None or name == family:
        return source
    chosen = NOTATIONS[name]
    # If the notation of the training data is unknown, any notation may fit.
    if source is not None and source.family != chosen.family:
        raise InputError(f"a model of {family} cannot write {name}")
    return chosen
