"""Explanations of a parser's answers; see `amparser.explanation` for what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from amparser.algebra.evaluate import term_type
from amparser.algebra.operations import IGNORE
from amparser.algebra.tree import AMTree, Entry
from amparser.decode.candidates import ROOT_OPERATION
from amparser.decode.decoders import DECODERS
from amparser.decode.parse import Parse
from amparser.decode.partial import Piece, largest_pieces
from amparser.decode.scores import Scores
from amparser.draw.constants import constant_lines, type_to_text
from amparser.explanation import Explanation, RuledOut, TokenChoice, WellTyped, token_choice
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.restrictions import Restrictions


def supertag_reason(
    restrictions: Restrictions, tokens: Sequence[str], token: int, supertag: int
) -> str | None:
    """The restriction that forbids a supertag (by index) to a token (from 0), or None.

    `followers`: of the word before it; `words`: of the word itself.
    """
    if not restrictions.allowed_in(tokens)[token, supertag]:
        return "followers"
    logp = restrictions.word(tokens[token])
    if logp is not None and logp[supertag] == float("-inf"):
        return "words"
    return None


def edge_reason(
    restrictions: Restrictions,
    tokens: Sequence[str],
    restricted: Scores,
    edge: tuple[int, int, int],
) -> str | None:
    """The restriction that forbids an edge, or None.

    `bare_forms`: the head takes only words that are spelled like their lemmas; `markers`: no
    supertag that the token may have fills the operation, or the token is a marker that never hung
    by it; `sides`: none does on this side; `modified`: nothing modifies what the head may be.

    Args:
        restrictions: of the lexicon.
        tokens: the sentence.
        restricted: its scores with the restrictions.
        edge: the token (from 0), its head (from 1), the operation's index.
    """
    token, head, operation = edge
    heads = restrictions.heads(tokens)
    if heads is not None and not heads[token, head - 1]:
        return "bare_forms"
    possible = restricted.supertag_logp[token] > float("-inf")
    hangs = operation not in restrictions.never_hangs(tokens[token])
    if not hangs or not restrictions.fills[possible, operation].any():
        return "markers"
    may_head = restricted.supertag_logp[head - 1] > float("-inf")
    if restrictions.bare[may_head, operation].all():
        return "modified"
    side = int(head - 1 < token)
    stays = restricted.in_place is not None and not restricted.in_place[token, side, operation]
    if stays and not (restricted.mobile is not None and restricted.mobile[token]):
        return "sides"
    return None


@dataclass(frozen=True)
class Explainer:
    """The explanation of one sentence.

    Attributes:
        tokens: the sentence.
        network: its scores by the network alone.
        restricted: its scores with the restrictions of the lexicon.
        restrictions: of the lexicon.
        supertag_limit: that of the search.
        decoder: the name of the search.
    """

    tokens: Sequence[str]
    network: Scores
    restricted: Scores
    restrictions: Restrictions
    supertag_limit: int | None
    decoder: str

    @property
    def lexicon(self) -> Lexicon:
        """The lexicon of the restrictions."""
        return self.restrictions.lexicon

    def explanation(self, parse: Parse, failure: str | None) -> Explanation:
        """The explanation of a decoder's result.

        Args:
            parse: the result.
            failure: why there is no meaning, or None.
        """
        choices = tuple(self._choice(parse, i) for i in range(len(self.tokens)))
        pieces = () if parse.found else tuple(self._pieces())
        return Explanation(choices, failure, pieces)

    def _choice(self, parse: Parse, token: int) -> TokenChoice:
        form, scores = self.tokens[token], self.restricted.supertag_logp[token]
        chosen = parse.supertags[token] if parse.found else int(scores.argmax())
        if scores[chosen] == -np.inf:
            return TokenChoice(form, "none is allowed", -np.inf, None, None, "")
        edge = self._edge(parse.heads[token], parse.operations[token]) if parse.found else ""
        ruled_out = [*self._better_supertags(token, chosen), *self._better_edges(parse, token)]
        names = partial(self._supertag, token), partial(self._typed, token)
        plain, typed = (token_choice(form, scores, chosen, n, edge, ruled_out) for n in names)
        return typed if plain.supertag == plain.runner_up else plain

    def _better_supertags(self, token: int, chosen: int) -> list[RuledOut]:
        raw, allowed = self.network.supertag_logp[token], self.restricted.supertag_logp[token]
        better = np.flatnonzero((raw > raw[chosen]) & (allowed == -np.inf))
        found = []
        # How many ruled out supertags are listed for a token.
        for k in sorted(map(int, better), key=lambda k: (-raw[k], k))[:3]:
            if reason := supertag_reason(self.restrictions, self.tokens, token, k):
                found.append(RuledOut(self._supertag(token, k), float(raw[k]), reason))
        return found

    def _better_edges(self, parse: Parse, token: int) -> list[RuledOut]:
        """The network's best edge, if it is not allowed."""
        raw = self.network.edge_logp[token]
        head, operation = map(int, np.unravel_index(int(raw.argmax()), raw.shape))
        if head == 0 or self.restricted.edge_logp[token, head, operation] > -np.inf:
            return []
        if parse.found and (parse.heads[token], parse.operations[token]) == (head, operation):
            return []
        edge = (token, head, operation)
        reason = edge_reason(self.restrictions, self.tokens, self.restricted, edge)
        if reason is None:
            return []
        return [RuledOut(self._edge(head, operation), float(raw[head, operation]), reason)]

    def _supertag(self, token: int, k: int) -> str:
        supertag, template = self.lexicon.supertags[k], self.lexicon.templates[k]
        if supertag is None:
            return "ignored"
        form = self.tokens[token]
        lemma = self.lexicon.lemmas.lemma(form, k) if "$LEMMA$" in (template or "") else None
        entry = Entry(form, supertag=supertag, lexical_label=template, lemma=lemma)
        return ", ".join(line.strip() for line in constant_lines(entry))

    def _typed(self, token: int, k: int) -> str:
        supertag = self.lexicon.supertags[k]
        what = self._supertag(token, k)
        return what if supertag is None else f"{what}: {type_to_text(supertag.lexical_type)}"

    def _edge(self, head: int, operation: int) -> str:
        name = self.lexicon.operations[operation]
        if name == IGNORE:
            return ""
        return name if operation == ROOT_OPERATION else f"{name} of {self.tokens[head - 1]}"

    def _pieces(self) -> list[WellTyped]:
        largest = getattr(DECODERS[self.decoder], "pieces", None) or largest_pieces
        pieces = largest(
            self.restricted,
            self.restrictions.table,
            supertag_limit=self.supertag_limit,
            well_typed=lambda piece: term_type(self._tree(piece)) is not None,
        )
        return [self._well_typed(piece) for piece in pieces]

    def _tree(self, piece: Piece) -> AMTree:
        words, parse = self.tokens[piece.first : piece.stop], piece.parse
        return self.lexicon.tree(words, parse.supertags, parse.heads, parse.operations)

    def _well_typed(self, piece: Piece) -> WellTyped:
        tree = self._tree(piece)
        words = [entry.form for entry in tree.entries]
        # Tokens at the edges that are ignored do not belong to a piece.
        used = [i for i, entry in enumerate(tree.entries) if entry.operation != IGNORE]
        type_, root = term_type(tree), tree.root
        assert type_ is not None
        assert root is not None
        return WellTyped(
            piece.first + used[0] + 1,
            piece.first + used[-1] + 1,
            " ".join(words[used[0] : used[-1] + 1]),
            words[root - 1],
            type_to_text(type_),
        )
