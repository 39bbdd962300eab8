"""Corpora that outgrow one process or one machine."""

from __future__ import annotations

from amparser.bulk.columns import ColumnParser
from amparser.bulk.job import BulkSettings, Summary, in_this_process, job_of, run
from amparser.bulk.on_ray import on_ray

__all__ = ["BulkSettings", "ColumnParser", "Summary", "in_this_process", "job_of", "on_ray", "run"]
