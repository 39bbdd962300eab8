"""Monotonicity inference: replacements and their labels, natural logic, proofs."""
