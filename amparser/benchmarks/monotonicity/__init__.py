"""Monotonicity inference (Yanaka et al. 2020)."""
