"""The texts that words of a sentence spell."""

from __future__ import annotations

from collections.abc import Sequence


def spelled_texts(tokens: Sequence[str]) -> frozenset[str]:
    """The texts, in lower case, that one or several words of a sentence spell.

    >>> sorted(spelled_texts(["New", "York"]))
    ['new', 'new york', 'new-york', 'new_york', 'newyork', 'york']
    """
    lower = [token.lower() for token in tokens]
    spans = (lower[i:j] for i in range(len(lower)) for j in range(i + 1, len(lower) + 1))
    return frozenset(joint.join(span) for span in spans for joint in (" ", "", "_", "-"))
