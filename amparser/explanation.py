"""Explanations of answers: each token's constant, the second best constant, and the edge."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from amparser.algebra.derivation import ARC, CONTINUE, PRECEDE, Derivation
from amparser.algebra.fragment import Fragment
from amparser.algebra.types import IGNORE, ROOT

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WITHOUT = {
    IGNORE: "ignored",
    CONTINUE: "continues the token before",
    PRECEDE: "continues the next token",
}


@dataclass(frozen=True, slots=True)
class TokenChoice:
    """Choice at a token: its constant and its edge.

    Attributes:
        supertag: the chosen constant on one line, or `ignored`. Without a tree, it is the
            constant with the best score.
        logp: score of the constant (natural log).
        runner_up: the best of all other constants; None if all others are impossible.
        margin: score of the constant minus the score of the runner-up. It is negative if the search
            chose a constant with a lower score because it fits the other tokens.
        edge: the chosen edge, such as `APP_L1 of gave`, or empty without a tree.
    """

    form: str
    supertag: str
    logp: float
    runner_up: str | None
    margin: float | None
    edge: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Explanation of one answer: the choice at each token, and the failure if there is one."""

    choices: tuple[TokenChoice, ...]
    failure: str | None = None

    def __str__(self) -> str:
        """Return a table with a line for each token, and the failure if there is one."""
        rows = [("token", "supertag", "logp", "edge", "runner-up", "margin")]
        for choice in self.choices:
            margin = "" if choice.margin is None else f"{choice.margin:+.2f}"
            best = (choice.form, choice.supertag, f"{choice.logp:.2f}", choice.edge)
            rows.append((*best, choice.runner_up or "", margin))
        lines = _aligned(rows)
        if self.failure is not None:
            lines.append(f"no parse: {self.failure}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON values; infinite scores are None."""
        value = asdict(self)
        for choice in value["choices"]:
            for key in ("logp", "margin"):
                if choice[key] is not None and not math.isfinite(choice[key]):
                    choice[key] = None
        return value

    def to_json(self) -> str:
        """Return the explanation as a JSON object on one line."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


def explanation_of(
    tokens: Sequence[str],
    derivation: Derivation | None,
    logp: NDArray[Any],
    chosen: Sequence[int],
    constant: Callable[[int], Fragment | str],
    failure: str | None,
) -> Explanation:
    """Explain a derivation, or without one, the best constant of each token.

    Args:
        tokens: the sentence.
        derivation: the derivation, or None.
        logp: `[n, K]`, score of each constant at each token.
        chosen: index of the chosen constant of each token.
        constant: function that returns the constant with a given index, or an operation such as
            `IGNORE` if the index stands for a token without a constant.
        failure: reason why the answer is missing, or None.
    """

    def named(number: int) -> str:
        fragment = constant(number)
        return _WITHOUT[fragment] if isinstance(fragment, str) else fragment.to_text()

    choices = []
    for token, form in enumerate(tokens):
        edge, text = "", None
        if derivation is not None and (placed := derivation.constant(token)) is not None:
            edge, text = _edges(derivation, token), placed.to_text(derivation.lexical_labels[token])
        # The sort is stable: among equal scores, the lower index comes first.
        order, best = (-logp[token]).argsort(kind="stable"), chosen[token]
        other = next((int(k) for k in order if k != best and logp[token, k] > -math.inf), None)
        choices.append(
            TokenChoice(
                form,
                named(best) if text is None else text,
                float(logp[token, best]),
                None if other is None else named(other),
                None if other is None else float(logp[token, best] - logp[token, other]),
                edge,
            )
        )
    return Explanation(tuple(choices), failure)


def _edges(derivation: Derivation, token: int) -> str:
    operation, head = derivation.operations[token], derivation.heads[token]
    above = [(head, derivation.links[token])] if operation == ARC else []
    above += [(arc.parent, arc.links) for arc in derivation.reentrant if arc.child == token]
    edges = [
        (" ".join(f"{x.label}{'<>'[x.down]}{x.above}{x.below}" for x in links) or "unlinked", head)
        for head, links in above
    ]
    if operation not in (ROOT, ARC):
        edges.insert(0, (operation, head))
    texts = [f"{name} of {derivation.tokens[head]}" for name, head in edges]
    return ", ".join([ROOT, *texts] if operation == ROOT else texts)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
