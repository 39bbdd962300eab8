"""Arcs that the frames of their nodes speak against are chosen anew."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from chosen import choice_of, links

from amparser.algebra.derivation import Arc
from amparser.algebra.fragment import Fragment
from amparser.algebra.operations import IGNORE
from amparser.compositions.graphs.choices import HEAD, Choice, Pair
from amparser.compositions.graphs.revision import ArcScores, revise
from amparser.decode.next_best import ANY, Limits
from amparser.lexicon.frames import NODES, Frames
from amparser.lexicon.graph_inventory import Inventory
from amparser.lexicon.scripts import Script
from amparser.lexicon.senses import Senses

TAGS = [IGNORE, *(Fragment((name,)) for name in ("see", "dog", "cat", "old"))]
LABELS = ["ARG1>00", "ARG2>00", "ARG1<00"]
UNIQUE = frozenset({"ARG1", "ARG2"})
FRAMES = Frames(
    {
        "see": {NODES: 99, "ARG1": 99, "ARG2": 99},
        "dog": {NODES: 99},
        "cat": {NODES: 99},
        "old": {NODES: 99, "ARG1": 99},
    },
    Senses(),
    UNIQUE,
)
INVENTORY = Inventory(TAGS, [*map(links, LABELS), 0], [()], ["x"], [Script(("", ""))], {}, UNIQUE)
NEVER = -20.0


def revised(
    one: Choice,
    heads: dict[tuple[int, int], float],
    odds: dict[tuple[int, int], float],
    scores: dict[tuple[int, int, str], float],
    limits: Limits = ANY,
) -> Choice:
    """The choice after revision; what scores do not name is next to impossible."""
    count = len(one.heads)
    arcs = np.full((count, count + 1), NEVER)
    beside = np.full((1, count, count + 1), NEVER)
    for (token, head), value in heads.items():
        arcs[token, head + 1] = value
    for (token, head), value in odds.items():
        beside[0, token, head + 1] = value

    def labels(pairs: Sequence[Pair]) -> np.ndarray:
        rows = [
            [scores.get((t, h - 1, name), NEVER) for name in (*LABELS, "^")] for _, t, h in pairs
        ]
        return np.array(rows)

    leaf = np.zeros(len(TAGS), bool)
    revise([one], ArcScores([arcs], beside, labels), INVENTORY, FRAMES, leaf, limits)
    return one


SEE, DOG, CAT, OLD = 1, 2, 3, 4


def test_a_missing_argument_gets_the_label_of_a_doubled_one() -> None:
    one = choice_of(TAGS, [DOG, SEE, CAT], ["ARG1>00", "", "ARG1>00"], [1, -1, 1])
    scores = {
        (0, 1, "ARG1>00"): -0.1,
        (0, 1, "ARG2>00"): -3.0,
        (2, 1, "ARG1>00"): -0.5,
        (2, 1, "ARG2>00"): -1.0,
    }
    found = revised(one, {}, {}, scores)
    assert found.links == [*map(links, ["ARG1>00", "", "ARG2>00"])]
    assert found.logp == pytest.approx(-0.5)


def test_an_arc_is_moved_to_the_node_that_lacks_it_unless_limits_say_no() -> None:
    # `old` says of what it is so, and a dog has no argument.
    start = TAGS, [DOG, OLD, CAT], ["", "ARG1>00", "ARG2>00"], [-1, 0, 0]
    scores = {(1, 0, "ARG1>00"): -0.2, (1, 2, "ARG1<00"): -0.2, (2, 0, "ARG2>00"): -0.1}
    likely = {(1, 0): -0.7, (1, 2): -1.0, (2, 0): -0.1}
    found = revised(choice_of(*start), likely, {}, scores)
    assert (found.heads, found.links[1]) == ([-1, 2, 0], links("ARG1<00"))
    barred = Limits(never={(1, HEAD): frozenset({2})})
    found = revised(choice_of(*start), likely, {}, scores, barred)
    assert found.heads == [-1, 0, 0]


def test_a_missing_argument_comes_beside_the_tree() -> None:
    one = choice_of(TAGS, [DOG, SEE, OLD], ["ARG1>00", "", "ARG2>00"], [1, -1, 1])
    scores = {(0, 1, "ARG1>00"): 0.0, (2, 1, "ARG2>00"): 0.0, (2, 0, "ARG1<00"): -0.1}
    found = revised(one, {}, {(2, 0): -0.5}, scores)
    assert found.beside == [Arc(0, 2, links("ARG1<00"))]
    assert found.logp == 0


def test_an_argument_that_train_never_gives_goes() -> None:
    one = choice_of(TAGS, [DOG, SEE, CAT], ["ARG1>00", "", "ARG2>00"], [1, -1, 1])
    one.beside.append(Arc(0, 2, links("ARG1>00")))
    scores = {(0, 1, "ARG1>00"): 0.0, (2, 1, "ARG2>00"): 0.0, (2, 0, "ARG1>00"): -0.1}
    assert revised(one, {}, {(2, 0): 0.5}, scores).beside == []


def test_what_train_shows_stays() -> None:
    one = choice_of(TAGS, [DOG, SEE, CAT], ["ARG1>00", "", "ARG2>00"], [1, -1, 1])
    scores = {(0, 1, "ARG2>00"): 0.0, (2, 1, "ARG1>00"): 0.0}
    assert revised(one, {}, {}, scores).links == [*map(links, ["ARG1>00", "", "ARG2>00"])]
