"""The notations by name. To add one, write a module and add a line here, or an entry point."""

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
        "fol": "amparser.notations.fol:FOL",
        "vf": "amparser.notations.vf:VF",
        "clf": "amparser.notations.box_conditions:CLF",
        "drs": "amparser.notations.box_conditions:DRS",
        "quantified": "amparser.notations.quantified:QUANTIFIED",
        "penman": "amparser.notations.penman:PENMAN",
        "eds": "amparser.notations.eds:EDS",
        "drs-graph": "amparser.notations.parallel_meaning_bank:DRS_GRAPH",
        "sbn": "amparser.notations.parallel_meaning_bank:SBN",
        "term": "amparser.notations.term:TERM",
        "json": "amparser.notations.json_values:JSON",
        "sexpr": "amparser.notations.sexpr:SEXPR",
        "bracketed": "amparser.notations.bracketed:BRACKETED",
        "clauses": "amparser.notations.clauses:CLAUSES",
        "prolog": "amparser.notations.prolog:PROLOG",
    },
)


def family_of(name: str) -> tuple[str, ...]:
    """The names of the notations that write the graphs of a notation, itself first."""
    family = NOTATIONS[name].family
    return (name, *(n for n in NOTATIONS if n != name and family in NOTATIONS[n].families))


def written_in(
    family: str, name: str | None, style: str = "", order: Order | None = None
) -> Notation | None:
    """The notation in which graphs are written.

    Args:
        family: the name of the notation that they come from; empty for graphs of none.
        name: the name of the notation asked for (default: the same).
        style: the style of the notation that they come from.
        order: the order of the arguments of its functions.

    Raises:
        InputError: there is no such notation, or it writes no such graphs.
    """
    source = NOTATIONS[family].styled(style, order) if family else None
    if name is None or name == family:
        return source
    chosen = NOTATIONS[name]
    # Graphs of none may be those of any; one that they are not of is a failure of the sentence.
    if source is not None and source.family not in chosen.families:
        raise InputError(f"a model of {family} cannot write {name}")
    return chosen
