"""Experiments over seeds and shares of train, with their records and tables."""
