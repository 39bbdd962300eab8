"""Figures that add up: the counts of all answers are the sums of the counts of each."""
