"""Alignment of the units of a meaning (nodes, fragments or boxes) with the tokens of a sentence.

The token with which a unit is aligned is the *anchor* of the unit. There are two models:

- `assign_all` aligns each unit with a different token, and uses the tree of units;
- `align_in_order` may align several units with one token, and uses the order in which the meaning
  lists the units.

Both respect alignments that the data already contain. Arrays of a whole corpus concatenate the
sentences; a *row* is the segment of one sentence. `numbering` indexes labels and words.
"""
