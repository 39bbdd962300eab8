"""Learn the package's word senses from sentences whose words have senses of WordNet 3.0.

    python learn_senses.py WORDNET SEMCOR BANK WITHOUT FILE [--states FILE]

WORDNET is Debian's folder `/usr/share/wordnet`. SEMCOR is a gzipped file of SemCor 3.0: a JSON
object per line, with `tokens` and `senses`, rows of start, end and sense. BANK is the train file of
the Parallel Meaning Bank 4.0, and WITHOUT has the ids of sentences that are left out.

A sense has features: its synset, all hypernyms and the lexicographer's file (see Vial et al. 2019).
Its score is the sum of the features' biases, a function of its rank and frequency, and the product
of the features' vectors with a layer over the state of the word. Features that are rarely right are
left out, so that senses without examples share all their features with others.
"""

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from distil_wordnet import Place, WordNet
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch import Tensor, nn

from amparser.benchmarks.pmb.reading import read_bank
from amparser.lexicon.senses import CHECKSUM, ENCODER, ambiguous_words
from amparser.nn.pretrained import CHECKPOINTS, shared_encoder

SIZE = 32
"""Width of the vectors."""
EPOCHS, BATCH, RATE, DECAY = 3, 1024, 5e-3, 1e-3
WEIGHT = 8.0
"""Weight of a word of the bank; a word of SemCor has 1."""
LEAST = 10
"""Minimum number of occurrences that have a feature."""
DROPOUT, FEATURE_DROPOUT = 0.3, 0.4
LONGEST = 90
"""Maximum words of a sentence."""
_SENSE = re.compile(r"(.+)\.([nvar])\.(\d+)")
_PARTS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
"""Parts of speech by the first digit of WordNet's sense keys."""

Array = NDArray[Any]


class Marked(NamedTuple):
    """Sentence with senses.

    Attributes:
        words: the words.
        senses: start and end, part of speech with lemma, and number of the sense, all from 0.
    """

    words: Sequence[str]
    senses: Sequence[tuple[int, int, tuple[str, str], int]]


class Inventory(NamedTuple):
    """The senses of all ambiguous words, in the order of `ambiguous_words`.

    Attributes:
        first: number of the first sense of each word.
        features: feature names of each sense.
        counts: `[S]`, frequency of each sense in WordNet's tagged texts.
        count_of: number of senses of each word.
    """

    first: dict[tuple[str, str], int]
    features: list[list[str]]
    counts: Array
    count_of: dict[tuple[str, str], int]


def features_of(wordnet: WordNet, place: Place) -> list[str]:
    """Return the lexicographer's file, the synset and its hypernyms."""
    found: dict[Place, None] = {place: None}
    for up in (queue := [place]):
        synset = wordnet.synsets[up]
        # A satellite adjective is similar to its head.
        above = synset.to("@", "@i", *("&" if synset.satellite else ""))
        queue += [one for one in above if one not in found]
        found |= dict.fromkeys(above)
    return [f"file {wordnet.synsets[place].file}", *(f"{part}{at}" for part, at in found)]


def inventory_of(wordnet: WordNet) -> Inventory:
    """Return the senses of the words that have several."""
    counts: Counter[tuple[tuple[str, str], int]] = Counter()
    for key, number, count in map(str.split, wordnet.lines("cntlist.rev")):
        lemma, _, rest = key.partition("%")
        counts[(_PARTS[rest[0]], lemma), int(number)] += int(count)
    places = {(part, word): senses for word, part, senses in wordnet.index}
    first = ambiguous_words()
    return Inventory(
        first,
        [features_of(wordnet, place) for word in first for place in places[word]],
        np.array([counts[w, k] for w in first for k, _ in enumerate(places[w], 1)], np.float64),
        {word: len(places[word]) for word in first},
    )


def marked(
    words: Sequence[str], senses: Sequence[tuple[int, int, str]], inventory: Inventory
) -> Marked:
    """Return a sentence with the senses that the inventory has."""
    found = []
    for start, end, name in senses:
        if match := _SENSE.fullmatch(name):
            word, number = (match[2], match[1].lower()), int(match[3]) - 1
            if 0 <= number < inventory.count_of.get(word, 0):
                found.append((start, end, word, number))
    return Marked(words, found)


def read_semcor(path: Path, inventory: Inventory) -> Iterator[Marked]:
    """Yield the sentences of SemCor."""
    quotes = {"``": '"', "''": '"'}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            yield marked([quotes.get(w, w) for w in row["tokens"]], row["senses"], inventory)


