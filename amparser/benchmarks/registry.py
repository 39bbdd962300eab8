"""The benchmarks by name. A new one is a module and a line here, or an entry point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amparser.registry import Registry

if TYPE_CHECKING:
    import typer

    from amparser.benchmarks.benchmark import Benchmark

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

COMMANDS: Registry[typer.Typer] = Registry(
    "command group",
    "amparser.commands",
    {"monotonicity": "amparser.benchmarks.monotonicity.commands:app"},
)
"""Groups of commands that a benchmark adds as `amparser NAME`; imported when amparser starts, so
their modules import nothing heavy."""
