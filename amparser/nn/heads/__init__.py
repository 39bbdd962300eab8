"""Heads: what a scorer makes of encoded sentences, one thing each, with its loss."""
