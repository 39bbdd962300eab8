"""Alignment of the units of a meaning with tokens: given, by spelling, or induced.

Two models use the same indices of a corpus (`numbering`). `assign_all` aligns each unit with a
different token and uses the tree of units; `align_in_order` lets units share tokens and uses the
order in which the units are written.
"""
