"""From scores to analyses: a tag for each token, fillers, a tree, labels, arcs beside it, boxes.

Every analysis that comes out here expands to a well-formed graph, for any input: the tree spans
all constants, each constant stands in one box, and boxes make a tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import log_softmax

from amparser.decode.arborescence import best_arborescence
from amparser.graph.sgraph import SGraph
from amparser.layered.fragments import (
    FIRST_BOX,
    JOINED,
    ROOT,
    UNLINKED,
    Analysis,
    Place,
    edges_of_arc,
    expand,
)
from amparser.layered.graphs import BoxScheme, join
from amparser.layered.inventory import Inventory, scripted, word_of
from amparser.layered.network import LayeredNetwork
from amparser.layered.settings import LayeredDecodeSettings
from amparser.layered.task import label_scores
from amparser.layered.units import Splitter, Unit

FloatArray = NDArray[np.float32]

_BATCH = 64
_LABELS = 6
_BEAM = 12
_IMPOSSIBLE = -1e9


class Learned(Protocol):
    """What a search needs beside the networks."""

    @property
    def scheme(self) -> BoxScheme | None: ...  # noqa: D102

    @property
    def splitter(self) -> Splitter: ...  # noqa: D102

    @property
    def inventory(self) -> Inventory: ...  # noqa: D102


@dataclass(frozen=True)
class _Fills:
    """The slots of a batch: sentence, token, and the names of the candidates of each."""

    places: list[tuple[int, int, int]]
    names: list[list[str]]


class Search:
    """Finds analyses.

    Args:
        networks: their log probabilities are averaged.
        learned: boxes, units and the inventory.
        settings: how scores become a graph.
    """

    def __init__(
        self, networks: nn.ModuleList, learned: Learned, settings: LayeredDecodeSettings
    ) -> None:
        self.networks = [n for n in networks if isinstance(n, LayeredNetwork)]
        self.learned = learned
        self.settings = settings
        inventory = learned.inventory
        self._node_counts = np.array(
            [0 if tag == JOINED else len(tag.labels) for tag in inventory.tags]
        )
        self._reach = np.array([_reach(label) for label in inventory.labels]).reshape(-1, 2)
        self._is_root = np.array([label.startswith("^") for label in inventory.labels])
        self._down = [_down(label) & inventory.unique for label in inventory.labels]
        joined = [inventory.tags.index(JOINED)] if JOINED in inventory.tags else []
        self._not_last = joined

    def graphs(self, sentences: Sequence[Sequence[str]]) -> list[SGraph]:
        """The graphs of tokenised sentences, none empty."""
        return [
            join(expand(analysis), self.learned.scheme)
            for _, analysis in self.analyses(sentences)
        ]

    def analyses(
        self, sentences: Sequence[Sequence[str]]
    ) -> list[tuple[tuple[Unit, ...], Analysis]]:
        """The units of sentences and their analyses, in order."""
        units = [self.learned.splitter.units(sentence) for sentence in sentences]
        order = sorted(range(len(units)), key=lambda i: len(units[i]))
        found: list[tuple[tuple[Unit, ...], Analysis] | None] = [None] * len(units)
        with torch.inference_mode():
            for start in range(0, len(order), _BATCH):
                part = order[start : start + _BATCH]
                analyses = self._batch([units[i] for i in part])
                for i, analysis in zip(part, analyses, strict=True):
                    found[i] = (units[i], analysis)
        return [row for row in found if row is not None]

    def _batch(self, rows: Sequence[tuple[Unit, ...]]) -> list[Analysis]:
        encoded = []
        for network in self.networks:
            words = network.batch([[unit.text for unit in row] for row in rows])
            states, embedded = network(words.to(network.root.device))
            encoded.append((network, states, *network.classify(states, embedded)))
        lengths = [len(row) for row in rows]
        tag_logp = _mean([log_softmax(item[2], -1) for item in encoded])
        tags = [self._tags(tag_logp[b, :n]) for b, n in enumerate(lengths)]
        fillers = self._fillers(rows, tags, encoded)
        heads = self._heads(lengths, tags, encoded)
        tag_ids, filler_ids = self._ids(tags, fillers, tag_logp.shape[1])
        labels = self._labels(lengths, tags, heads, encoded, tag_ids, filler_ids)
        extra = self._extra(lengths, tags, heads, encoded, tag_ids, filler_ids)
        boxes = self._boxes(lengths, tags, encoded)
        inventory = self.learned.inventory
        return [
            Analysis(
                tuple(inventory.tags[t] for t in tags[b]),
                tuple(map(tuple, fillers[b])),
                *boxes[b],
                tuple(heads[b]),
                tuple(labels[b]),
                tuple(extra[b]),
            )
            for b in range(len(rows))
        ]

    def _tags(self, logp: FloatArray) -> list[int]:
        """The best tags of which one at least has nodes."""
        logp = logp.copy()
        logp[-1, self._not_last] = _IMPOSSIBLE
        tags = logp.argmax(axis=1)
        if not self._node_counts[tags].any():
            full = np.where(self._node_counts[None, :] > 0, logp, _IMPOSSIBLE)
            token = int((full.max(axis=1) - logp.max(axis=1)).argmax())
            tags[token] = full[token].argmax()
        return [int(tag) for tag in tags]

    def _fillers(self, rows, tags, encoded):  # type: ignore[no-untyped-def]
        """What fills the slots of each token's tag."""
        inventory = self.learned.inventory
        filled: list[list[list[str]]] = [[[] for _ in row] for row in tags]
        places: list[tuple[int, int, int]] = []
        choices: list[list[str]] = []
        script_logp = _mean([log_softmax(item[3], -1) for item in encoded])
        for b, row in enumerate(tags):
            all_tags = [inventory.tags[t] for t in row]
            for token, tag in enumerate(all_tags):
                if not self._node_counts[row[token]]:
                    continue
                for number, label in enumerate(inventory.slots_of(tag)):
                    slot = inventory.slots[label]
                    form = slot.spelling.form(word_of(rows[b], all_tags, token))
                    names = slot.candidates(form)
                    if not names:
                        text = self._scripted(form, script_logp[b, token], slot)
                        names = slot.of_text(text) or [slot.guess(text)]
                    filled[b][token].append(names[0])
                    if len(names) > 1:
                        places.append((b, token, number))
                        choices.append(names)
        if places:
            most = max(map(len, choices))
            ids = [
                [inventory.filler_number[n] for n in names] + [0] * (most - len(names))
                for names in choices
            ]
            device = encoded[0][1].device
            at = torch.tensor(places, device=device)
            candidates = torch.tensor(ids, device=device)
            scores = _mean(
                [
                    log_softmax(network.fill(query[at[:, 0], at[:, 1]], candidates), -1)
                    for network, _, _, _, _, query in encoded
                ]
            )
            for (b, token, number), names, row in zip(places, choices, scores, strict=True):
                filled[b][token][number] = names[int(row[: len(names)].argmax())]
        return filled

    def _scripted(self, form, logp, slot):  # type: ignore[no-untyped-def]
        """The text that the best script makes of a form; one that train has is preferred."""
        inventory = self.learned.inventory
        best = None
        for script in logp.argsort()[::-1][:8]:
            text = scripted(form, inventory.scripts[script])
            if text:
                if best is None:
                    best = text
                if text in slot.senses and logp[script] > logp.max() - 3:
                    return text
        return best or form

    def _heads(self, lengths, tags, encoded):  # type: ignore[no-untyped-def]
        """The best tree over the tokens that have nodes."""
        logp = self._arc_logp(lengths, encoded)
        found = []
        for b, n in enumerate(lengths):
            heads = [ROOT] * n
            present = [t for t in range(n) if self._node_counts[tags[b][t]]]
            places = [0, *(t + 1 for t in present)]
            scores = logp[b][np.ix_([t for t in present], places)]
            matrix = np.full((len(places), len(places)), -1e3)
            matrix[:, 1:] = scores.T
            best = best_arborescence(matrix)
            assert best is not None
            for t, head in zip(present, best, strict=True):
                heads[t] = places[int(head)] - 1
            found.append(heads)
        return found

    def _arc_logp(self, lengths, encoded):  # type: ignore[no-untyped-def]
        width = encoded[0][1].shape[1]
        keep = torch.arange(width)[None, :] <= torch.tensor(lengths)[:, None]
        found = []
        for network, states, *_ in encoded:
            scores = network.arcs(states[:, 1:], states)
            scores = scores.masked_fill(~keep[:, None, :].to(scores.device), float("-inf"))
            found.append(log_softmax(scores, -1))
        return np.maximum(_mean(found), -1e3)

    def _ids(self, tags, fillers, width):  # type: ignore[no-untyped-def]
        number = self.learned.inventory.filler_number
        tag_ids = torch.tensor([row + [0] * (width - len(row)) for row in tags])
        rows = [
            [number.get(names[0], 0) if names else 0 for names in row]
            + [0] * (width - len(row))
            for row in fillers
        ]
        return tag_ids, torch.tensor(rows)

    def _label_logp(self, pairs, encoded, tag_ids, filler_ids):  # type: ignore[no-untyped-def]
        device = encoded[0][1].device
        at = torch.tensor(pairs, device=device)
        return _mean(
            [
                log_softmax(
                    label_scores(
                        network, states, at, tag_ids.to(device), filler_ids.to(device)
                    ),
                    -1,
                )
                for network, states, *_ in encoded
            ]
        )

    def _labels(self, lengths, tags, heads, encoded, tag_ids, filler_ids):  # type: ignore[no-untyped-def]
        """The labels of the arcs of trees; those below one head are chosen together."""
        names = self.learned.inventory.labels
        pairs = [
            (b, t, heads[b][t] + 1)
            for b, n in enumerate(lengths)
            for t in range(n)
            if self._node_counts[tags[b][t]]
        ]
        logp = self._label_logp(pairs, encoded, tag_ids, filler_ids)
        logp = logp + self._misfit(pairs, tags)
        labels = [[UNLINKED] * n for n in lengths]
        groups: dict[tuple[int, int], list[int]] = {}
        for i, (b, _, head) in enumerate(pairs):
            groups.setdefault((b, head), []).append(i)
        for group in groups.values():
            for i, label in zip(group, self._together(logp[group]), strict=True):
                b, token, _ = pairs[i]
                labels[b][token] = names[label].removeprefix("^")
        return labels

    def _misfit(self, pairs, tags):  # type: ignore[no-untyped-def]
        """`[P, labels]`: what a label costs whose places are not in the constants."""
        above = np.array([self._node_counts[tags[b][h - 1]] if h else 0 for b, _, h in pairs])
        below = np.array([self._node_counts[tags[b][t]] for b, t, _ in pairs])
        root = np.array([h == 0 for _, _, h in pairs])
        wrong = self._is_root[None, :] != root[:, None]
        wrong |= self._reach[None, :, 1] >= below[:, None]
        wrong |= (self._reach[None, :, 0] >= above[:, None]) & ~root[:, None]
        return np.where(wrong, -1e4, 0.0)

    def _together(self, logp: FloatArray) -> list[int]:
        """The best labels below one head, none of which is given twice if it must not be."""
        if len(logp) == 1 or not self.settings.typed:
            return [int(i) for i in logp.argmax(axis=1)]
        beam: list[tuple[float, list[int], frozenset[str]]] = [(0.0, [], frozenset())]
        for row in logp:
            best = row.argsort()[::-1][:_LABELS]
            grown = []
            for score, chosen, used in beam:
                free = [label for label in best if not (self._down[label] & used)]
                for label in free or best[:1]:
                    grown.append(
                        (score + float(row[label]), [*chosen, int(label)], used | self._down[label])
                    )
            beam = sorted(grown, key=lambda item: -item[0])[:_BEAM]
        return beam[0][1]

    def _extra(self, lengths, tags, heads, encoded, tag_ids, filler_ids):  # type: ignore[no-untyped-def]
        """Arcs beside the tree: those that are likelier there than not."""
        found: list[list[tuple[int, int, str]]] = [[] for _ in lengths]
        if not self.settings.extra:
            return found
        scores = _mean([network.extra(s[:, 1:], s) for network, s, *_ in encoded])
        pairs = []
        for b, t, h in np.argwhere(scores > 0):
            if h == 0 or t >= lengths[b] or h > lengths[b] or h - 1 == t:
                continue
            if not (self._node_counts[tags[b][t]] and self._node_counts[tags[b][h - 1]]):
                continue
            if heads[b][t] == h - 1 or heads[b][h - 1] == t:
                continue
            if scores[b, h - 1, t + 1] > scores[b, t, h]:
                continue
            pairs.append((int(b), int(t), int(h)))
        if not pairs:
            return found
        logp = self._label_logp(pairs, encoded, tag_ids, filler_ids) + self._misfit(pairs, tags)
        names = self.learned.inventory.labels
        for (b, t, h), row in zip(pairs, logp, strict=True):
            found[b].append((h - 1, t, names[int(row.argmax())]))
        return found

    def _boxes(self, lengths, tags, encoded):  # type: ignore[no-untyped-def]
        """The boxes that tokens introduce, the box of each token, and the boxes above."""
        kinds = self.learned.inventory.introduced
        logp = _mean([log_softmax(item[4], -1) for item in encoded])
        boxes = []
        for b, n in enumerate(lengths):
            introduced = [kinds[int(i)] for i in logp[b, :n].argmax(axis=1)]
            if not self.settings.scope:
                introduced = [()] * n
            boxes.append((tuple(introduced), [FIRST_BOX] * n, [FIRST_BOX] * n))
        boxed = [b for b, (introduced, _, _) in enumerate(boxes) if any(introduced)]
        if boxed:
            scope = self._pointers(boxed, encoded, "scope")
            above = self._pointers(boxed, encoded, "above")
            for i, b in enumerate(boxed):
                introduced, scopes, aboves = boxes[b]
                openers = [t for t, row in enumerate(introduced) if row]
                for t in range(lengths[b]):
                    if self._node_counts[tags[b][t]]:
                        scopes[t] = _pointed(scope, i, t, openers, introduced)
                for t in _from_root(above[0][i], openers):
                    others = [o for o in openers if o != t]
                    aboves[t] = _pointed(above, i, t, others, introduced)
                _cut_cycles(aboves, openers)
        return [(i, tuple(s), tuple(a)) for i, s, a in boxes]

    def _pointers(self, boxed, encoded, name):  # type: ignore[no-untyped-def]
        """Scores `[S, N, 1 + N]` and levels `[S, N, 1 + N, L]` of the sentences with boxes."""
        scores, levels = [], []
        for network, states, *_ in encoded:
            chosen = states[boxed]
            scores.append(log_softmax(getattr(network, name)(chosen[:, 1:], chosen), -1))
            layer = getattr(network, f"{name}_levels")
            size = chosen.shape[-1]
            below = chosen[:, 1:] @ layer.weight[:, :size].T
            above = chosen @ layer.weight[:, size:].T
            levels.append(
                log_softmax(below[:, :, None] + above[:, None, :] + layer.bias, -1)
            )
        return _mean(scores), _mean(levels)


