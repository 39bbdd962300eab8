"""Which restriction of a lexicon rules a supertag or an edge out."""

from __future__ import annotations

from collections.abc import Sequence

from amparser.decode.scores import Scores
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
