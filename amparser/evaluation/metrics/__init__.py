"""Figures that add up: what is counted for one answer, summed, is what is counted for all."""

from amparser.evaluation.metrics.cogs import Counts, by_type, compare, overall, table_to_json

__all__ = ["Counts", "by_type", "compare", "overall", "table_to_json"]
