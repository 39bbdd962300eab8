"""Classifiers that are trained from scratch: from words, or from the trees of the grammar."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from amparser.baselines.system import Pair
from amparser.baselines.vocabulary import (
    SPECIAL,
    UNKNOWN,
    TokenVocabulary,
    source_batch,
    vocabulary_from_json,
    vocabulary_of,
)
from amparser.benchmarks.monotonicity.classifiers.classifier import (
    EncoderSizes,
    PairClassifier,
    PairSystem,
    Row,
    ScratchSettings,
)
from amparser.benchmarks.monotonicity.classifiers.network import (
    Forest,
    LSTMEncoder,
    PairNetwork,
    SentenceEncoder,
    TreeLSTMEncoder,
    tree_of,
)
from amparser.benchmarks.monotonicity.pairs import sides
from amparser.benchmarks.monotonicity.reading import derivation_of, fragment
from amparser.errors import InputError, located
from amparser.files import checksum
from amparser.learn.model_folder import Head

Sentence: TypeAlias = tuple[int, ...]
Vector: TypeAlias = npt.NDArray[np.float32]

_END = "."


class ScratchClassifier(PairClassifier):
    """A network, drawn from torch's global generator, and the words of training."""

    network: PairNetwork

    def __init__(
        self, encoder: SentenceEncoder, sizes: EncoderSizes, vocabulary: TokenVocabulary
    ) -> None:
        super().__init__(PairNetwork(encoder, sizes), sizes.hidden_size)
        self.vocabulary = vocabulary

    @abstractmethod
    def sentence(self, tokens: Sequence[str]) -> Sentence:
        """A sentence as numbers; raises InputError if it cannot be read."""

    @abstractmethod
    def length(self, sentence: Sentence) -> int:
        """The size of a sentence."""

    @abstractmethod
    def batch(self, sentences: Sequence[Sentence]) -> tuple[Any, ...]:
        """The arguments of the encoder for a batch of sentences."""

    def read(self, premise: Sequence[str], hypothesis: Sequence[str]) -> Row:
        """See the base class."""
        found = []
        for name, tokens in (("premise", premise), ("hypothesis", hypothesis)):
            try:
                found.append(self.sentence(tokens))
            except InputError as error:
                raise InputError(f"{name}: {error}") from None
        return found[0], found[1]

    def sizes(self, row: Row) -> tuple[int, int]:
        """See the base class."""
        return self.length(row[0]), self.length(row[1])

    def scores(self, rows: Sequence[Row]) -> Tensor:
        """See the base class; repeated sentences are encoded once."""
        numbers = {s: i for i, s in enumerate(dict.fromkeys(s for row in rows for s in row))}
        pairs = torch.tensor([[numbers[s] for s in row] for row in rows], device=self.device)
        states = self.network.encoder(*self.batch(list(numbers)))
        return cast("Tensor", self.network(states, pairs))

    def unknown(self, tokens: Sequence[str]) -> list[str]:
        """See the base class."""
        known = set(self.vocabulary.words)
        return [word for word in dict.fromkeys(words_of(tokens)) if word not in known]

    def to_dict(self) -> dict[str, Any]:
        """The vocabulary."""
        return {"vocabulary": list(self.vocabulary.words)}

    @torch.no_grad()
    def take_vectors(self, vectors: Mapping[str, Vector]) -> None:
        """Set the embeddings of words to these vectors `[E]`."""
        table = self.network.encoder.embedding.table.weight
        for word, vector in vectors.items():
            table[self.vocabulary.ids([word])[0]] = torch.from_numpy(vector).to(table)


class WordClassifier(ScratchClassifier):
    """LSTM layers over the ids of words."""

    def __init__(self, sizes: EncoderSizes, vocabulary: TokenVocabulary) -> None:
        super().__init__(LSTMEncoder(sizes, len(vocabulary)), sizes, vocabulary)

    def sentence(self, tokens: Sequence[str]) -> Sentence:
        """The ids; raises InputError if there is no word."""
        if not (words := words_of(tokens)):
            raise InputError("expected a sentence, found only its end")
        return tuple(self.vocabulary.ids(words))

    def length(self, sentence: Sentence) -> int:
        """The number of words."""
        return len(sentence)

    def batch(self, sentences: Sequence[Sentence]) -> tuple[Any, ...]:
        """Padded ids and lengths."""
        return tuple(tensor.to(self.device) for tensor in source_batch(sentences))


