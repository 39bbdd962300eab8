"""Projectivity of dependency trees."""

from __future__ import annotations

from collections.abc import Sequence


def is_projective(heads: Sequence[int]) -> bool:
    """Return whether no two arcs cross, in O(n log n) time for n tokens.

    Args:
        heads: head of each token, from 1. Head 0 is the artificial root. A token with a negative
            head, such as an ignored token, has no arc.
    """
    arcs = sorted(
        (min(head, token), -max(head, token)) for token, head in enumerate(heads, 1) if head >= 0
    )
    # Right ends of the arcs that span the current position, in descending order.
    ends: list[int] = []
    for left, minus_right in arcs:
        while ends and ends[-1] <= left:
            ends.pop()
        if ends and ends[-1] < -minus_right:
            return False
        ends.append(-minus_right)
    return True
