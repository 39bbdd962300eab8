"""English words as they are spelled in chats: without apostrophes, or by their sound."""

from __future__ import annotations

import re

_SOUNDS = {"u": "you", "ur": "your", "r": "are", "pls": "please", "plz": "please", "thx": "thanks"}
_JOINED = re.compile(
    r"((?:ai|are|ca|could|did|do|does|had|has|have|is|might|must|need|should|was|were|wo|would)n"
    r"|i(?=[mv])|they|we(?=v)|you|(?:he|she|that|there|what|who)(?=s))(t|m|ve|re|ll|s)",
    re.IGNORECASE,
)
"""Contractions without their apostrophe, such as "dont" and "im".

"were" and "its" are not included, because they are words themselves."""


def usual_spelling(token: str) -> str:
    """Return the usual spelling of a token in chat spelling; return other tokens unchanged.

    >>> [usual_spelling(token) for token in ("im", "u", "U", "want")]
    ["i'm", 'you', 'U', 'want']
    """
    match = _JOINED.fullmatch(token)
    return f"{match[1]}'{match[2]}" if match else _SOUNDS.get(token, token)
