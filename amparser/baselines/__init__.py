"""The sequence-to-sequence systems."""
