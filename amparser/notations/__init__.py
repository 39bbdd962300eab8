"""Notations of meanings: each reads texts, converts them to graphs, and writes graphs as texts."""
