"""Notations of meanings: each reads a text, makes its graph, and writes a graph."""
