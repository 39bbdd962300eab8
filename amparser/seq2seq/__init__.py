"""Sequence-to-sequence baselines: from the words of a sentence to those of a logical form."""
