"""Notations of meanings. A notation reads texts, converts them to graphs, and writes graphs."""
