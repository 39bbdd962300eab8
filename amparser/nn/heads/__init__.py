"""Heads of a scorer: each computes one kind of score from encoded sentences, and its loss."""
