"""Graphs apart from their boxes: these stand in `amparser.graph.boxes`."""

from __future__ import annotations

from amparser.graph.boxes import Box, BoxScheme, IsConstant, Layered, box_scheme, join, split

__all__ = ["Box", "BoxScheme", "IsConstant", "Layered", "box_scheme", "join", "split"]
