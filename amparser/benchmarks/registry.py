"""The benchmarks by name. A new one is a module and a line here, or an entry point."""

from __future__ import annotations

from amparser.benchmarks.benchmark import Benchmark
from amparser.registry import Registry

BENCHMARKS: Registry[Benchmark] = Registry(
    "benchmark",
    "amparser.benchmarks",
    {
        "slog": "amparser.benchmarks.slog:SLOG",
        "cogs": "amparser.benchmarks.cogs:COGS",
        "sygns": "amparser.benchmarks.sygns:SYGNS",
        "monotonicity": "amparser.benchmarks.monotonicity.benchmark:MONOTONICITY",
    },
)
