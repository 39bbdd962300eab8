"""Decomposition of a corpus: aligned graphs to AM dependency trees."""
