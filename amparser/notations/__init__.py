"""Notations of meaning: each reads a text, makes its graph, and writes a graph."""
