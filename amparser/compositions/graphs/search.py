"""From scores to derivations: tags of tokens, fillers, a tree, labels, arcs beside it, boxes.

Every derivation that comes out here expands to a well-formed graph, for any input: the tree spans
all constants, each constant stands in one box, and boxes make a tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from math import log

import numpy as np
import torch
from numpy.typing import NDArray

from amparser.algebra.derivation import PRECEDE, Arc, Derivation, Links
from amparser.algebra.fragment import Fragment
from amparser.compositions.graphs.choices import (
    CONSTANT,
    HEAD,
    LABEL,
    Choice,
    Pair,
    arcs_of,
    choices_of,
    place_in_boxes,
)
from amparser.compositions.graphs.connect import Arcs, connect
from amparser.compositions.graphs.gold import GraphLearned
from amparser.compositions.graphs.revision import ArcScores, revise
from amparser.compositions.pieces import Scored
from amparser.compositions.settings import GraphDecodeSettings
from amparser.decode.decoder import ArcDecoder
from amparser.decode.decoders import DECODERS
from amparser.decode.next_best import ANY, Limits, after_best_within
from amparser.decode.parse import NO_TREE, Best
from amparser.decode.scores import FloatArray
from amparser.induction.texts import of_sentences, openers
from amparser.lexicon.dictionary import lemma_in
from amparser.lexicon.frames import Frames
from amparser.lexicon.graph_inventory import Label, Slot, slots_of, word_of
from amparser.lexicon.offers import Candidate, Offers
from amparser.lexicon.scripts import scripted
from amparser.lexicon.units import Unit
from amparser.nn.scorer import Ensemble
from amparser.nn.scores import BatchScores, scores_of

_IMPOSSIBLE, _FITS = -1e4, -5e3

Known = tuple[torch.Tensor, torch.Tensor]
"""What scores of labels see: tags `[B, N]`, and first fillers with their texts `[B, N, 2]`."""

Argument = tuple[int, str]
"""A place in a constant, and the label of an edge that leads down from there."""


class Search:
    """Search for derivations.

    Args:
        network: scores of tokens and arcs.
        learned: boxes, units and the inventory.
        settings: how scores become a graph.
        offers: what fills slots of words that train does not have.
    """

    def __init__(
        self,
        network: Ensemble,
        learned: GraphLearned,
        settings: GraphDecodeSettings,
        offers: Offers,
    ) -> None:
        self._network = network
        self._learned = learned
        self._settings = settings
        self._offers = offers
        inventory = self._inventory = learned.inventory
        fragments = [None if isinstance(tag, str) else tag for tag in inventory.tags]
        full = np.array([one is not None for one in fragments])
        self._places = np.array([_places(one) if one else 0 for one in fragments])
        self._fixed = np.array([one is not None and _is_unboxed(one) for one in fragments])
        self._heads = full & ~self._fixed
        if not self._heads.any():
            self._heads = full
        self._unlinked = np.array([label == () for label in inventory.labels])
        self._reach = np.array([_reach(label) for label in inventory.labels]).reshape(-1, 2)
        self._is_root = np.array([isinstance(label, int) for label in inventory.labels])
        self._down = [_down(links, inventory.unique) for links in inventory.links]
        self._inside = [
            frozenset((p, role) for p, role, _ in one.edges if role in inventory.unique)
            if one
            else frozenset()
            for one in fragments
        ]
        self._is_connected = not self._unlinked.any()
        counts = inventory.frames if settings.frames else {}
        self._frames = Frames(counts, inventory.senses, inventory.unique)
        self._not_last = [i for i, tag in enumerate(inventory.tags) if tag == PRECEDE]

    def scored(self, sentences: Sequence[Sequence[str]]) -> list[Scored]:
        """The scores of tokenised sentences, none empty, in order."""
        return self._scored([self._learned.splitter.units(one) for one in sentences])

    def _scored(self, units: Sequence[tuple[Unit, ...]]) -> list[Scored]:
        """The scores of sentences of units, in order."""
        scores = scores_of(self._network, [[unit.text for unit in one] for one in units])
        return [Scored(*row) for row in zip(units, scores, strict=True)]

    def best(self, scored: Sequence[Scored], decoder: str) -> list[Best[Derivation]]:
        """The derivations of all sentences of `scored`, by a decoder of arcs.

        A text in which signs open boxes is analysed sentence by sentence then, since what is far
        apart is easily mixed up.
        """
        found = self._whole(scored, decoder)
        ends = {
            i: at
            for i, best in enumerate(found)
            if best.analysis is not None and (at := openers(best.analysis))
        }
        parts = [
            scored[i].words[start:stop]
            for i, at in ends.items()
            for start, stop in pairwise([0, *(end + 1 for end in at), len(scored[i].words)])
        ]
        sentences = iter(self._whole(self._scored(parts), decoder) if parts else ())
        for i, at in ends.items():
            own = list(islice(sentences, len(at) + 1))
            whole, parsed = found[i].analysis, [one.analysis for one in own if one.analysis]
            if whole is not None and len(parsed) == len(own):
                text = of_sentences(whole, at, parsed)
                if text is not None:
                    found[i] = Best(text, sum(one.logp for one in own))
        return found

    def _whole(self, scored: Sequence[Scored], decoder: str) -> list[Best[Derivation]]:
        """The derivations of sentences, each as a whole."""
        batches: dict[int, list[int]] = {}
        for i, one in enumerate(scored):
            batches.setdefault(id(one.scores.batch), []).append(i)
        found: dict[int, Best[Derivation]] = {}
        with torch.inference_mode():
            for part in batches.values():
                part.sort(key=lambda i: scored[i].scores.row)
                best = self._best([scored[i] for i in part], DECODERS[decoder])
                found.update(zip(part, best, strict=True))
        return [found[i] for i in range(len(scored))]

    def after(
        self, scored: Scored, best: Best[Derivation], decoder: str
    ) -> Iterator[Best[Derivation]]:
        """Derivations after the best one, which differ from it in what `choices_of` gives.

        Each step of the search takes what is best for it, so that the order is not exact.
        """
        [alone] = self._scored([scored.words])
        least = best.logp - 20.0  # a derivation may be so many nats worse than the best one

        def search(limits: Limits) -> tuple[Best[Derivation], float]:
            with torch.inference_mode():
                [found] = self._best([alone], DECODERS[decoder], limits)
            assert found.analysis is not None
            choices = choices_of(found.analysis)
            near = found.logp >= least and all(limits.allow(*choice) for choice in choices)
            return found if near else Best(failure=NO_TREE), 1

        return after_best_within(best, choices_of, search, 500)

    def _best(
        self, rows: Sequence[Scored], decoder: ArcDecoder, limits: Limits = ANY
    ) -> list[Best[Derivation]]:
        """The derivations of all sentences of a batch, as far as possible within limits."""
        batch: BatchScores = rows[0].scores.batch
        choices = []
        for b, (row, scores) in enumerate(rows):
            count, tags = len(row), scores.supertag_logp
            chosen = self._tags(tags, limits)
            best = batch.introduced[b, :count].argmax(axis=1)
            boxes = [self._inventory.introduced[int(i)] for i in best]
            choices.append(
                Choice(
                    row,
                    chosen,
                    self._inventory.tags,
                    boxes,
                    float(tags[range(count), chosen].sum()),
                )
            )
        for choice, (_, scores) in zip(choices, rows, strict=True):
            # No arc counts as less likely than this, a natural logarithm.
            arcs = np.maximum(scores.head_logp, np.float32(-1e3))
            self._attach(choice, arcs, decoder, limits)
        self._fill(choices, batch, limits)
        known = self._label(choices, batch, limits)
        if self._frames:

            def labels(pairs: Sequence[Pair]) -> FloatArray:
                return batch.labels(pairs, *known) + self._misfit(pairs, choices)

            heads, odds = [row.scores.head_logp for row in rows], batch.extra()
            arc_scores = ArcScores(heads, odds, labels)
            revise(choices, arc_scores, self._inventory, self._frames, self._fixed, limits)
        self._connect(choices, batch, known)
        place_in_boxes(choices, batch)
        return [Best(one.derivation(), one.logp) for one in choices]

    def _tags(self, logp: FloatArray, limits: Limits) -> list[int]:
        """The best tags of which one at least has a node that is no constant."""
        logp = logp.copy()
        logp[-1, self._not_last] = _IMPOSSIBLE
        for token, row in enumerate(logp):
            for tag in limits.barred((token, CONSTANT), self._inventory.tags):
                row[tag] = _IMPOSSIBLE
        tags = logp.argmax(axis=1)
        if not self._heads[tags].any():
            full = np.where(self._heads[None, :], logp, _IMPOSSIBLE)
            token = int((full.max(axis=1) - logp.max(axis=1)).argmax())
            tags[token] = full[token].argmax()
        return [int(tag) for tag in tags]

    def _fill(self, choices: Sequence[Choice], scores: BatchScores, limits: Limits) -> None:
        """Choose what fills the slots of each token's tag."""
        inventory = self._inventory
        scripts = scores.scripts()
        open_slots: list[tuple[int, int, int]] = []
        candidates: list[Sequence[Candidate]] = []
        for b, choice in enumerate(choices):
            language = self._offers.language_of([unit.text for unit in choice.units])
            for token, fragment in choice.fragments.items():
                word = word_of(choice.units, choice.operations, token)
                for number, label in enumerate(slots_of(fragment)):
                    slot = inventory.slots[label]
                    form = slot.spelling.form(word)
                    known = self._offers.known(slot.candidates(form))
                    known = known or self._offers.of(label, form, language)
                    if not known:
                        text = self._scripted(form, scripts[b, token], slot)
                        made = slot.of_text(text) or [slot.guess(text)]
                        known = self._offers.known(made)
                    allowed = [o for o in known if limits.allow((token, number), o.filler)]
                    known = allowed or known
                    choice.fillers[token].append(known[0].filler)
                    if len(known) > 1:
                        open_slots.append((b, token, number))
                        candidates.append(known)
        if not candidates:
            return
        places = [(b, t) for b, t, _ in open_slots]
        found = scores.fillers(places, candidates, arcs_of(choices))
        for (b, token, number), row, logp in zip(open_slots, candidates, found, strict=True):
            best = int(logp[: len(row)].argmax())
            choices[b].fillers[token][number] = row[best].filler
            choices[b].logp += float(logp[best])

    def _scripted(self, form: str, logp: FloatArray, slot: Slot) -> str:
        """What the dictionary or the best script makes of a form.

        A text that train has is likelier.
        """
        dictionary = self._settings.dictionary
        if dictionary and slot.spelling.lower and slot.trusts(dictionary):
            lemma = lemma_in(dictionary, form.lower())
            if lemma is not None:
                return lemma.lower()
        found: dict[str, float] = {}
        # Only the likeliest scripts are tried.
        for number in logp.argsort()[::-1][:16]:
            script = self._inventory.scripts[number]
            if text := scripted(form, script):
                score = float(logp[number]) + log(slot.chance(form, script))
                if text in slot.senses:
                    # A label whose senses train has is preferred, in nats.
                    score += 2.0
                found[text] = max(found.get(text, score), score)
        return max(found, key=found.__getitem__) if found else form

    def _attach(
        self, choice: Choice, arcs: FloatArray, decoder: ArcDecoder, limits: Limits
    ) -> None:
        """Choose the best tree over the tokens that have nodes."""
        present = list(choice.fragments)
        places = [0, *(t + 1 for t in present)]
        matrix = np.full((len(places), len(places)), _IMPOSSIBLE)
        matrix[:, 1:] = arcs[np.ix_(np.array(present), np.array(places))].T
        fixed = self._fixed[[choice.tags[token] for token in present]]
        if not fixed.all():
            # Constants are leaves.
            matrix[1:][fixed] = _IMPOSSIBLE
            matrix[0, 1:][fixed] = _IMPOSSIBLE
        for number, token in enumerate(present, 1):
            for head in limits.barred((token, HEAD), [place - 1 for place in places]):
                matrix[head, number] = 2 * _IMPOSSIBLE
        heads = decoder.heads(matrix)
        assert heads is not None, "all arcs have scores"
        for token, head in zip(present, heads, strict=True):
            choice.heads[token] = places[int(head)] - 1
        choice.logp += float(matrix[heads, range(1, len(places))].sum())

    def _label(self, choices: Sequence[Choice], scores: BatchScores, limits: Limits) -> Known:
        """Choose labels, those below one head together, and the arcs beside trees."""
        tags, fillers = self._numbers(choices, scores.width)
        labels, links = self._inventory.labels, self._inventory.links
        pairs = arcs_of(choices)
        logp = scores.labels(pairs, tags, fillers) + self._misfit(pairs, choices)
        for row, (_, token, _) in zip(logp, pairs, strict=True):
            for label in limits.barred((token, LABEL), labels):
                row[label] = _IMPOSSIBLE
        groups: dict[tuple[int, int], list[int]] = {}
        for i, (b, _, head) in enumerate(pairs):
            groups.setdefault((b, head), []).append(i)
        for (b, head), group in groups.items():
            used = self._inside[choices[b].tags[head - 1]] if head else frozenset()
            for i, label in zip(group, self._together(logp[group], used), strict=True):
                b, token, _ = pairs[i]
                if logp[i, label] > _FITS:
                    choices[b].links[token] = links[label]
                    if isinstance(root := labels[label], int):
                        choices[b].root = root
                choices[b].logp += float(logp[i, label])
        beside = self._beside(choices, scores)
        if beside:
            logp = scores.labels(beside, tags, fillers) + self._misfit(beside, choices)
            for (b, token, head), row in zip(beside, logp, strict=True):
                if row.max() > _FITS:
                    best = links[int(row.argmax())]
                    choices[b].beside.append(Arc(head - 1, token, best))
        return tags, fillers

    def _connect(self, choices: Sequence[Choice], scores: BatchScores, known: Known) -> None:
        """Bring the nodes of each sentence together, where train's are."""
        if self._learned.scheme is not None or not self._is_connected:
            return
        for b, choice in enumerate(choices):

            def score(arcs: Arcs, b: int = b) -> FloatArray:
                pairs = [(b, token, head + 1) for token, head in arcs]
                return scores.labels(pairs, *known)

            connect(choice, self._inventory.links, score)

    def _numbers(self, choices: Sequence[Choice], width: int) -> Known:
        """The numbers of tags `[B, N]`, and of first fillers and their texts `[B, N, 2]`."""
        tags = np.zeros((len(choices), width), dtype=np.int64)
        fillers = np.zeros((len(choices), width, 2), dtype=np.int64)
        for b, choice in enumerate(choices):
            tags[b, : len(choice.tags)] = choice.tags
            for token, names in enumerate(choice.fillers):
                if names:
                    fillers[b, token] = self._inventory.numbers_of_filler(names[0])
        return torch.from_numpy(tags), torch.from_numpy(fillers)

    def _misfit(self, pairs: Sequence[Pair], choices: Sequence[Choice]) -> NDArray[np.float64]:
        """`[P, labels]`: what a label costs whose places are not in the constants."""
        above = np.array([self._places[choices[b].tags[h - 1]] if h else 0 for b, _, h in pairs])
        below = np.array([self._places[choices[b].tags[t]] for b, t, _ in pairs])
        root = np.array([h == 0 for _, _, h in pairs])
        wrong = self._is_root[None, :] != root[:, None]
        leaf = np.array([self._fixed[choices[b].tags[t]] for b, t, _ in pairs])
        wrong |= self._unlinked[None, :] & leaf[:, None]
        wrong |= self._reach[None, :, 1] >= below[:, None]
        wrong |= (self._reach[None, :, 0] >= above[:, None]) & ~root[:, None]
        return np.where(wrong, _IMPOSSIBLE, 0.0)

    def _together(self, logp: NDArray[np.float64], inside: frozenset[Argument]) -> list[int]:
        """The best labels below one head.

        No argument is given twice that must not be, beside those that the head's constant has
        `inside`.
        """
        beam: list[tuple[float, list[int], frozenset[Argument]]] = [(0.0, [], inside)]
        for row in logp:
            # Only the likeliest labels of each dependent are combined.
            best = [int(i) for i in row.argsort()[::-1][:6] if row[i] > _FITS]
            best = best or [int(row.argmax())]
            grown = []
            for score, chosen, used in beam:
                free = [label for label in best if not self._down[label] & used] or best[:1]
                grown += [
                    (score + float(row[label]), [*chosen, label], used | self._down[label])
                    for label in free
                ]
            # Combinations that are kept.
            beam = sorted(grown, key=lambda item: -item[0])[:12]
        return beam[0][1]

    def _beside(self, choices: Sequence[Choice], scores: BatchScores) -> list[Pair]:
        """The arcs beside trees: those that are likelier there than not."""
        odds = scores.extra()
        found = []
        for b, token, head in np.argwhere(odds > 0).tolist():
            choice, other = choices[b], head - 1
            if token == other or not {token, other} <= choice.fragments.keys():
                continue
            if self._fixed[[choice.tags[token], choice.tags[other]]].any():
                continue
            if choice.heads[token] == other or choice.heads[other] == token:
                continue
            if odds[b, other, token + 1] <= odds[b, token, head]:
                found.append((b, token, head))
        return found


def _places(fragment: Fragment) -> int:
    """How many nodes may have edges from outside: none in no box that have an edge inside."""
    inside = {node for parent, _, child in fragment.edges for node in (parent, child)}
    fixed = fragment.unboxed & inside
    nodes = range(len(fragment.labels))
    return max((node + 1 for node in nodes if node not in fixed), default=0)


def _is_unboxed(fragment: Fragment) -> bool:
    return len(fragment.unboxed) == len(fragment.labels)


def _reach(label: Label) -> tuple[int, int]:
    """The largest nodes that a label names of head and dependent; -1 for none."""
    if isinstance(label, int):
        return -1, label
    return (
        max((link.above for link in label), default=-1),
        max((link.below for link in label), default=-1),
    )


def _down(links: Links, unique: frozenset[str]) -> frozenset[Argument]:
    """The arguments that an arc with these links gives its head, if the head has one only."""
    return frozenset((above, role) for role, down, above, _ in links if down and role in unique)
