"""Rare supertags are learned, and recognised by the letters of their labels."""

import pytest
import torch

from amparser.nn.encoders.encoder import encoder_of_train
from amparser.nn.heads.arcs import ArcNeeds
from amparser.nn.heads.head import class_loss
from amparser.nn.heads.tags import TagNeeds
from amparser.nn.scorer import Needs, Scorer
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.presets.settings import TreeSettings

LABELS = ["", "tall", "tall_one", "deep", "deep_one", "quiet"]
SENTENCES = [
    (("the", "tall", "lake"), (0, 1, 0)),
    (("with", "tall", "load"), (0, 2, 0)),
    (("the", "deep", "lake"), (0, 3, 0)),
]


def trained(*, spelled: bool) -> Scorer:
    torch.manual_seed(1)
    words = vocabulary_from_sentences(tokens for tokens, _ in SENTENCES)
    labels = LABELS if spelled else ()
    tags = TagNeeds(
        len(LABELS), 128, 0.5, labels=labels, buckets=512, words=True, words_beside=True
    )
    encoder = encoder_of_train(TreeSettings().encoder, words)
    scorer = Scorer(encoder, Needs(tags, ArcNeeds("bilinear", 8, 0.0, "content")))
    gold = torch.tensor([tag for _, tags in SENTENCES for tag in tags])
    optimizer = torch.optim.AdamW(scorer.parameters(), lr=5e-3)
    for _ in range(150):
        optimizer.zero_grad()
        reading = scorer.read([tokens for tokens, _ in SENTENCES])
        loss = class_loss(reading.tags, gold) / len(gold)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return scorer.eval()


@pytest.mark.parametrize("spelled", [True, False])
def test_an_unseen_tag_is_recognised_by_the_letters_of_its_label(spelled) -> None:
    scorer = trained(spelled=spelled)
    with torch.no_grad():
        known = scorer.read([tokens for tokens, _ in SENTENCES]).tags.argmax(-1)
        scores = scorer.read([("with", "deep", "load")]).tags[1].tolist()
    assert known.tolist() == [tag for _, tags in SENTENCES for tag in tags]
    lead = scores[LABELS.index("deep_one")] - scores[LABELS.index("quiet")]
    assert (lead > 2) == spelled
