"""Benchmarks, one module or package each."""
