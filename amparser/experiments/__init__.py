"""Experiments over seeds and shares of train: their records, tables, curves and pictures."""
