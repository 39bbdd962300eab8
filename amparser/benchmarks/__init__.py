"""Benchmarks; each has its own module or package."""
