"""Heads of a scorer: each computes one kind of scores from encoded sentences, and their loss."""
