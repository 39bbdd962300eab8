"""Presets of a parser: what its fragments are, how they are learned and composed."""
