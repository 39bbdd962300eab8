"""Notations of meaning: each leads from a sentence's meaning to its graph, and back.

`cogs` is COGS's and SLOG's; `fol`, `vf`, `clf` and `drs` write the scoped graphs of SyGNS as
first-order formulas, variable-free ones, clauses of a box, and boxes. A graph that
was read in one of these four can be written in each. `quantified` are variable-free formulas
with the quantifiers of the monotonicity benchmark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from amparser.errors import InputError, LogicError, TranslateError
from amparser.graph.sgraph import SGraph
from amparser.logic.clf import (
    clauses_from_drs,
    clauses_from_str,
    clauses_to_str,
    drs_from_clauses,
)
from amparser.logic.cogs import logical_form_from_str, logical_form_to_str
from amparser.logic.drs import drs_from_fol, drs_from_str, drs_to_str, fol_from_drs
from amparser.logic.fol import Formula, fol_from_str, fol_to_str, free_variables
from amparser.logic.scope import narrowed
from amparser.logic.vf import fol_from_vf, vf_from_str, vf_to_str
from amparser.logic.vf_from_fol import vf_readings
from amparser.notations.cogs import graph_from_logical_form, logical_form_from_graph
from amparser.notations.quantified_graph import (
    graph_from_quantified,
    ordered,
    quantified_from_graph,
)
from amparser.notations.scoped_graph import graph_from_readings, graph_from_vf, vf_from_graph

COGS = "cogs"
QUANTIFIED = "quantified"


@dataclass(frozen=True)
class Notation:
    """How meanings are written.

    Attributes:
        name: as in settings and on the command line.
        family: notations of one family write the same graphs.
        check: raises LogicError where a text does not follow the notation; what it returns
            is the first-order formula, but of `cogs`.
        graph: the graph of a sentence and its meaning; raises LogicError, or
            TranslateError where they do not fit.
        text: the meaning that a graph stands for; raises TranslateError if it has none.
    """

    name: str
    family: str
    check: Callable[[str], object]
    graph: Callable[[Sequence[str], str], SGraph]
    text: Callable[[SGraph], str]


def notation(name: str) -> Notation:
    """A notation by its name; raises InputError if there is none."""
    if name not in NOTATIONS:
        raise InputError(f"no notation {name!r}, expected one of {', '.join(NOTATIONS)}")
    return NOTATIONS[name]


def formula_of(graph: SGraph) -> Formula:
    """The first-order formula of a scoped graph; raises TranslateError if it has none."""
    try:
        return fol_from_vf(vf_from_graph(graph))
    except LogicError as error:
        raise TranslateError(str(error)) from None


def _closed(formula: Formula) -> Formula:
    if free := free_variables(formula):
        raise LogicError(f"free variables {', '.join(sorted(free))}")
    return formula


def _scoped(name: str, read: Callable[[str], Formula], write: Callable[[SGraph], str]) -> Notation:
    def graph(tokens: Sequence[str], text: str) -> SGraph:
        return graph_from_readings(tokens, vf_readings(narrowed(read(text))))

    return Notation(name, "sygns", read, graph, write)


def _graph_from_cogs(tokens: Sequence[str], text: str) -> SGraph:
    return graph_from_logical_form(tokens, logical_form_from_str(text))


def _cogs_from_graph(graph: SGraph) -> str:
    return logical_form_to_str(logical_form_from_graph(graph))


def _graph_of_vf(tokens: Sequence[str], text: str) -> SGraph:
    return graph_from_vf(tokens, vf_from_str(text))


def _graph_of_quantified(tokens: Sequence[str], text: str) -> SGraph:
    return graph_from_quantified(tokens, vf_from_str(text))


NOTATIONS: Mapping[str, Notation] = {
    found.name: found
    for found in (
        Notation(COGS, COGS, logical_form_from_str, _graph_from_cogs, _cogs_from_graph),
        _scoped(
            "fol",
            lambda text: _closed(fol_from_str(text)),
            lambda graph: fol_to_str(formula_of(graph)),
        ),
        Notation(
            "vf",
            "sygns",
            lambda text: fol_from_vf(vf_from_str(text)),
            _graph_of_vf,
            lambda graph: vf_to_str(vf_from_graph(graph)),
        ),
        Notation(
            QUANTIFIED,
            QUANTIFIED,
            lambda text: fol_from_vf(vf_from_str(text)),
            _graph_of_quantified,
            lambda graph: vf_to_str(ordered(quantified_from_graph(graph))),
        ),
        _scoped(
            "clf",
            lambda text: fol_from_drs(drs_from_clauses(clauses_from_str(text))),
            lambda graph: clauses_to_str(clauses_from_drs(drs_from_fol(formula_of(graph)))),
        ),
        _scoped(
            "drs",
            lambda text: fol_from_drs(drs_from_str(text)),
            lambda graph: drs_to_str(drs_from_fol(formula_of(graph))),
        ),
    )
}
