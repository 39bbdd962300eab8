"""Baselines: sequence-to-sequence systems that write meanings word by word."""