def _mean(values: Sequence[Tensor]) -> FloatArray:
    total = values[0] if len(values) == 1 else torch.stack(list(values)).mean(dim=0)
    found: FloatArray = total.float().cpu().numpy()
    return found


def _pointed(pointers, i, token, openers, introduced) -> Place:  # type: ignore[no-untyped-def]
    scores, levels = pointers
    best = max([0, *(t + 1 for t in openers)], key=lambda place: scores[i, token, place])
    if best == 0:
        return FIRST_BOX
    depth = len(introduced[best - 1])
    return best - 1, int(levels[i, token, best, :depth].argmax())


def _from_root(scores: FloatArray, openers: Sequence[int]) -> list[int]:
    return sorted(openers, key=lambda t: -scores[t, 0])


def _cut_cycles(above: list[Place], openers: Sequence[int]) -> None:
    """Put boxes that stand in a cycle into the first box."""
    for token in openers:
        seen = {token}
        at = above[token][0]
        while at != ROOT and at not in seen:
            seen.add(at)
            at = above[at][0]
        if at == token:
            above[token] = FIRST_BOX


def _reach(label: str) -> tuple[int, int]:
    """The largest places in the constants of head and dependent that a label names."""
    if label.startswith("^"):
        return -1, int(label[1:] or 0)
    edges = edges_of_arc(label)
    if not edges:
        return -1, -1
    return max(edge[2] for edge in edges), max(edge[3] for edge in edges)


def _down(label: str) -> frozenset[str]:
    if label.startswith("^"):
        return frozenset()
    return frozenset(role for role, down, _, _ in edges_of_arc(label) if down)
