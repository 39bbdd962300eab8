"""What is learned of pieces of graphs: rows as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from amparser.algebra.derivation import FIRST_BOX
from amparser.compositions.graphs.gold import GoldRows
from amparser.compositions.settings import GraphSettings
from amparser.induction.fragments import Row
from amparser.learn.batches import epoch_batches
from amparser.learn.ensemble_task import Samples
from amparser.lexicon.graph_inventory import Inventory, label_of, slots_of, tags_of, word_of
from amparser.lexicon.offers import Candidate, Offers
from amparser.lexicon.scripts import script_of
from amparser.nn.heads import head as heads
from amparser.nn.heads.boxes import ABOVE, LEVELS, SCOPE
from amparser.nn.heads.fillers import tensors_of
from amparser.nn.heads.head import IGNORED


@dataclass(frozen=True)
class Numbers:
    """A row as numbers; tokens count from 0, and from 1 as heads (0: the root).

    Attributes:
        tags, introduced: of each token.
        fills: token, script or -1, number of the right candidate or -1, and the candidates, of
            each slot, and of slots as if their words were unknown.
        filler: of the first slot of each token, and its text; 0 for none.
        arcs: token, head and label of the arcs of the tree.
        extra: child, parent and label of other arcs.
        scope, above: token, place of the box (0: first) and which of the boxes there.
        auxiliary: for each layer that is learned beside, the item of each token.
    """

    tags: list[int]
    introduced: list[int]
    fills: list[tuple[int, int, int, Sequence[Candidate]]]
    filler: list[tuple[int, int]]
    arcs: list[tuple[int, int, int]]
    extra: list[tuple[int, int, int]]
    scope: list[tuple[int, int, int]]
    above: list[tuple[int, int, int]]
    auxiliary: list[list[int]]


def numbers_of(
    row: Row,
    inventory: Inventory,
    offers: Offers,
    auxiliary: Sequence[Mapping[str | None, int]] = (),
) -> Numbers:
    """A row as numbers; `auxiliary` numbers the items of each layer that is learned beside."""
    derivation, boxes = row.derivation, row.derivation.boxes
    tags = tags_of(derivation)
    fills: list[tuple[int, int, int, Sequence[Candidate]]] = []
    filler = [(0, 0)] * len(row.units)
    arcs, scope, above = [], [], []
    boxed = any(boxes.introduced)
    for token, tag in enumerate(tags):
        if boxes.introduced[token]:
            above.append((token, *_place(boxes.above[token])))
        if isinstance(tag, str):
            continue
        number_of_label = inventory.label_number[label_of(derivation, token)]
        arcs.append((token, derivation.heads[token] + 1, number_of_label))
        if boxed:
            scope.append((token, *_place(boxes.within[token])))
        word = word_of(row.units, derivation.operations, token)
        for number, (label, text) in enumerate(
            zip(slots_of(tag), derivation.fillers[token], strict=True)
        ):
            slot = inventory.slots[label]
            form = slot.spelling.form(word)
            candidates = slot.candidates(form)
            right = candidates.index(text) if text in candidates else IGNORED
            script = inventory.script_number.get(script_of(form, slot.text(text)), IGNORED)
            script = script if number == 0 else IGNORED
            fills.append((token, script, right, offers.known(candidates)))
            offered = offers.of(label, form, row.language)
            texts = [one.filler for one in offered]
            if text in texts:
                fills.append((token, IGNORED, texts.index(text), offered))
            if number == 0:
                filler[token] = inventory.numbers_of_filler(text)
    extra = [(c, p + 1, inventory.label_number[links]) for p, c, links in derivation.beside]
    return Numbers(
        [inventory.tag_number[tag] for tag in tags],
        [inventory.introduced_number[row_] for row_ in boxes.introduced],
        fills,
        filler,
        arcs,
        extra,
        scope,
        above,
        [
            [number.get(item, IGNORED) for item in items]
            for number, items in zip(auxiliary, row.auxiliary, strict=True)
        ],
    )


def _place(place: tuple[int, int]) -> tuple[int, int]:
    if place == FIRST_BOX:
        return 0, 0
    return place[0] + 1, min(place[1], LEVELS - 1)


class GraphSamples(Samples[Sequence[int]]):
    """Gold rows, as numbers.

    Args:
        gold: what to learn from.
        settings: all settings.
    """

    def __init__(self, gold: GoldRows, settings: GraphSettings) -> None:
        self._rows = gold.train
        self._settings = settings.train
        learned = gold.learned
        auxiliary: list[dict[str | None, int]] = [
            {item: number for number, item in enumerate(items)} for items in learned.auxiliary
        ]
        offers = Offers(learned.inventory, learned.languages, settings.data.bilingual)
        self._numbers = [
            numbers_of(row, learned.inventory, offers, auxiliary) for row in gold.train
        ]
        self._lengths = np.array([[len(row.units), 0] for row in gold.train])

    def drawn(self, member: int, number: int) -> Sequence[Sequence[int]]:
        """See `Samples`."""
        count = len(self._lengths)
        rows = np.tile(np.arange(count), self._settings.times(count))
        batches = epoch_batches(self._lengths[rows], self._settings, number * 101 + member)
        return [rows[part].tolist() for part in batches]

    def gold(self, examples: Sequence[int]) -> tuple[Sequence[Sequence[str]], heads.Gold]:
        """See `Samples`."""
        numbers = [self._numbers[i] for i in examples]
        return [self._rows[i].tokens for i in examples], gold_of_numbers(numbers)


def gold_of_numbers(rows: Sequence[Numbers]) -> heads.Gold:
    """The rows of a batch, padded to the longest."""

    def padded(values: Iterable[Sequence[object]], padding: object = IGNORED) -> Tensor:
        tensors = [torch.tensor(row) for row in values]
        return pad_sequence(tensors, True, padding)  # type: ignore[arg-type]

    def places(name: str) -> list[tuple[int, ...]]:
        return [(b, *place) for b, row in enumerate(rows) for place in getattr(row, name)]

    above = [[IGNORED] * len(row.tags) for row in rows]
    for b, token, head, _ in places("arcs"):
        above[b][token] = head
    extra = places("extra")
    fills = [(b, *fill) for b, row in enumerate(rows) for fill in row.fills]
    choices = [fill for fill in fills if fill[3] >= 0 and len(fill[4]) > 1]
    told = tensors_of([fill[4] for fill in choices]) if choices else (None, None)
    return heads.Gold(
        tags=padded(row.tags for row in rows),
        heads=padded(above),
        labels=torch.tensor(places("arcs") + extra),
        beside=_rows([arc[:3] for arc in extra]),
        fillers=padded((row.filler for row in rows), 0),
        scripts=_rows([fill[:3] for fill in fills]),
        choices=_rows([(*fill[:2], fill[3]) for fill in choices]),
        candidates=told[0],
        offers=told[1],
        introduced=padded(row.introduced for row in rows),
        places={name: torch.tensor(places(name)) for name in (SCOPE, ABOVE) if places(ABOVE)},
        auxiliary=tuple(
            padded(row.auxiliary[number] for row in rows)
            for number in range(len(rows[0].auxiliary))
        ),
    )


def _rows(rows: Sequence[Sequence[int]]) -> Tensor | None:
    return torch.tensor(rows) if rows else None
