"""The systems that classify pairs of sentences.

The `content` of a model folder holds `vocabulary`, or the configuration and tokenizer of a
pretrained classifier (`pretrained`). The folder holds all weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from amparser.baselines.pretrained import fingerprint
from amparser.baselines.system import Pair, PredictorSystem
from amparser.baselines.vocabulary import TokenVocabulary, vocabulary_from_json, vocabulary_of
from amparser.benchmarks.monotonicity.classifiers.classifier import (
    LABELS,
    PairClassifier,
    PairModel,
)
from amparser.benchmarks.monotonicity.classifiers.pretrained import (
    PretrainedClassifier,
    classifier_from_dict,
    read_classifier,
)
from amparser.benchmarks.monotonicity.classifiers.scratch import (
    ScratchClassifier,
    TreeClassifier,
    WordClassifier,
    read_vectors,
    words_of,
)
from amparser.benchmarks.monotonicity.classifiers.settings import (
    BertSettings,
    EncoderSizes,
    ScratchSettings,
)
from amparser.benchmarks.monotonicity.pairs import sides
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import InputError
from amparser.files import checksum
from amparser.grammar.library import load_library
from amparser.learn.model_folder import Head

ClassifierType = TypeVar("ClassifierType", bound=PairClassifier)


class PairSystem(PredictorSystem[ClassifierType]):
    """A kind of classifier; examples are pairs, their meanings labels."""

    kind = PairModel

    def notation(self, corpus: Corpus, named: str) -> str:
        """None, since labels have no notation."""
        return ""

    def target(self, example: Example, corpus: Corpus, notation: str) -> str:
        """The label; InputError if it is none."""
        if example.meaning not in LABELS:
            raise InputError(f"label {example.meaning!r}, expected {' or '.join(LABELS)}")
        return example.meaning


class ScratchPairSystem(PairSystem[ScratchClassifier]):
    """A classifier that is trained from scratch."""

    def __init__(
        self,
        name: str,
        about: str,
        make: Callable[[EncoderSizes, TokenVocabulary], ScratchClassifier],
    ) -> None:
        super().__init__(name, about)
        self.make = make

    @property
    def settings(self) -> ScratchSettings:
        """See `System`."""
        return ScratchSettings()

    def beginning(self, settings: ScratchSettings) -> object:
        """The checksum of the file of vectors."""
        return checksum(settings.network.vectors) if settings.network.vectors else None

    def fresh(self, settings: ScratchSettings, pairs: Sequence[Pair]) -> ScratchClassifier:
        """The vocabulary has the words of the pairs, and the grammar's words that have vectors."""
        words = {w for pair in pairs for part in sides(pair.tokens) for w in words_of(part)}
        sizes = settings.network
        if not sizes.vectors:
            return self.make(sizes, vocabulary_of([words]))
        known = words | load_library("monotonicity").vocabulary
        vectors = read_vectors(sizes.vectors, known, sizes.embedding_size)
        classifier = self.make(sizes, vocabulary_of([words | vectors.keys()]))
        classifier.take_vectors(vectors)
        return classifier

    def rebuilt(self, settings: ScratchSettings, head: Head) -> ScratchClassifier:
        """See the base class."""
        return self.make(settings.network, vocabulary_from_json(head.content, "vocabulary"))


class BertSystem(PairSystem[PretrainedClassifier]):
    """A pretrained classifier that is fine-tuned."""

    @property
    def settings(self) -> BertSettings:
        """See `System`."""
        return BertSettings()

    def beginning(self, settings: BertSettings) -> object:
        """What identifies the checkpoint."""
        return fingerprint(settings.pretrained.path)

    def fresh(self, settings: BertSettings, pairs: Sequence[Pair]) -> PretrainedClassifier:
        """The checkpoint with a fresh head."""
        return read_classifier(settings.pretrained)

    def rebuilt(self, settings: BertSettings, head: Head) -> PretrainedClassifier:
        """See the base class."""
        return classifier_from_dict(head.content.get("pretrained"))


PAIR_LSTM = ScratchPairSystem("pair-lstm", "an LSTM over premise and hypothesis", WordClassifier)
PAIR_TREELSTM = ScratchPairSystem(
    "pair-treelstm", "a TreeLSTM over premise and hypothesis", TreeClassifier
)
PAIR_BERT = BertSystem("pair-bert", "BERT fine-tuned on premise and hypothesis")
