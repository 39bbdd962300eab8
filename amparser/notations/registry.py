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
    """Return the notations that can write the graphs of a notation, itself first."""
    family = NOTATIONS[name].family
    return (name, *(n for n in NOTATIONS if n != name and NOTATIONS[n].family == family))


def written_in(
    family: str, name: str | None, style: str = "", order: Order | None = None
) -> Notation | None:
    """Return the notation in which graphs are written. Raises InputError."""
    source = NOTATIONS[family].styled(style, order) if family else None
    if name is None or name == family:
        return source
    chosen = NOTATIONS[name]
    # Graphs without a notation may fit any notation; a graph that does not is a failure.
    if source is not None and source.family != chosen.family:
        raise InputError(f"a model of {family} cannot write {name}")
    return chosen
