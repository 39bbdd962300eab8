"""Sequence-to-sequence baselines."""
