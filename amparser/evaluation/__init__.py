"""Metrics, experiments, their records and reports."""
