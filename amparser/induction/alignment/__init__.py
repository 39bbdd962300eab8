"""Alignment of the units of a meaning with tokens: given, by spelling, or induced.

Two models share their indices (`numbering`). `assign_all` gives each unit a token of its own and
uses the tree of units; `align_in_order` lets units share tokens and uses the order in which they
are written.
"""
