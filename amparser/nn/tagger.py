"""A small tagger: words and their letters to tags, to whether holes are closed, and to arcs.

A token is embedded by its word (trained from scratch, dropped often), by the n-grams of its
letters (hashed, so that an unknown word still has some), by those that it begins with, which
forms of one word have in common, and by its shape. One bidirectional
LSTM reads the sentence; the embeddings go to the output beside its states. The vector of a tag is
one of its own and those of the n-grams of its label: what train has of `largest_one` and of
`smallest` says something of `smallest_one`, of which it may have next to nothing.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Annotated

import torch
from torch import Tensor, nn

from amparser.nn.dropout import Dropout
from amparser.nn.lstm import SentenceLSTM, padded
from amparser.nn.settings import Buckets, Few, Rate, Size
from amparser.schema import Range

UNKNOWN = 1
_PADDING = 0

_BEGINNING = 5
"""So many letters are a word's beginning."""
_LETTER_SCALE = 0.02
"""Of the initial embeddings: n-grams that training never sees say next to nothing."""


@dataclass(frozen=True, slots=True)
class TaggerSettings:
    """Sizes and dropout of a tagger.

    Attributes:
        word_size: width of the word embeddings, learned from scratch.
        letter_size: width of the embeddings of n-grams of letters.
        beginning_size: width of the embeddings of words' beginnings; 0 for none.
        buckets: number of hashed n-grams of letters, and of beginnings.
        hidden_size: width of the LSTM in each direction.
        layers: number of layers of the LSTM.
        arc_size: width of the vectors of head and dependent.
        word_dropout: probability that a word is unknown in training.
        letter_dropout: probability that the letters of such a word are unknown too.
        rare_dropout: a word seen c times in train is unknown with its letters with the
            probability rare_dropout / (rare_dropout + c^2): a new sentence's unknown words are
            mostly of the kinds of which train has many words once.
        dropout: dropout on embeddings and states.
        context_dropout: probability that the tags of a sentence are predicted from each word
            alone in training.
        window: tokens on each side that a convolution sees, which replaces the LSTM; 0 for the
            LSTM.
        spelled_tags: whether the n-grams of a tag's label are part of its vector.
    """

    word_size: Size = 64
    letter_size: Size = 64
    beginning_size: Annotated[int, Range(0, maximum=100_000)] = 64
    buckets: Buckets = 2048
    hidden_size: Size = 128
    layers: Few = 1
    arc_size: Size = 64
    word_dropout: Rate = 0.25
    letter_dropout: Rate = 0.1
    rare_dropout: Annotated[float, Range(0)] = 1.0
    dropout: Rate = 0.5
    context_dropout: Rate = 0.0
    window: Annotated[int, Range(0, maximum=100)] = 0
    spelled_tags: bool = True


def letter_ngrams(word: str, buckets: int) -> list[int]:
    """The hashed n-grams (3 to 5 letters, with the word's edges) of a word; 0 is padding."""
    text = f"<{word.lower()}>"
    grams = {text[i : i + n] for n in (3, 4, 5) for i in range(max(1, len(text) - n + 1))}
    return sorted(1 + zlib.crc32(gram.encode()) % (buckets - 1) for gram in grams)


def beginning_of(word: str, buckets: int) -> int:
    """The hashed beginning of a word; the word itself, if it is short."""
    return 1 + zlib.crc32(word.lower()[:_BEGINNING].encode()) % (buckets - 1)


def shape_of(word: str, first: bool) -> int:
    """0 to 5: lower case, capital, all capitals or digit; capitals apart at the beginning."""
    if any(letter.isdigit() for letter in word):
        return 5
    if len(word) > 1 and word.isupper():
        return 4
    if word[:1].isupper():
        return 2 if first else 1
    return 3 if first else 0


def _padded(rows: Sequence[Sequence[int]]) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[_PADDING] * (longest - len(row))] for row in rows])


@dataclass
class WordIndex:
    """The words of training (lower case) with their numbers."""

    numbers: dict[str, int]
    buckets: int

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]], buckets: int) -> WordIndex:
        """All words of these sentences."""
        words = Counter(token.lower() for sentence in sentences for token in sentence)
        return cls.from_words(sorted(words), buckets)

    @classmethod
    def from_words(cls, words: Sequence[str], buckets: int) -> WordIndex:
        """These words, numbered in their order."""
        return cls({word: i for i, word in enumerate(words, UNKNOWN + 1)}, buckets)

    def __len__(self) -> int:
        return len(self.numbers) + UNKNOWN + 1

    def counts(self, sentences: Iterable[Sequence[str]]) -> list[int]:
        """How often each number stands in sentences."""
        found = Counter(token.lower() for sentence in sentences for token in sentence)
        return [0] * (UNKNOWN + 1) + [found[word] for word in self.numbers]