class TreeClassifier(ScratchClassifier):
    """A TreeLSTM over trees, which are numbers in a forest; each sentence is parsed once."""

    def __init__(self, sizes: EncoderSizes, vocabulary: TokenVocabulary) -> None:
        super().__init__(TreeLSTMEncoder(sizes, len(vocabulary)), sizes, vocabulary)
        self._ids = {word: i for i, word in enumerate(vocabulary.words, SPECIAL)}
        self._forest = Forest()
        self._roots: dict[tuple[str, ...], int | InputError] = {}

    def sentence(self, tokens: Sequence[str]) -> Sentence:
        """The number of its tree; raises InputError if the grammar has none."""
        key = tuple(tokens)
        if key not in self._roots:
            try:
                tree = tree_of(derivation_of(key))
                self._roots[key] = self._forest.add(tree, self._ids, UNKNOWN)
            except InputError as error:
                self._roots[key] = error
        found = self._roots[key]
        if isinstance(found, InputError):
            raise found
        return (found,)

    def length(self, sentence: Sentence) -> int:
        """The number of its different subtrees."""
        return len(self._forest.below(sentence[0]))

    def batch(self, sentences: Sequence[Sentence]) -> tuple[Any, ...]:
        """Words, children and roots, as in `Levels`."""
        return self._forest.levels([root for (root,) in sentences]).to(self.device)


def words_of(tokens: Sequence[str]) -> tuple[str, ...]:
    """The tokens in lower case, without the final point.

    >>> words_of(["Some", "dogs", "ran", "."])
    ('some', 'dogs', 'ran')
    """
    words = tuple(token.lower() for token in tokens)
    return words[:-1] if words[-1:] == (_END,) else words


def read_vectors(path: str | Path, words: Collection[str], size: int) -> dict[str, Vector]:
    """The vectors of words from a file in GloVe's text format; words that it lacks are left out.

    A line is a word (it may contain spaces) and `size` numbers, separated by spaces. If a
    word occurs twice, the first line counts.

    Raises:
        InputError: the message names file and line, and what was expected.
    """
    found: dict[str, Vector] = {}
    try:
        with Path(path).open("rb") as file:
            for number, line in enumerate(file, 1):
                word, *numbers = line.rstrip().rsplit(b" ", size)
                text = word.decode("utf-8", errors="replace")
                problem = None
                if len(numbers) != size or not word:
                    count = len(line.split()) - 1
                    problem = f"expected a word and {size} numbers, found {count} numbers"
                elif text in words and text not in found:
                    try:
                        found[text] = np.array([float(n) for n in numbers], dtype=np.float32)
                    except ValueError as error:
                        problem = f"expected numbers: {error}"
                    else:
                        finite = np.isfinite(found[text]).all()
                        problem = None if finite else "expected finite numbers"
                if problem is not None:
                    raise InputError(located(problem, path=path, line=number))
    except OSError as error:
        raise InputError(located(error.strerror or str(error), path=path)) from None
    return found


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
        known = words | fragment().vocabulary
        vectors = read_vectors(sizes.vectors, known, sizes.embedding_size)
        classifier = self.make(sizes, vocabulary_of([words | vectors.keys()]))
        classifier.take_vectors(vectors)
        return classifier

    def rebuilt(self, settings: ScratchSettings, head: Head) -> ScratchClassifier:
        """See the base class."""
        return self.make(settings.network, vocabulary_from_json(head.content, "vocabulary"))


PAIR_LSTM = ScratchPairSystem("pair-lstm", "an LSTM over premise and hypothesis", WordClassifier)
PAIR_TREELSTM = ScratchPairSystem(
    "pair-treelstm", "a TreeLSTM over premise and hypothesis", TreeClassifier
)
