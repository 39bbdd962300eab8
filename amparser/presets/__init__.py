"""Presets: three kinds of constants, each with its decomposition, training data and search."""
