"""Figures of scoped meanings beside exact match: entailment, Counter's F, polarity.

Each wants its own notation; gold and predicted meanings are written in it by way of their
formulas. What is no formula entails nothing and has no clauses and no words.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from amparser.corpora.examples import Example
from amparser.errors import ConfigError, InputError, LogicError
from amparser.evaluation.metrics.counter import compare_clauses
from amparser.evaluation.metrics.entailment import compare_entailment, e_prover, z3_prover
from amparser.evaluation.metrics.polarity import compare_polarities, polarities_of_fol
from amparser.logic.clf import clauses_from_drs, clauses_to_str
from amparser.logic.drs import drs_from_fol
from amparser.logic.fol import Formula, fol_to_str
from amparser.notations.registry import NOTATIONS

ENTAILMENT, ENTAILMENT_E, COUNTER, POLARITY = "entailment", "entailment-e", "counter", "polarity"
_DEFAULTS = {
    "fol": (ENTAILMENT, POLARITY),
    "vf": (POLARITY,),
    "clf": (COUNTER,),
    "drs": (COUNTER,),
}


def metrics_for(names: Sequence[str] | None, form: str) -> tuple[str, ...]:
    """The metrics that were asked for, or those of a notation.

    Of the latter those that need what is not installed are named and left out.

    Raises:
        InputError: there is no such metric, or none for this notation.
        ConfigError: one that was asked for needs what is not installed.
    """
    known = (ENTAILMENT, ENTAILMENT_E, COUNTER, POLARITY) if form in _DEFAULTS else ()
    for name in names or ():
        if name not in known:
            expected = ", ".join(known) or "none: only exact, reformatted and graph match"
            raise InputError(f"no metric {name!r} for {form} forms, expected {expected}")
    chosen = []
    for name in dict.fromkeys(_DEFAULTS.get(form, ()) if names is None else names):
        try:
            _COMPARISONS[name]()
        except (ConfigError, InputError) as error:
            if names is not None:
                raise
            print(f"{name} is not measured: {error}", file=sys.stderr)
        else:
            chosen.append(name)
    return tuple(chosen)


def scoped_metrics(
    names: Sequence[str],
    examples: Sequence[Example],
    predicted: Sequence[str | None],
    written: str,
) -> dict[str, Any]:
    """The figures of each metric, overall and by type, as JSON values.

    Args:
        names: of metrics.
        examples: gold rows.
        predicted: an answer to each, or None.
        written: the notation of the rows and of the answers.

    Raises:
        InputError: a prover, or what a metric needs, is not installed.
    """
    found: dict[str, Any] = {}
    for name in names:
        form, compare = _COMPARISONS[name]()
        tables: dict[str, Any] = {}
        for example, answer in zip(examples, predicted, strict=True):
            gold = _rewritten(example.meaning, written, form)
            counts = compare(gold or example.meaning, _rewritten(answer, written, form))
            for kind in ("overall", example.kind):
                tables[kind] = tables[kind] + counts if kind in tables else counts
        overall = tables.pop("overall")
        found[name] = {
            "overall": overall.to_json(),
            "types": {kind: counts.to_json() for kind, counts in tables.items()},
        }
    return found


def shown(figures: Mapping[str, Any]) -> list[str]:
    """A line for each metric with its overall figures, shares in percent."""
    return [
        f"{name}: {', '.join(_pieces(of_metric['overall']))}" for name, of_metric in figures.items()
    ]


def _pieces(values: Mapping[str, Any], prefix: str = "") -> list[str]:
    pieces: list[str] = []
    for key, value in values.items():
        label = f"{prefix}{key.replace('_', ' ')}"
        if isinstance(value, Mapping):
            pieces += _pieces(value, f"{label} ")
        elif isinstance(value, float):
            pieces.append(f"{label} {100 * value:.1f}")
    return pieces


def _rewritten(text: str | None, written: str, form: str) -> str | None:
    """A meaning in another notation; None if it has none."""
    if text is None or written == form:
        return text
    try:
        formula: Any = NOTATIONS[written].read(text)
        return _WRITERS[form](formula)
    except LogicError:
        return None


def _entailment(prover: Callable[[], Any]) -> tuple[str, Callable[[str, str | None], Any]]:
    chosen = prover()
    return "fol", lambda gold, predicted: compare_entailment(gold, predicted, chosen)


_COMPARISONS: Mapping[str, Callable[[], tuple[str, Callable[[str, str | None], Any]]]] = {
    ENTAILMENT: lambda: _entailment(z3_prover),
    ENTAILMENT_E: lambda: _entailment(e_prover),
    COUNTER: lambda: ("clf", compare_clauses),
    POLARITY: lambda: (
        "fol",
        lambda gold, predicted: compare_polarities(gold, predicted, polarities_of_fol),
    ),
}

_WRITERS: Mapping[str, Callable[[Formula], str]] = {
    "fol": fol_to_str,
    "clf": lambda formula: clauses_to_str(clauses_from_drs(drs_from_fol(formula))),
}
