"""Decomposition of a corpus: graphs to derivations.

Each preset has its own module: `analysis` for `node`, `derivations` for `tree` and `fragments` for
`graph`.
"""