@dataclass
class TokenBatch:
    """Sentences as numbers, padded.

    Attributes:
        words, shapes: `[B, N]`.
        spelling: `[B, N]`, the row of `letters` and `beginnings` with those of the token.
        letters: `[W, G]`, the n-grams of each different word of the batch; row 0 has none.
        beginnings: `[W]`, how each begins.
        lengths: `[B]`, in tokens.
    """

    words: Tensor
    spelling: Tensor
    letters: Tensor
    beginnings: Tensor
    shapes: Tensor
    lengths: Tensor

    @property
    def mask(self) -> Tensor:
        """`[B, N]`, where there is a token."""
        positions = torch.arange(self.words.shape[1], device=self.words.device)
        return positions[None, :] < self.lengths.to(self.words.device)[:, None]

    def to(self, device: torch.device) -> TokenBatch:
        """The batch on a device; lengths stay where they are, since they are read as numbers."""
        return TokenBatch(
            self.words.to(device),
            self.spelling.to(device),
            self.letters.to(device),
            self.beginnings.to(device),
            self.shapes.to(device),
            self.lengths,
        )


class Indexer:
    """Turns sentences into batches; remembers the n-grams of each word."""

    def __init__(self, index: WordIndex) -> None:
        self.index = index
        self._letters: dict[str, list[int]] = {}

    def _grams(self, word: str) -> list[int]:
        found = self._letters.get(word)
        if found is None:
            found = self._letters[word] = letter_ngrams(word, self.index.buckets)
        return found

    def batch(self, sentences: Sequence[Sequence[str]]) -> TokenBatch:
        """Sentences, none empty, as one batch."""
        longest = max(map(len, sentences))
        rows: dict[str, int] = {}
        words, spelling, shapes = [], [], []
        for sentence in sentences:
            padding = [_PADDING] * (longest - len(sentence))
            lower = [token.lower() for token in sentence]
            words.append([self.index.numbers.get(word, UNKNOWN) for word in lower] + padding)
            spelling.append([rows.setdefault(word, len(rows) + 1) for word in lower] + padding)
            kinds = [shape_of(token, t == 0) for t, token in enumerate(sentence)]
            shapes.append(kinds + padding)
        return TokenBatch(
            torch.tensor(words),
            torch.tensor(spelling),
            _padded([[_PADDING], *map(self._grams, rows)]),
            torch.tensor([_PADDING, *(beginning_of(w, self.index.buckets) for w in rows)]),
            torch.tensor(shapes),
            torch.tensor([len(s) for s in sentences]),
        )


@dataclass
class TaggerOutput:
    """Scores before normalisation.

    Attributes:
        tags: `[B, N, T]`.
        closed: `[B, N, D]`, for each kind of default, whether it stands in its place.
        arcs: `[B, N, N + 1]`, token below head; head 0 is the artificial root.
    """

    tags: Tensor
    closed: Tensor
    arcs: Tensor


def spelled_words(embedding: nn.Embedding, ngrams: Tensor) -> Tensor:
    """`[W, D]`: the embeddings of words by their n-grams of letters, `[W, G]`.

    Padding has no part in it, so that a word is the same in each batch.
    """
    known = ngrams != _PADDING
    summed = (embedding(ngrams) * known[:, :, None]).sum(dim=1)
    spelled: Tensor = summed / known.sum(dim=1, keepdim=True).clamp(min=1).sqrt()
    return spelled


class _SpelledTags(nn.Module):
    """What vectors of tags have of the n-grams of their labels.

    Nothing at first; no random number is drawn.
    """

    def __init__(self, labels: Sequence[str], buckets: int, size: int) -> None:
        super().__init__()
        rows = [letter_ngrams(label, buckets) if label else [] for label in labels]
        numbers = {gram: i for i, gram in enumerate(sorted({g for row in rows for g in row}))}
        self.grams: Tensor
        self.begins: Tensor
        self.shares: Tensor
        buffers = {
            "grams": torch.tensor(
                [numbers[gram] for row in rows for gram in row], dtype=torch.long
            ),
            "begins": torch.tensor([0, *accumulate(map(len, rows))][:-1]),
            "shares": torch.tensor([len(row) ** -0.5 for row in rows for _ in row]),
        }
        for name, values in buffers.items():
            self.register_buffer(name, values, persistent=False)
        self.vectors = nn.Parameter(torch.zeros(max(1, len(numbers)), size))

    def forward(self) -> Tensor:
        """`[T, size]`."""
        return nn.functional.embedding_bag(
            self.grams, self.vectors, self.begins, mode="sum", per_sample_weights=self.shares
        )


