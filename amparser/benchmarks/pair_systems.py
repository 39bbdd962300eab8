"""The systems that classify pairs of sentences, where the registry of systems finds them."""

from amparser.benchmarks.monotonicity.classifiers.model import (
    PAIR_BERT,
    PAIR_LSTM,
    PAIR_TREELSTM,
)

__all__ = ["PAIR_BERT", "PAIR_LSTM", "PAIR_TREELSTM"]
