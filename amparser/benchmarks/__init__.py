"""Benchmarks, with one module or package for each benchmark."""