class Tagger(nn.Module):
    """See the module's docstring.

    Args:
        settings: sizes and dropout.
        word_count: how many words there are, padding and the unknown word included.
        tag_labels: what each tag is called; empty for tags that are no more than a number.
        default_count: how many kinds of defaults there are.
    """

    def __init__(
        self,
        settings: TaggerSettings,
        word_count: int,
        tag_labels: Sequence[str],
        default_count: int,
    ) -> None:
        super().__init__()
        self.settings = settings
        self.unknown_rates: Tensor
        rates = torch.zeros(word_count)
        self.register_buffer("unknown_rates", rates, persistent=False)
        self.words = nn.Embedding(word_count, settings.word_size, padding_idx=_PADDING)
        self.letters = nn.Embedding(settings.buckets, settings.letter_size, padding_idx=_PADDING)
        self.beginnings: nn.Embedding | None = None
        if settings.beginning_size:
            self.beginnings = nn.Embedding(
                settings.buckets, settings.beginning_size, padding_idx=_PADDING
            )
        self.shapes = nn.Embedding(6, 8)
        size = settings.word_size + settings.letter_size + settings.beginning_size + 8
        self.lstm = SentenceLSTM(size, settings.hidden_size, settings.layers, settings.dropout)
        self.convolution = nn.Conv1d(
            size, 2 * settings.hidden_size, 2 * settings.window + 1, padding=settings.window
        )
        self.dropout = Dropout(settings.dropout)
        both = 2 * settings.hidden_size
        self.hidden = nn.Linear(both + size, settings.hidden_size)
        self.tags = nn.Linear(settings.hidden_size + size, len(tag_labels))
        self.spelled_tags: _SpelledTags | None = None
        if settings.spelled_tags:
            known = settings.hidden_size + size
            self.spelled_tags = _SpelledTags(tag_labels, settings.buckets, known)
        self.closed = nn.Linear(both, max(1, default_count))
        self.dependent = nn.Linear(both, settings.arc_size)
        self.head = nn.Linear(both, settings.arc_size)
        self.root = nn.Parameter(torch.zeros(settings.arc_size))
        self.arc = nn.Parameter(torch.zeros(settings.arc_size, settings.arc_size))
        nn.init.normal_(self.words.weight, std=0.3)
        nn.init.normal_(self.letters.weight, std=_LETTER_SCALE)
        if self.beginnings is not None:
            nn.init.normal_(self.beginnings.weight, std=_LETTER_SCALE)
        nn.init.xavier_uniform_(self.arc)

    def count_words(self, counts: Sequence[int]) -> None:
        """Set how often each word is unknown in training, given how often train has each."""
        seen = torch.tensor(counts, dtype=torch.float).clamp(min=1)
        rare = self.settings.rare_dropout
        self.unknown_rates.copy_(rare / (rare + seen**2))

    def forward(self, batch: TokenBatch) -> TaggerOutput:
        """Score a batch."""
        words, spelling = batch.words, batch.spelling
        if self.training:
            rare = torch.rand(words.shape, device=words.device) < self.unknown_rates[words]
            drop = torch.rand(words.shape, device=words.device) < self.settings.word_dropout
            words = words.masked_fill((drop | rare) & (words != _PADDING), UNKNOWN)
            drop = drop & (
                torch.rand(words.shape, device=words.device) < self.settings.letter_dropout
            )
            spelling = spelling.masked_fill(drop | rare, _PADDING)
        # From here on there is no padding: `[T, ...]`, T tokens.
        lengths = batch.lengths.tolist()
        mask = batch.mask
        words, spelling = words[mask], spelling[mask]
        spelled = spelled_words(self.letters, batch.letters)
        grams = nn.functional.embedding(spelling, spelled)
        parts = [self.words(words), grams, self.shapes(batch.shapes[mask])]
        if self.beginnings is not None:
            parts.append(self.beginnings(batch.beginnings[spelling]))
        embedded = self.dropout(torch.cat(parts, dim=1))
        states = self.dropout(self._states(embedded, lengths))
        context = states
        if self.training and self.settings.context_dropout > 0:
            kept = torch.rand(len(lengths), 1, device=words.device) >= self.settings.context_dropout
            context = states * kept.repeat_interleave(batch.lengths.to(words.device), dim=0)
        hidden = self.dropout(torch.relu(self.hidden(torch.cat([context, embedded], dim=1))))
        vectors = self.tags.weight
        if self.spelled_tags is not None:
            vectors = vectors + self.spelled_tags()
        tags = nn.functional.linear(torch.cat([hidden, embedded], dim=1), vectors, self.tags.bias)
        dependent = padded(torch.relu(self.dependent(states)), lengths)
        head = padded(torch.relu(self.head(states)), lengths)
        root = self.root.expand(len(head), 1, -1)
        arcs = dependent @ self.arc @ torch.cat([root, head], dim=1).transpose(1, 2)
        outside = nn.functional.pad(~mask, (1, 0))
        arcs = arcs.masked_fill(outside[:, None, :], float("-inf"))
        return TaggerOutput(padded(tags, lengths), padded(self.closed(states), lengths), arcs)

    def _states(self, embedded: Tensor, lengths: Sequence[int]) -> Tensor:
        """What each token is in its sentence, `[T, 2 * hidden_size]`."""
        states: Tensor
        if not self.settings.window:
            states = self.lstm(embedded, lengths)
            return states
        columns = padded(embedded, lengths).transpose(1, 2)
        rows = torch.relu(self.convolution(columns)).transpose(1, 2)
        return torch.cat([row[:length] for row, length in zip(rows, lengths, strict=True)])
