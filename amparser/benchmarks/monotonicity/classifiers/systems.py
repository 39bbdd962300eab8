"""The classifiers that are trained from scratch, by name."""

from __future__ import annotations

from amparser.baselines.vocabulary import TokenVocabulary
from amparser.benchmarks.monotonicity.classifiers.network import (
    PairNetwork,
    ScratchClassifier,
    SentenceEncoder,
    SentenceStore,
)
from amparser.benchmarks.monotonicity.classifiers.recurrent import LSTMEncoder, WordStore
from amparser.benchmarks.monotonicity.classifiers.settings import EncoderSizes
from amparser.benchmarks.monotonicity.classifiers.treelstm import TreeLSTMEncoder, TreeStore
from amparser.benchmarks.monotonicity.fragment import Fragment


def classifier_of(
    system: str,
    sizes: EncoderSizes,
    vocabulary: TokenVocabulary,
    fragment: Fragment | None = None,
) -> ScratchClassifier:
    """A classifier with fresh weights, drawn from torch's global generator.

    Args:
        system: its name.
        sizes: the sizes of its layers; vectors are not read.
        vocabulary: the words of training.
        fragment: for a TreeLSTM, the grammar of its trees.
    """
    encoder: SentenceEncoder
    store: SentenceStore
    if system == "pair-treelstm":
        encoder = TreeLSTMEncoder(sizes, len(vocabulary))
        store = TreeStore(vocabulary, fragment)
    else:
        encoder = LSTMEncoder(sizes, len(vocabulary))
        store = WordStore(vocabulary)
    return ScratchClassifier(PairNetwork(encoder, sizes), store, vocabulary)
