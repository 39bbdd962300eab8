"""Metrics whose counts can be summed over answers."""
