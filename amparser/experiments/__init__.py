"""Experiments over seeds and shares of train: their records and tables."""
