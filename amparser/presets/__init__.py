"""Presets: kinds of constants, with their decomposition, training data and search."""