def read_train(path: Path, without: Path, inventory: Inventory) -> Iterator[Marked]:
    """Yield the sentences of the bank, without the ids of a file."""
    barred = set(without.read_text(encoding="utf-8").split())
    for example in read_bank(path):
        layers = dict(example.layers)
        if example.id not in barred and "sense" in layers:
            words: list[str] = []
            senses: list[tuple[int, int, str]] = []
            for text, sense in zip(layers["tok"], layers["sense"], strict=True):
                start = len(words)
                words += text.split()
                senses.append((start, len(words), sense))
            yield marked(words, senses, inventory)


@torch.inference_mode()
def states_of(sentences: Sequence[Marked]) -> Array:
    """Return `[N, H]`, the mean state of the words of each sense, in half precision."""
    encoder = shared_encoder(ENCODER)
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i].words))
    found: dict[int, list[Tensor]] = {}
    for at in range(0, len(order), 32):
        rows = order[at : at + 32]
        states = encoder(encoder.batch([sentences[i].words for i in rows]))
        for i, state in zip(rows, states, strict=True):
            found[i] = [state[start:end].mean(0).half() for start, end, _, _ in sentences[i].senses]
    return torch.stack([one for i in range(len(order)) for one in found[i]]).numpy()


class Occurrences(NamedTuple):
    """Occurrences of ambiguous words.

    Attributes:
        states: `[N, H]`.
        first: `[N]`, number of the first sense of the word.
        sizes: `[N]`, number of senses of the word.
        right: `[N]`, the correct sense.
        weights: `[N]`; SemCor has 1, and WordNet counted its senses.
    """

    states: Array
    first: Array
    sizes: Array
    right: Array
    weights: Array


class SenseScorer(nn.Module):
    """Scores of senses.

    Args:
        features: `[S, F]`, numbers of the features of each sense; 0 is none.
        counts: `[S]`, frequency of the senses.
        width: width of the states.
    """

    def __init__(self, features: Tensor, counts: Array, width: int) -> None:
        super().__init__()
        self.features, self.counts = features, counts
        kinds = int(features.max()) + 1
        self.vectors = nn.Embedding(kinds, SIZE, padding_idx=0)
        # Bias in any text, and in the bank.
        self.bias = nn.Embedding(kinds, 2, padding_idx=0)
        self.layer = nn.Linear(width, SIZE)
        self.ranks = nn.Linear(8, 2, bias=False)
        nn.init.normal_(self.vectors.weight, std=0.1)
        for weight in (self.bias.weight, self.ranks.weight):
            nn.init.zeros_(weight)
        with torch.no_grad():
            self.vectors.weight[0] = 0

    def priors(self, features: Tensor, counts: Array, rank: Array, word: Array) -> Tensor:
        """Return `[P, 2]`, scores of senses without context, in any text and in the bank.

        Args:
            features: `[P, F]`.
            counts: `[P]`, frequencies.
            rank: `[P]`, numbers of the senses of their words, from 0.
            word: `[P]`, ascending numbers of the words.
        """
        total = np.bincount(word, counts)[word]
        several, is_tagged = np.bincount(word)[word], total > 0
        columns = [rank == 0, rank == 1, np.log1p(rank)]
        rows = [part * side for part in columns for side in (is_tagged, ~is_tagged)]
        rows += [np.log((counts + 0.5) / (total + 0.5 * several)), (counts == 0) & is_tagged]
        known = torch.from_numpy(np.stack(rows, 1).astype(np.float32))
        prior = self.bias(features).sum(1) + self.ranks(known)
        return torch.stack([prior[:, 0], prior.sum(1)], 1)

    def loss(self, given: Occurrences) -> Tensor:
        """Return the mean negative log-probability of the correct senses."""
        word = np.repeat(np.arange(len(given.sizes)), given.sizes)
        start = np.cumsum(given.sizes) - given.sizes
        rank = np.arange(len(word)) - start[word]
        senses, right = given.first[word] + rank, start + given.right
        is_bank = given.weights > 1
        counts = self.counts[senses]
        # WordNet counted the occurrence itself.
        counts[right] -= np.minimum(counts[right], 1 - is_bank)
        features = self.features[senses]
        features = features.masked_fill(torch.rand(features.shape) < FEATURE_DROPOUT, 0)
        state = nn.functional.dropout(torch.from_numpy(given.states), DROPOUT)
        query = torch.tanh(self.layer(state))[word]
        scores = (self.vectors(features).sum(1) * query).sum(1)
        scores = (
            scores + self.priors(features, counts, rank, word)[range(len(word)), is_bank[word] * 1]
        )
        rows = torch.full((len(given.sizes), int(given.sizes.max())), -torch.inf)
        rows[word, rank] = scores
        logp = torch.log_softmax(rows, 1)[range(len(rows)), given.right]
        weights = torch.from_numpy(given.weights.astype(np.float32))
        return -(logp * weights).sum() / weights.sum()


