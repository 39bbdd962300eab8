"""Registry of systems by name. A new system is registered here or as an entry point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amparser.registry import Registry

if TYPE_CHECKING:
    from amparser.learn.system import System

SYSTEMS: Registry[System] = Registry(
    "system",
    "amparser.systems",
    {
        "amparser": "amparser.parser_system:AMPARSER",
        "transformer": "amparser.baselines.from_scratch:TRANSFORMER",
        "lstm": "amparser.baselines.from_scratch:LSTM",
        "bilstm": "amparser.baselines.from_scratch:BILSTM",
        "gru": "amparser.baselines.from_scratch:GRU",
        "t5": "amparser.baselines.pretrained:T5",
        "llama": "amparser.baselines.pretrained:LLAMA",
        "pair-lstm": "amparser.benchmarks.monotonicity.classifiers.scratch:PAIR_LSTM",
        "pair-treelstm": "amparser.benchmarks.monotonicity.classifiers.scratch:PAIR_TREELSTM",
        "pair-bert": "amparser.benchmarks.monotonicity.classifiers.classifier:PAIR_BERT",
    },
)
