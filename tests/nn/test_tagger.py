"""The small tagger learns what it was given, and spells the labels of its tags."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from amparser.nn.tagger import Indexer, Tagger, TaggerSettings, WordIndex

LABELS = ["", "tall", "tall_one", "deep", "deep_one", "quiet"]
SENTENCES = [
    (("the", "tall", "lake"), (0, 1, 0)),
    (("with", "tall", "load"), (0, 2, 0)),
    (("the", "deep", "lake"), (0, 3, 0)),
]


def trained(*, spelled: bool) -> tuple[Tagger, Indexer]:
    torch.manual_seed(1)
    index = WordIndex.of([tokens for tokens, _ in SENTENCES], 512)
    tagger = Tagger(TaggerSettings(spelled_tags=spelled), len(index), LABELS, 0)
    indexer = Indexer(index)
    batch = indexer.batch([tokens for tokens, _ in SENTENCES])
    gold = torch.tensor([tags for _, tags in SENTENCES])
    optimizer = torch.optim.AdamW(tagger.parameters(), lr=5e-3)
    for _ in range(150):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(tagger(batch).tags.flatten(0, 1), gold.flatten())
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return tagger.eval(), indexer


@pytest.mark.parametrize("spelled", [True, False])
def test_a_tag_that_train_never_has_is_known_by_the_letters_of_its_label(spelled: bool) -> None:
    tagger, indexer = trained(spelled=spelled)
    with torch.no_grad():
        known = tagger(indexer.batch([tokens for tokens, _ in SENTENCES])).tags.argmax(-1)
        [scores] = tagger(indexer.batch([("with", "deep", "load")])).tags[:, 1].tolist()
    assert known.tolist() == [list(tags) for _, tags in SENTENCES]
    lead = scores[LABELS.index("deep_one")] - scores[LABELS.index("quiet")]
    assert (lead > 2) == spelled
