"""The task of a layered parser: rows as numbers, and their losses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from amparser.graph.sgraph import isomorphic
from amparser.layered.analysis import FIRST_BOX, JOINED, ROOT
from amparser.layered.gold import Gold
from amparser.layered.inventory import Inventory, root_label, word_of
from amparser.layered.network import LEVELS, LayeredNetwork
from amparser.layered.rows import Row
from amparser.layered.scoring import ABOVE, SCOPE
from amparser.layered.search import Search
from amparser.layered.settings import LayeredSettings
from amparser.learn.batches import epoch_batches
from amparser.learn.task import WHOLE, Losses, Mean, Share
from amparser.lexicon.scripts import script_of

_IGNORED = -100


@dataclass(frozen=True)
class Numbers:
    """A row as numbers; tokens count from 0, and from 1 as heads (0: the root).

    Attributes:
        tags, introduced: of each token.
        fills: token, script or -1, number of the right candidate, and candidates, of each slot.
        filler: of the first slot of each token, and its text; 0 for none.
        arcs: token, head and label of the arcs of the tree.
        extra: child, parent and label of other arcs.
        scope, above: token, place of the box (0: first) and which of the boxes there.
        auxiliary: for each layer that is learned beside, the item of each token.
    """

    tags: list[int]
    introduced: list[int]
    fills: list[tuple[int, int, int, list[int]]]
    filler: list[tuple[int, int]]
    arcs: list[tuple[int, int, int]]
    extra: list[tuple[int, int, int]]
    scope: list[tuple[int, int, int]]
    above: list[tuple[int, int, int]]
    auxiliary: list[list[int]]


def numbers_of(
    row: Row, inventory: Inventory, auxiliary: Sequence[Mapping[str | None, int]] = ()
) -> Numbers:
    """A row as numbers; `auxiliary` numbers the items of each layer that is learned beside."""
    analysis = row.analysis
    fills: list[tuple[int, int, int, list[int]]] = []
    filler = [(0, 0)] * len(row.units)
    arcs, scope, above = [], [], []
    boxed = any(analysis.introduced)
    for token, tag in enumerate(analysis.tags):
        if analysis.introduced[token]:
            above.append((token, *_place(analysis.above[token])))
        if not tag.labels or tag == JOINED:
            continue
        head, label = analysis.heads[token], analysis.labels[token]
        name = root_label(label) if head == ROOT else label
        arcs.append((token, head + 1, inventory.label_number[name]))
        if boxed:
            scope.append((token, *_place(analysis.scope[token])))
        word = word_of(row.units, analysis.tags, token)
        for number, (label, text) in enumerate(
            zip(inventory.slots_of(tag), analysis.fillers[token], strict=True)
        ):
            slot = inventory.slots[label]
            form = slot.spelling.form(word)
            candidates = slot.candidates(form)
            right = candidates.index(text) if text in candidates else _IGNORED
            script = inventory.script_number.get(script_of(form, slot.text(text)), _IGNORED)
            ids = [inventory.filler_number[candidate] for candidate in candidates]
            fills.append((token, script if number == 0 else _IGNORED, right, ids))
            if number == 0:
                filler[token] = inventory.numbers_of_filler(text)
    extra = [(c, p + 1, inventory.label_number[label]) for p, c, label in analysis.extra]
    return Numbers(
        [inventory.tag_number[tag] for tag in analysis.tags],
        [inventory.introduced_number[row_] for row_ in analysis.introduced],
        fills,
        filler,
        arcs,
        extra,
        scope,
        above,
        [
            [number.get(item, _IGNORED) for item in items]
            for number, items in zip(auxiliary, row.auxiliary, strict=True)
        ],
    )


def _place(place: tuple[int, int]) -> tuple[int, int]:
    if place == FIRST_BOX:
        return 0, 0
    return place[0] + 1, min(place[1], LEVELS - 1)


@dataclass(frozen=True)
class MemberBatch:
    """What one network of an ensemble learns from in one update."""

    member: int
    rows: Sequence[int]

    def __len__(self) -> int:
        return len(self.rows)


class LayeredTask:
    """Networks with their gold rows; a `Task`.

    An update changes one network: those of an ensemble are trained as they would be alone.
    """

    def __init__(self, networks: nn.ModuleList, gold: Gold, settings: LayeredSettings) -> None:
        self._networks = networks
        self.gold = gold
        self.settings = settings
        auxiliary: list[dict[str | None, int]] = [
            {item: number for number, item in enumerate(items)} for items in gold.auxiliary
        ]
        self._numbers = [numbers_of(row, gold.inventory, auxiliary) for row in gold.train]
        self._lengths = np.array([[len(row.units), 0] for row in gold.train])

    @property
    def network(self) -> nn.ModuleList:
        """As `Task` says."""
        return self._networks

    @property
    def size(self) -> int:
        """Width of the LSTM."""
        return self.settings.encoder.hidden_size

    @property
    def partial(self) -> bool:
        """A batch is that of one member."""
        return True

    @property
    def members(self) -> int:
        """As the settings say."""
        return self.settings.train.members

    def member(self, batch: MemberBatch) -> int:
        """As `Task` says."""
        return batch.member

    def shares(self) -> Mapping[str, float]:
        """A pretrained encoder has a rate of its own."""
        # With a learning rate of 0 the encoder is not trained either.
        whole = self.settings.train.learning_rate or float("inf")
        return {
            f"{i}.encoder.{prefix}": rate / whole
            for i, network in enumerate(self._networks)
            if isinstance(network, LayeredNetwork)
            for prefix, rate in network.encoder.rates().items()
        }

    def epoch(self, number: int, share: Share = WHOLE) -> Sequence[MemberBatch]:
        """As `Task` says: a batch of each member in turn."""
        train = self.settings.train
        times = max(1, -(-train.epoch_sentences // len(self._lengths)))
        lengths = np.tile(self._lengths, (times, 1))
        rows = [
            [
                MemberBatch(member, [int(i) % len(self._lengths) for i in part])
                for part in epoch_batches(lengths, train, number * 101 + member)
            ]
            for member in range(len(self._networks))
        ]
        longest = max(map(len, rows))
        turns = ([row[i] for row in rows if i < len(row)] for i in range(longest))
        return list(chain.from_iterable(turns))

    def part(self, batch: MemberBatch, share: Share) -> MemberBatch:
        """As `Task` says."""
        return MemberBatch(batch.member, share.of(batch.rows))

    def token_count(self, batch: MemberBatch) -> int:
        """As `Task` says."""
        return sum(len(self.gold.train[i].units) for i in batch.rows)

    def losses(self, batch: MemberBatch) -> Losses:
        """The losses of the network whose batch it is."""
        network = self._networks[batch.member]
        assert isinstance(network, LayeredNetwork)
        device = network.root.device
        rows = [self.gold.train[i] for i in batch.rows]
        numbers = [self._numbers[i] for i in batch.rows]
        words = network.encoder.batch([row.forms for row in rows]).to(device)
        train = self.settings.train
        return losses_of(network, words, numbers, train.filler_weight, train.auxiliary_weight)

    def evaluate(self, share: Share = WHOLE) -> dict[str, Mean]:
        """`dev_accuracy`: the share of sentences whose graph is that of gold."""
        if not self.gold.dev:
            return {}
        dev = share.of(self.gold.dev)
        search = Search(self._networks, self.gold, self.settings.decode)
        found = search.graphs([tokens for tokens, _ in dev])
        right = sum(isomorphic(graph, gold) for graph, (_, gold) in zip(found, dev, strict=True))
        return {"dev_accuracy": Mean(right, len(dev))}


def losses_of(
    network: LayeredNetwork,
    words: Any,
    numbers: Sequence[Numbers],
    filler_weight: float,
    auxiliary_weight: float,
) -> Losses:
    """The sum of all losses of a batch, each a sum over its places by the number of tokens."""
    states, embedded = network(words)
    device = states.device
    lengths = torch.tensor([len(row.tags) for row in numbers], device=device)
    mask = torch.arange(embedded.shape[1], device=device) < lengths[:, None]
    tags, scripts, introduced = network.classify(states, embedded)
    width = mask.shape[1]
    count = int(mask.sum())

    def tensor(values: object) -> Tensor:
        return torch.tensor(values, device=device)

    def padded(rows: Sequence[list[int]]) -> Tensor:
        return tensor([row + [_IGNORED] * (width - len(row)) for row in rows])

    def total(scores: Tensor, gold: Tensor) -> Tensor:
        return cross_entropy(scores, gold, ignore_index=_IGNORED, reduction="sum") / count

    gold_tags = padded([row.tags for row in numbers])
    gold_boxes = padded([row.introduced for row in numbers])
    parts = {
        "tags": total(tags.flatten(0, 1), gold_tags.flatten()),
        "boxes": total(introduced.flatten(0, 1), gold_boxes.flatten()),
    }
    fills = [(b, *fill) for b, row in enumerate(numbers) for fill in row.fills]
    if fills:
        at = tensor([fill[:2] for fill in fills])
        parts["scripts"] = total(scripts[at[:, 0], at[:, 1]], tensor([fill[2] for fill in fills]))
    choices = [fill for fill in fills if fill[3] >= 0 and len(fill[4]) > 1]
    if choices:
        most = max(len(fill[4]) for fill in choices)
        candidates = tensor([fill[4] + [0] * (most - len(fill[4])) for fill in choices])
        at = tensor([fill[:2] for fill in choices])
        arcs = tensor([(b, *arc[:2]) for b, row in enumerate(numbers) for arc in row.arcs])
        query = network.queries(states, embedded, arcs)
        scores = network.fill(query[at[:, 0], at[:, 1]], candidates)
        parts["fillers"] = filler_weight * total(scores, tensor([fill[3] for fill in choices]))
    for number, layer in enumerate(network.auxiliary):
        gold = padded([row.auxiliary[number] for row in numbers])
        scores = layer(states[:, 1:])
        found = total(scores.flatten(0, 1), gold.flatten())
        parts[f"auxiliary_{number}"] = auxiliary_weight * found
    parts |= _arc_losses(network, states, tags, numbers, gold_tags, total)
    parts |= _scope_losses(network, states, numbers, total)
    loss = torch.stack(list(parts.values())).sum()
    return Losses(loss, {name: float(part.detach()) for name, part in parts.items()}, count)


Total = Callable[[Tensor, Tensor], Tensor]


def _arc_losses(
    network: LayeredNetwork,
    states: Tensor,
    tags: Tensor,
    numbers: Sequence[Numbers],
    gold_tags: Tensor,
    total: Total,
) -> dict[str, Tensor]:
    """The losses of trees, of labels, and of arcs beside trees."""
    device = states.device
    mask = gold_tags != _IGNORED
    arcs = [(b, *arc) for b, row in enumerate(numbers) for arc in row.arcs]
    extra = [(b, *arc) for b, row in enumerate(numbers) for arc in row.extra]
    at = torch.tensor(arcs, device=device)
    keep = torch.cat([torch.ones_like(mask[:, :1]), mask], dim=1)
    scores = network.attach(states, tags).masked_fill(~keep[:, None, :], float("-inf"))
    pairs = torch.tensor(arcs + extra, device=device)
    width = mask.shape[1]
    fillers = torch.tensor(
        [row.filler + [(0, 0)] * (width - len(row.filler)) for row in numbers], device=device
    )
    target = torch.zeros_like(scores)
    if extra:
        more = torch.tensor(extra, device=device)
        target[more[:, 0], more[:, 1], more[:, 2]] = 1.0
    both = mask[:, :, None] & keep[:, None, :]
    found = network.extra(states[:, 1:], states)[both]
    beside = binary_cross_entropy_with_logits(found, target[both], reduction="sum")
    return {
        "arcs": total(scores[at[:, 0], at[:, 1]], at[:, 2]),
        "labels": total(network.label(states, pairs[:, :3], gold_tags, fillers), pairs[:, 3]),
        "extra": beside / int(mask.sum()),
    }


def _scope_losses(
    network: LayeredNetwork, states: Tensor, numbers: Sequence[Numbers], total: Total
) -> dict[str, Tensor]:
    """The losses of the places of boxes, in sentences that have several."""
    parts: dict[str, Tensor] = {}
    boxed = [b for b, row in enumerate(numbers) if row.above]
    if not boxed:
        return parts
    where = {b: i for i, b in enumerate(boxed)}
    chosen = states[boxed]
    allowed = torch.zeros(chosen.shape[:2], dtype=torch.bool, device=states.device)
    allowed[:, 0] = True
    for b in boxed:
        for token, _, _ in numbers[b].above:
            allowed[where[b], token + 1] = True
    for name in (SCOPE, ABOVE):
        rows = [(where[b], *row) for b in boxed for row in getattr(numbers[b], name)]
        at = torch.tensor(rows, device=states.device)
        scores = network.point(name, chosen).masked_fill(~allowed[:, None, :], float("-inf"))
        parts[name] = total(scores[at[:, 0], at[:, 1]], at[:, 2])
        deep = at[at[:, 2] > 0]
        if len(deep):
            below, above = chosen[deep[:, 0], deep[:, 1] + 1], chosen[deep[:, 0], deep[:, 2]]
            parts[f"{name}_levels"] = total(network.levels(name, below, above), deep[:, 3])
    return parts
