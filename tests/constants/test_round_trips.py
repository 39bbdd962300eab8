"""Graphs of published corpora come back through derivations (`python round_trip.py` has all)."""

from __future__ import annotations

from pathlib import Path

import pytest
from round_trip import corpora

ROWS = 300
TYPED = (
    "slog",
    "slog gen",
    "cogs",
    "cogs gen",
    *(f"sygns/depth {n}" for n in ("fol", "clf", "vf")),
)


@pytest.mark.parametrize(
    "name", [*TYPED, *(f"geoquery/{s}" for s in ("standard", "template", "length", "tmcd"))]
)
def test_graphs_come_back_by_trees_alone(data_dir: Path, name: str) -> None:
    trips = list(corpora(data_dir, ROWS)[name]())
    assert len(trips) >= ROWS
    for trip in trips:
        assert trip.failure == ""
        assert not trip.beside
        assert trip.derivation is not None
        assert trip.derivation.problems(open_root=len(trip.derivation.tokens) == 1) == []


def test_graphs_in_boxes_come_back_with_arcs_beside_the_tree(data_dir: Path) -> None:
    trips = list(corpora(data_dir, 500)["pmb"]())
    assert len(trips) == 500
    assert sum(not trip.failure for trip in trips) >= 0.985 * 500
    assert any(trip.beside for trip in trips)
    # All nodes of a token are in one box, and arcs between two nodes are written once.
    assert {trip.failure for trip in trips} <= {
        "",
        "another graph: edges",
        "another graph: where edges end, as those of boxes",
    }
