"""Warm start: weights from a similar corpus are copied for shared words and supertags."""

import torch

from amparser.nn.encoders.encoder import encoder_of_train
from amparser.nn.heads.arcs import ArcNeeds
from amparser.nn.heads.tags import TagNeeds
from amparser.nn.scorer import Ensemble, Needs
from amparser.nn.settings import EncoderSettings
from amparser.nn.vocabulary import Vocabulary
from amparser.nn.warm_start import begin_with

SETTINGS = EncoderSettings(word_size=4, hidden_size=8)


def network(words: str, tags: str, operations: int = 1) -> Ensemble:
    vocabulary = Vocabulary(tuple(words), (1,) * len(words))
    arcs = ArcNeeds("additive", 5, 0.0, "zero", operations=operations, operation_size=5)
    needs = Needs(TagNeeds(len(tags), hidden_size=6, dropout=0.0), arcs)
    return Ensemble(needs, lambda: encoder_of_train(SETTINGS, vocabulary))


def test_rows_go_to_the_same_words_and_tags_and_others_stay_fresh() -> None:
    torch.manual_seed(0)
    old, new = network("abc", "xy"), network("cda", "zyx")
    given, fresh = old.state_dict(), {k: v.clone() for k, v in new.state_dict().items()}
    share = begin_with(new, "zyx", old, "xy")
    found = new.state_dict()
    words, tags = "0.encoder.words.weight", "0.heads.tags.out.weight"
    assert torch.equal(found[words][[0, 1, 2, 4]], given[words][[0, 1, 4, 2]])
    assert torch.equal(found[words][3], fresh[words][3])
    assert torch.equal(found[tags][[1, 2]], given[tags][[1, 0]])
    assert torch.equal(found[tags][0], fresh[tags][0])
    same = [name for name in found if found[name].shape == given[name].shape]
    assert len(same) > 10
    assert all(torch.equal(found[name], given[name]) for name in same if name != words)
    rows = 4 + 6 + 1  # rows of a word, and of the weights and the bias of a supertag
    assert share == 1 - rows / sum(weight.numel() for weight in new.parameters())


def test_weights_of_other_shapes_stay_fresh() -> None:
    old, new = network("ab", "xy", operations=2), network("ab", "xy", operations=3)
    fresh = {name: value.clone() for name, value in new.state_dict().items()}
    assert 0.5 < begin_with(new, "xy", old, "xy") < 1
    given = old.state_dict()
    others = [name for name, value in new.state_dict().items() if value.shape != given[name].shape]
    assert others
    assert all(torch.equal(new.state_dict()[name], fresh[name]) for name in others)
