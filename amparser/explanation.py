"""Why a parser's answer is as it is: the choice at each token, and what was ruled out.

An explanation is a value that prints itself; `amparser.explain` makes it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from amparser.algebra.derivation import ARC, CONTINUE, PRECEDE, Derivation
from amparser.algebra.fragment import Fragment
from amparser.algebra.operations import IGNORE, ROOT

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WITHOUT = {
    IGNORE: "ignored",
    CONTINUE: "continues the token before",
    PRECEDE: "continues the next token",
}


@dataclass(frozen=True, slots=True)
class RuledOut:
    """A supertag or edge with a higher score than the choice, and the restriction that forbids it.

    Attributes:
        what: a supertag, or an edge such as `APP_L1 of gave`.
        logp: the network's score, a natural logarithm.
        restriction: the setting `lexicon.NAME` that forbids it.
    """

    what: str
    logp: float
    restriction: str


@dataclass(frozen=True, slots=True)
class TokenChoice:
    """The choice at a token.

    Attributes:
        form: the token.
        supertag: the chosen constant on one line, or `ignored`; without a tree, the best one.
        logp: its score, a natural logarithm.
        runner_up: the best other constant that is allowed, or None.
        margin: by how much its score is higher than that of the runner-up; negative if the
            search took a worse one, since only that fits the rest of the tree.
        edge: the chosen edge, such as `APP_L1 of gave`; empty without a tree.
        ruled_out: better supertags and edges that are not allowed, the best first.
    """

    form: str
    supertag: str
    logp: float
    runner_up: str | None
    margin: float | None
    edge: str
    ruled_out: tuple[RuledOut, ...] = ()


@dataclass(frozen=True, slots=True)
class WellTyped:
    """A piece of a sentence that has a well-typed tree of its own.

    Attributes:
        first, last: its tokens, from 1.
        text: its words.
        head: its root.
        type: what it still needs, `()` if nothing.
    """

    first: int
    last: int
    text: str
    head: str
    type: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of one answer.

    Attributes:
        choices: one for each token.
        failure: why there is no answer, or None.
        pieces: the largest well-typed pieces, if there is no tree.
    """

    choices: tuple[TokenChoice, ...]
    failure: str | None = None
    pieces: tuple[WellTyped, ...] = ()

    def __str__(self) -> str:
        """A table with a line for each token, and lines for what was ruled out."""
        rows = [("token", "supertag", "logp", "edge", "runner-up", "margin")]
        for one in self.choices:
            margin = "" if one.margin is None else f"{one.margin:+.2f}"
            rows.append(
                (one.form, one.supertag, f"{one.logp:.2f}", one.edge, one.runner_up or "", margin)
            )
        lines = _aligned(rows)
        for one in self.choices:
            lines += [
                f"{one.form}: {out.what} (logp {out.logp:.2f}) is ruled out by "
                f"lexicon.{out.restriction}"
                for out in one.ruled_out
            ]
        if self.failure is not None:
            lines.append(f"no parse: {self.failure}")
        lines += [
            f"tokens {piece.first}-{piece.last}: {piece.text!r} is well typed, "
            f"its root is {piece.head}, its type {piece.type}"
            for piece in self.pieces
        ]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON values; an infinite score is None."""
        value = asdict(self)
        for choice in value["choices"]:
            for key in ("logp", "margin"):
                if choice[key] is not None and not math.isfinite(choice[key]):
                    choice[key] = None
        return value

    def to_json(self) -> str:
        """All of it as a JSON object on one line."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


def token_choice(
    form: str,
    logp: NDArray[Any],
    chosen: int,
    named: Callable[[int], str],
    edge: str = "",
    ruled_out: Sequence[RuledOut] = (),
    shown: str | None = None,
) -> TokenChoice:
    """The choice at a token.

    Args:
        form: the token.
        logp: `[K]`, the scores of constants.
        chosen: the number of the one that was chosen.
        named: the text of a constant, given its number.
        edge: the chosen edge.
        ruled_out: what is not allowed, though it is better.
        shown: the text of the chosen constant, if it is another one here than that of `named`.
    """
    # Stable: of equal scores the lower number comes first.
    order = (-logp).argsort(kind="stable")
    other = next((int(k) for k in order if k != chosen and logp[k] > -math.inf), None)
    return TokenChoice(
        form,
        named(chosen) if shown is None else shown,
        float(logp[chosen]),
        None if other is None else named(other),
        None if other is None else float(logp[chosen] - logp[other]),
        edge,
        tuple(ruled_out),
    )


def explanation_of(
    tokens: Sequence[str],
    derivation: Derivation | None,
    logp: NDArray[Any],
    chosen: Sequence[int],
    constant: Callable[[int], Fragment | str],
    failure: str | None,
) -> Explanation:
    """The choices of a derivation, or the best constants if there is none; nothing is ruled out.

    Args:
        tokens: the sentence.
        derivation: the best one, or None.
        logp: `[n, K]`, the scores of the constants of each token.
        chosen: the numbers of the constants that were chosen.
        constant: a constant, or else what its token does without one, given its number.
        failure: why there is no meaning, or None.
    """

    def named(number: int) -> str:
        found = constant(number)
        return _WITHOUT[found] if isinstance(found, str) else found.to_text()

    choices = []
    for token, form in enumerate(tokens):
        edge, shown = "", None
        if derivation is not None and (own := derivation.constant(token)) is not None:
            edge, shown = _edges(derivation, token), own.to_text(derivation.fillers[token])
        choices.append(token_choice(form, logp[token], chosen[token], named, edge, (), shown))
    return Explanation(tuple(choices), failure)


def _edges(derivation: Derivation, token: int) -> str:
    """The edge of the tree above a token, and those beside it."""
    operation, head = derivation.operations[token], derivation.heads[token]
    above = [(head, derivation.links[token])] if operation == ARC else []
    above += [(arc.parent, arc.links) for arc in derivation.beside if arc.child == token]
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
