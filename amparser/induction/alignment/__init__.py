"""Which token each unit of a meaning belongs to: given, by spelling, or induced.

Two models share their numbers (`numbering`): `align` gives each unit a token of its own, and
knows which unit stands below which; `align_in_order` lets units share tokens, and knows in which
order they are written.
"""
