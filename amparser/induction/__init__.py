"""Decomposition of a corpus: graphs to derivations.

Each preset has its own: `analysis` (`node`), `derivations` (`tree`) and `fragments` (`graph`).
"""
