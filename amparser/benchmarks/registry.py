"""Registry of benchmarks, which other packages extend by entry points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amparser.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from amparser.evaluation.benchmark import Benchmark

BENCHMARKS: Registry[Benchmark] = Registry(
    "benchmark",
    "amparser.benchmarks",
    {
        "slog": "amparser.benchmarks.slog:SLOG",
        "cogs": "amparser.benchmarks.cogs:COGS",
        "sygns": "amparser.benchmarks.sygns.benchmark:SYGNS",
        "monotonicity": "amparser.benchmarks.monotonicity.benchmark:MONOTONICITY",
        "geoquery": "amparser.benchmarks.geoquery:GEOQUERY",
        "pmb": "amparser.benchmarks.pmb.benchmark:PMB",
        "eds": "amparser.benchmarks.eds.benchmark:EDS",
    },
)

COMMANDS: Registry[Callable[..., None]] = Registry(
    "command", "amparser.commands", {"infer": "amparser.benchmarks.monotonicity.commands:infer"}
)
"""Commands that benchmarks add as `amparser NAME`.

Their modules are imported when amparser starts, so they must not import heavy libraries.
"""
