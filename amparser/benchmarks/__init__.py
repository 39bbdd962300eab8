"""The benchmarks, a module or package each."""
