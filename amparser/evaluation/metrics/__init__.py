"""Figures that add up: what is counted for one answer, summed, is what is counted for all."""
