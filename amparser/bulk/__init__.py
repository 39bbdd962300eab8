"""Parsing of files that do not fit into memory or need several processes."""

from __future__ import annotations

from amparser.bulk.columns import ColumnParser
from amparser.bulk.job import run

__all__ = ["ColumnParser", "run"]
