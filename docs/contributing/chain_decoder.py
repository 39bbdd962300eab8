"""A decoder of chains: each token has at most one dependent, the next token that is not ignored.

It goes from right to left, and keeps the best chain of each type that begins at a token.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from amparser.algebra.type_table import TypeTable, type_table
from amparser.algebra.types import type_from_str
from amparser.decode.decoders import DECODERS
from amparser.decode.parse import NO_TREE, Parse
from amparser.decode.scores import Scores

IGNORE, ROOT = 0, 1
EMPTY_TYPE = 0


@dataclass(frozen=True)
class Link:
    """The best chain that begins at a token and has some type."""

    logp: float
    token: int
    supertag: int
    operation: int = IGNORE
    rest: Link | None = None


class ChainDecoder:
    """The best chain: each token is the head of the next one that is not ignored."""

    name = "chain"
    trees = "chains, in which each token has one dependent, to its right; the best of them"

    def search(
        self,
        scores: Sequence[Scores],
        table: TypeTable,
        *,
        supertag_limit: int | None,
        open_root: bool = False,
    ) -> list[Parse]:
        """Return the best chain of each sentence."""
        return [self._best(one, table, supertag_limit, open_root) for one in scores]

    def _best(self, scores: Scores, table: TypeTable, limit: int | None, open_root: bool) -> Parse:
        n = len(scores)
        ignored = scores.supertag_logp[:, 0] + scores.edge_logp[:, 0, IGNORE]
        chains: list[dict[int, Link]] = [{} for _ in range(n)]
        for i in reversed(range(n)):
            supertags = 1 + np.argsort(-scores.supertag_logp[i, 1:], kind="stable")
            for supertag in map(int, supertags[:limit]):
                logp = float(scores.supertag_logp[i, supertag])
                lexical = int(table.lexical_type[supertag])
                last = logp + float(ignored[i + 1 :].sum())
                self._keep(chains[i], lexical, Link(last, i, supertag))
                for j in range(i + 1, n):
                    between = logp + float(ignored[i + 1 : j].sum())
                    for dependent, rest in chains[j].items():
                        results = table.combine[lexical, dependent]
                        for operation in map(int, np.flatnonzero(results >= 0)):
                            edge = float(scores.edge_logp[j, i + 1, operation])
                            link = Link(between + edge + rest.logp, i, supertag, operation, rest)
                            self._keep(chains[i], int(results[operation]), link)
        roots = [
            (link.logp + float(scores.edge_logp[i, 0, ROOT]) + float(ignored[:i].sum()), link)
            for i in range(n)
            for type_, link in chains[i].items()
            if type_ == EMPTY_TYPE or (open_root and n == 1)
        ]
        logp, best = max(roots, key=lambda root: root[0], default=(float("-inf"), None))
        if best is None or logp == float("-inf"):
            return Parse(failure=NO_TREE)
        return self._parse(n, logp, best)

    @staticmethod
    def _keep(chains: dict[int, Link], type_: int, link: Link) -> None:
        if type_ not in chains or link.logp > chains[type_].logp:
            chains[type_] = link

    @staticmethod
    def _parse(n: int, logp: float, link: Link | None) -> Parse:
        supertags, heads, operations = [0] * n, [0] * n, [IGNORE] * n
        head, operation = 0, ROOT
        while link is not None:
            i = link.token
            supertags[i], heads[i], operations[i] = link.supertag, head, operation
            head, operation, link = i + 1, link.operation, link.rest
        return Parse(tuple(supertags), tuple(heads), tuple(operations), logp)


CHAIN = ChainDecoder()


def main() -> None:
    """Decode three tokens: `slept` needs a subject S, and `Emma` needs nothing."""
    operations = ["IGNORE", "ROOT", "APP_S"]
    needs_subject, complete = type_from_str("(S())"), type_from_str("()")
    table = type_table([None, needs_subject, complete], operations)
    scores = Scores(
        np.log(np.array([[0.1, 0.8, 0.1], [0.8, 0.1, 0.1], [0.1, 0.1, 0.8]], np.float32)),
        np.full((3, 4, 3), np.log(0.1), np.float32),
    )
    [parse] = CHAIN.search([scores], table, supertag_limit=6)
    assert parse.supertags == (1, 0, 2)  # slept, an ignored word, Emma
    assert parse.heads == (0, 0, 1)
    assert parse.operations == (1, 0, 2)

    no_subject = type_table([None, needs_subject, needs_subject], operations)
    [nothing] = CHAIN.search([scores], no_subject, supertag_limit=6)
    assert nothing.failure == "no well-typed tree"

    DECODERS.register("chain", CHAIN)
    assert "chain" in DECODERS.names()


if __name__ == "__main__":
    main()
