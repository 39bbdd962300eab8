"""Decomposition of a corpus: graphs to derivations.

Each preset has a module that decomposes its graphs: `analysis` for the preset `node`, `derivations`
for `tree`, and `fragments` for `graph`.
"""
