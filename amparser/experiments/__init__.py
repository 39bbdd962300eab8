"""Experiments with several seeds and shares of train, their records and tables."""