def numbered(inventory: Inventory, sentences: Sequence[Sequence[Marked]]) -> Tensor:
    """Return `[S, F]`, numbers from 1 of the features of each sense, padded with 0."""
    often: Counter[str] = Counter()
    for sentence in (one for corpus in sentences for one in corpus):
        for _, _, word, sense in sentence.senses:
            often.update(inventory.features[inventory.first[word] + sense])
    number = {name: i for i, name in enumerate(sorted(often), 1) if often[name] >= LEAST}
    rows = [[number[f] for f in names if f in number] for names in inventory.features]
    return nn.utils.rnn.pad_sequence([torch.tensor(row, dtype=torch.long) for row in rows], True)


def learn(scorer: SenseScorer, given: Occurrences) -> None:
    """Train the scorer."""
    tables = [*scorer.vectors.parameters(), *scorer.bias.parameters()]
    others = [*scorer.layer.parameters(), *scorer.ranks.parameters()]
    groups = [{"params": tables, "weight_decay": DECAY}, {"params": others, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=RATE)
    steps = EPOCHS * -(-len(given.right) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda t: max(0.02, 1 - t / steps))
    for epoch in range(EPOCHS):
        losses = []
        for rows in torch.randperm(len(given.right)).split(BATCH):  # type: ignore[no-untyped-call]
            loss = scorer.loss(Occurrences(*(part[rows.numpy()] for part in given)))
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.3f}", flush=True)


@torch.inference_mode()
def packed(
    scorer: SenseScorer, inventory: Inventory, mean: Array, scale: Array
) -> dict[str, Array]:
    """Return the tensors of the file; states were reduced by `mean` and divided by `scale`."""
    several = [*inventory.count_of.values()]
    word = np.repeat(np.arange(len(several)), several)
    rank = np.arange(len(word)) - np.repeat([*inventory.first.values()], several)
    prior = scorer.priors(scorer.features, inventory.counts, rank, word)[:, 1]
    classes, of_class = torch.unique(scorer.features, dim=0, return_inverse=True)
    vectors = scorer.vectors(classes).sum(1)
    step = float(vectors.abs().max()) / 127
    projection = scorer.layer.weight.numpy() / scale
    return {
        "prior": prior.numpy().astype(np.float16),
        "of_class": of_class.numpy().astype(np.uint16),
        "vectors": (vectors / step).round().numpy().astype(np.int8),
        "scale": np.array(step, np.float32),
        "projection": projection.astype(np.float16),
        "offset": (scorer.layer.bias.numpy() - projection @ mean).astype(np.float16),
    }


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("wordnet", "semcor", "bank", "without", "output"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--states", type=Path, help="file (.npy) that keeps the states")
    options = parser.parse_args()
    torch.manual_seed(1)
    inventory = inventory_of(WordNet(options.wordnet))
    rows = read_semcor(options.semcor, inventory)
    semcor = [row for row in rows if row.senses and len(row.words) <= LONGEST]
    bank = [row for row in read_train(options.bank, options.without, inventory) if row.senses]
    if options.states and options.states.exists():
        states = np.load(options.states)
    else:
        states = states_of([*semcor, *bank])
        if options.states:
            np.save(options.states, states)
    found = [
        (w, k, weight)
        for corpus, weight in ((semcor, 1.0), (bank, WEIGHT))
        for row in corpus
        for _, _, w, k in row.senses
    ]
    mean: Array = states.mean(axis=0, dtype=np.float64)
    scale: Array = states.std(axis=0, dtype=np.float64)
    given = Occurrences(
        ((states - mean) / scale).astype(np.float32),
        np.array([inventory.first[word] for word, _, _ in found]),
        np.array([inventory.count_of[word] for word, _, _ in found]),
        np.array([sense for _, sense, _ in found]),
        np.array([weight for _, _, weight in found]),
    )
    scorer = SenseScorer(numbered(inventory, [semcor, bank]), inventory.counts, states.shape[1])
    learn(scorer, given)
    tensors = packed(scorer, inventory, mean, scale)
    save_file(tensors, options.output, {CHECKSUM: CHECKPOINTS[ENCODER].sha256})
    size = options.output.stat().st_size / 1e6
    print(f"{len(given.right)} occurrences, {len(tensors['vectors'])} classes, {size:.2f} MB")


if __name__ == "__main__":
    main()
