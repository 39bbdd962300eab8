"""The benchmarks, one module or package each."""
