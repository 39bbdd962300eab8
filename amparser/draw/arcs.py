"""Layout of arcs over words: the distances between words and the height of each arc.

An arc goes up from its head to a level, horizontally along this level, and down to its dependent:

    - An arc is above all arcs that it spans, and overlapping arcs have different levels.
    - The arcs of a word end side by side, in an order that keeps them from crossing: arcs to
      the left from short to long, then arcs to the right from long to short.
    - A word is as wide as the text below it. Words are far enough apart for the labels of the
      arcs between them; each label is in the middle of its arc.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

SLOT = 11.0
"""Horizontal distance between the ends of two arcs at the same word, in pixels."""
GAP = 14.0
"""Minimum distance between two words, in pixels."""
BESIDE = 4.0
"""Distance between the root's arc and its label, in pixels."""
LABEL_PADDING = 22.0


class Arc(NamedTuple):
    """An arc between two words.

    Words are counted from 1, and head 0 is the artificial root. `width` is the width of the label
    in pixels. The layout ignores `style`.
    """

    head: int
    dependent: int
    label: str
    width: float
    style: str = ""

    @property
    def ends(self) -> tuple[int, int]:
        """The words at the left and the right end of the arc."""
        return min(self.head, self.dependent), max(self.head, self.dependent)


@dataclass(frozen=True, slots=True)
class Placed:
    """An arc with its level (from 1 at the bottom) and the x coordinates of its ends in pixels."""

    arc: Arc
    level: int
    head_x: float
    dependent_x: float

    @property
    def label_x(self) -> float:
        """The x coordinate of the middle of the label."""
        return (self.head_x + self.dependent_x) / 2


@dataclass(frozen=True, slots=True)
class Layout:
    """Result of `layout_of`: placed arcs, middles of words, width (in pixels), number of levels."""

    centres: tuple[float, ...]
    width: float
    level_count: int
    arcs: tuple[Placed, ...]


def layout_of(widths: Sequence[float], arcs: Sequence[Arc]) -> Layout:
    """Place words of the given widths (in pixels) and their arcs; O(n^2) time for n arcs."""
    levels = _levels(arcs)
    offsets, slot_counts = _offsets(arcs, levels, len(widths))
    boxes = [max(width, SLOT * slots) for width, slots in zip(widths, slot_counts, strict=True)]
    centres = _centres(boxes, arcs, offsets)
    places = [
        (
            centres[(arc.head or arc.dependent) - 1] + offsets[i][0],
            centres[arc.dependent - 1] + offsets[i][1],
        )
        for i, arc in enumerate(arcs)
    ]
    ends = [c + box / 2 for c, box in zip(centres, boxes, strict=True)]
    # The label of the root's arc is to the right of the arc.
    ends += [
        x + arc.width + BESIDE for arc, (x, _) in zip(arcs, places, strict=True) if not arc.head
    ]
    width = max(ends, default=0.0)
    placed = tuple(Placed(arc, levels[i], *places[i]) for i, arc in enumerate(arcs))
    return Layout(tuple(centres), width, max(levels, default=0), placed)


def _levels(arcs: Sequence[Arc]) -> list[int]:
    levels = [0] * len(arcs)
    between = [i for i, arc in enumerate(arcs) if arc.head]
    done: list[int] = []
    for i in sorted(between, key=lambda i: (abs(arcs[i].head - arcs[i].dependent), arcs[i].ends)):
        left, right = arcs[i].ends
        lowest, taken = 1, set()
        for j in done:
            other_left, other_right = arcs[j].ends
            if other_left < right and left < other_right:
                taken.add(levels[j])
                if left <= other_left and other_right <= right:
                    lowest = max(lowest, levels[j] + 1)
        while lowest in taken:
            lowest += 1
        levels[i] = lowest
        done.append(i)
    above = itertools.count(max(levels, default=0) + 1)
    return [level or next(above) for level in levels]


def _offsets(
    arcs: Sequence[Arc], levels: Sequence[int], count: int
) -> tuple[list[tuple[float, float]], list[int]]:
    """Return arc ends in pixels from the middle of their word, and the number of arcs per word."""
    at_word: dict[int, list[tuple[int, int, int, int]]] = defaultdict(list)
    for i, arc in enumerate(arcs):
        for end, (here, there) in enumerate(((arc.head, arc.dependent), (arc.dependent, arc.head))):
            if here == 0:
                continue
            if there == 0:
                at_word[here].append((0, 0, i, end))
            elif there < here:
                at_word[here].append((-1, levels[i], i, end))
            else:
                at_word[here].append((1, -levels[i], i, end))
    offsets = [[0.0, 0.0] for _ in arcs]
    slots = [0] * count
    for word, ends in at_word.items():
        ends.sort()
        slots[word - 1] = len(ends)
        for place, (_, _, i, end) in enumerate(ends):
            offsets[i][end] = (place - (len(ends) - 1) / 2) * SLOT
    for i, arc in enumerate(arcs):
        if arc.head == 0:
            offsets[i][0] = offsets[i][1]
    return [(a, b) for a, b in offsets], slots


def _centres(
    boxes: Sequence[float], arcs: Sequence[Arc], offsets: Sequence[tuple[float, float]]
) -> list[float]:
    needs: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for arc, (at_head, at_dependent) in zip(arcs, offsets, strict=True):
        if arc.head == 0:
            continue
        left, right = arc.ends
        rightward = arc.head < arc.dependent
        out, into = (at_head, at_dependent) if rightward else (at_dependent, at_head)
        needs[right].append((left, arc.width + LABEL_PADDING + out - into))
    centres: list[float] = []
    for word, box in enumerate(boxes, 1):
        least = box / 2 if word == 1 else centres[-1] + (boxes[word - 2] + box) / 2 + GAP
        centres.append(max([least, *(centres[left - 1] + d for left, d in needs[word])]))
    return centres
