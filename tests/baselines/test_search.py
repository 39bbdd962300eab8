"""Laws of greedy and beam search, against all outputs of a tiny vocabulary."""

from itertools import product

import pytest
import torch

from amparser.baselines.networks import Seq2SeqNetwork
from amparser.baselines.search import Hypothesis, search
from amparser.baselines.settings import NetworkSettings, SearchSettings
from amparser.baselines.vocabulary import BEGIN, END, PADDING, SPECIAL, padded
from amparser.learn.system_registry import SYSTEMS as REGISTRY

SMALL = NetworkSettings(hidden_size=16, embedding_size=12, heads=4, feedforward_size=20)
SYSTEMS = ("transformer", "lstm", "bilstm", "gru")
WORD_COUNT, LIMIT = 3, 3
ALL = WORD_COUNT**LIMIT * (WORD_COUNT + 1)


def network(system: str, seed: int) -> Seq2SeqNetwork:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        found = REGISTRY[system].build(SMALL, 8, WORD_COUNT + SPECIAL).eval()
        with torch.no_grad():
            for parameter in found.parameters():
                parameter.mul_(2)
        return found


SOURCE = padded([[4, 5, 6], [7], [5, 5]])


@torch.no_grad()
def exhaustive(found: Seq2SeqNetwork, row: int) -> Hypothesis:
    """Return the best of all outputs within the limit, each scored by `forward`."""
    source = SOURCE[[row]][:, SOURCE[row] != PADDING]
    best = None
    for length in range(LIMIT + 1):
        for words in product(range(SPECIAL, SPECIAL + WORD_COUNT), repeat=length):
            target = torch.tensor([[BEGIN, *words]])
            logp = found(source, target).log_softmax(2)[0]
            total = sum(float(logp[i, w]) for i, w in enumerate([*words, END]))
            one = Hypothesis(True, total, words)
            if best is None or one > best:
                best = one
    return best


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("seed", range(5))
def test_full_width_finds_the_best_of_all_outputs(system, seed) -> None:
    found = network(system, seed)
    settings = SearchSettings(beam_size=ALL, max_length=LIMIT)
    for row, one in enumerate(search(found, SOURCE, settings)):
        best = exhaustive(found, row)
        assert one.finished
        assert one.words == best.words
        assert one.logp == pytest.approx(best.logp, abs=1e-4)


@torch.no_grad()
def likeliest_words(found: Seq2SeqNetwork, row: int, limit: int) -> Hypothesis:
    source = SOURCE[[row]][:, SOURCE[row] != PADDING]
    words: list[int] = []
    total = 0.0
    while True:
        target = torch.tensor([[BEGIN, *words]])
        logp = found(source, target).log_softmax(2)[0, -1]
        word = max((END, *range(SPECIAL, SPECIAL + WORD_COUNT)), key=logp.__getitem__)
        if word != END and len(words) == limit:
            return Hypothesis(False, total, tuple(words))
        total += float(logp[word])
        if word == END:
            return Hypothesis(True, total, tuple(words))
        words.append(word)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("seed", range(10))
def test_beam_of_one_is_greedy_search(system, seed) -> None:
    found = network(system, seed)
    settings = SearchSettings(beam_size=1, max_length=12)
    for row, beam in enumerate(search(found, SOURCE, settings)):
        greedy = likeliest_words(found, row, 12)
        assert (beam.words, beam.finished) == (greedy.words, greedy.finished)
        assert beam.logp == pytest.approx(greedy.logp, abs=1e-4)


@pytest.mark.parametrize("width", [1, 3])
def test_endless_output_stops_at_the_limit(width) -> None:
    found = network("lstm", 0)
    with torch.no_grad():
        found.get_parameter("output.bias")[END] = -1e4
    settings = SearchSettings(beam_size=width, max_length=6)
    for one in search(found, SOURCE, settings):
        assert not one.finished
        assert len(one.words) == 6
        assert all(word >= SPECIAL for word in one.words)
