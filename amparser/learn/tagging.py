"""From sentences with graphs to a parser: induce pieces and sorts, train taggers, decode.

`train_tagger_parser` is the whole way; the `TaggerParser` that it returns answers with
derivations, AM trees or graphs. Several taggers may be trained, which differ in their
initial weights and in the samples they see; their probabilities are averaged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from amparser.algebra.operations import APP, ROOT
from amparser.amtree.evaluate import evaluate
from amparser.amtree.tree import AMTree, Entry
from amparser.decode.wrap import Tokens, Variants, WrapParse, decode
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.induction.constants import source_of_hole
from amparser.induction.derivations import (
    CONTINUE_TAG,
    FIRST_PIECE,
    IGNORE_TAG,
    NOBODY,
    AlignedGraph,
    Derivation,
    Induced,
    Inventory,
    derive,
    words_of,
)
from amparser.induction.recombination import Recombination
from amparser.induction.sorts import (
    SortModel,
    TypingPrior,
    induce_sorts,
    tag_tree,
    typing_prior,
)
from amparser.nn.tagger import Indexer, Tagger, TaggerOutput, TaggerSettings, WordIndex

Float = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TaggerTraining:
    """How a tagger parser is trained and decodes.

    Attributes:
        epochs: over the corpus.
        batch_size: in sentences.
        rate: AdamW's learning rate; it falls linearly to zero.
        fresh: how many recombined sentences an epoch has for each sentence of the corpus.
        again: the probability of another exchange after each.
        rarity, likely: see `Recombination`.
        members: how many taggers are averaged.
        most_sorts, free_root: see `induce_sorts`.
        prior_weight, prior_floor, violation: see `typing_prior`.
        arc_weight: of the arcs' scores.
        candidates: the most tags a token keeps.
        margin: a tag is kept if its log probability is at most this much below the best.
        wrap: whether a head may stand inside its only argument.
        seed: of everything that is random.
        network: sizes.
    """

    epochs: int = 30
    batch_size: int = 32
    rate: float = 2e-3
    fresh: float = 1.0
    again: float = 0.5
    rarity: float = 0.5
    likely: float = 0.005
    members: int = 1
    most_sorts: int = 16
    free_root: bool = True
    prior_weight: float = 0.05
    prior_floor: float = 1e-3
    violation: float = 3.0
    arc_weight: float = 0.3
    candidates: int = 6
    margin: float = 7.0
    wrap: bool = True
    seed: int = 0
    network: TaggerSettings = field(default_factory=TaggerSettings)


@dataclass
class _Defaults:
    """The kinds of default fillers, numbered: one output of the tagger for each."""

    names: tuple[str, ...]
    of_tag: list[list[int]]  # for each tag and hole the kind; -1 where there is no default

    @classmethod
    def of(cls, inventory: Inventory) -> _Defaults:
        holes = [piece.holes for piece in inventory.pieces]
        names = sorted({h.default for row in holes for _, _, h in row if h.default is not None})
        numbers = {name: i for i, name in enumerate(names)}
        of_tag: list[list[int]] = [[], []]
        for row in holes:
            of_tag.append([NOBODY if h.default is None else numbers[h.default] for _, _, h in row])
        return cls(tuple(names), of_tag)


@dataclass
class _Targets:
    """What a batch of derivations teaches; -100 where nothing."""

    tags: Tensor
    closed: Tensor
    arcs: Tensor

    @classmethod
    def of(cls, batch: Sequence[Derivation], defaults: _Defaults) -> _Targets:
        longest = max(len(d.tokens) for d in batch)
        tags = torch.full((len(batch), longest), -100)
        arcs = torch.full((len(batch), longest), -100)
        closed = torch.full((len(batch), longest, max(1, len(defaults.names))), -100.0)
        for i, d in enumerate(batch):
            n = len(d.tokens)
            tags[i, :n] = torch.tensor(d.tags)
            heads = [
                h + 1 if t >= FIRST_PIECE else -100 for h, t in zip(d.heads, d.tags, strict=True)
            ]
            arcs[i, :n] = torch.tensor(heads)
            for token, tag in enumerate(d.tags):
                for hole, kind in enumerate(defaults.of_tag[tag]):
                    if kind >= 0:
                        closed[i, token, kind] = float(d.closed[token] >> hole & 1)
        return cls(tags, closed, arcs)


def _loss(output: TaggerOutput, targets: _Targets) -> Tensor:
    """Mean cross-entropy of tags, of defaults and of arcs, a token."""
    count = (targets.tags >= 0).sum()
    cross = nn.functional.cross_entropy
    loss = cross(output.tags.flatten(0, 1), targets.tags.flatten(), reduction="sum")
    loss = loss + cross(output.arcs.flatten(0, 1), targets.arcs.flatten(), reduction="sum")
    known = targets.closed >= 0
    if bool(known.any()):
        loss = loss + nn.functional.binary_cross_entropy_with_logits(
            output.closed[known], targets.closed[known], reduction="sum"
        )
    return loss / count


@dataclass
class TaggerParser:
    """Pieces, sorts and taggers: what parses sentences."""

    inventory: Inventory
    sorts: SortModel
    taggers: list[Tagger]
    indexer: Indexer
    settings: TaggerTraining

    def __post_init__(self) -> None:
        self._defaults = _Defaults.of(self.inventory)
        self.set_prior()

    def set_prior(self) -> None:
        """Compile the prior over typings under the present settings."""
        holes = [0, 0, *(len(piece.holes) for piece in self.inventory.pieces)]
        self._prior: TypingPrior = typing_prior(
            self.sorts,
            holes,
            weight=self.settings.prior_weight,
            floor=self.settings.prior_floor,
            violation=self.settings.violation,
        )
        self._lexical = [False, False, *(piece.lexical for piece in self.inventory.pieces)]

    def scores(self, sentences: Sequence[Sequence[str]]) -> list[tuple[Float, Float, Float]]:
        """For each sentence log P of tags `[n, T]`, of defaults `[n, D, 2]` and arcs `[n, n + 1]`.

        Several taggers' probabilities are averaged.
        """
        found: list[tuple[Float, Float, Float]] = []
        order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
        found = [(np.zeros(0), np.zeros(0), np.zeros(0))] * len(sentences)
        with torch.no_grad():
            for start in range(0, len(order), 64):
                chosen = order[start : start + 64]
                batch = self.indexer.batch([sentences[i] for i in chosen])
                outputs = [tagger(batch) for tagger in self.taggers]
                tags = torch.stack([o.tags.softmax(-1) for o in outputs]).mean(0)
                closed = torch.stack([o.closed.sigmoid() for o in outputs]).mean(0)
                arcs = torch.stack([o.arcs.softmax(-1) for o in outputs]).mean(0)
                for row, i in enumerate(chosen):
                    n = len(sentences[i])
                    yes = np.clip(closed[row, :n].double().numpy(), 1e-6, 1 - 1e-6)
                    found[i] = (
                        np.log(tags[row, :n].double().numpy() + 1e-12),
                        np.log(np.stack([1 - yes, yes], axis=-1)),
                        np.log(arcs[row, :n, : n + 1].double().numpy() + 1e-12),
                    )
        return found

    def _variants(
        self, tag_logp: Float, closed_logp: Float, margin: float, candidates: int
    ) -> tuple[Variants, list[tuple[int, int]]]:
        """The variants of a sentence, and for each its tag and closed holes."""
        n = len(tag_logp)
        sorts = self.sorts.sort_count
        names: list[tuple[int, int]] = []
        token, holes, logp, rows = [], [], [], []
        row_of: dict[tuple[int, int], int] = {}
        for t in range(n):
            best = tag_logp[t].max()
            order = np.argsort(-tag_logp[t], kind="stable")[: candidates + 2]
            for tag in order.tolist():
                if tag < FIRST_PIECE or tag_logp[t, tag] < best - margin:
                    continue
                kinds = self._defaults.of_tag[tag]
                every = (1 << len(kinds)) - 1
                optional = sum(1 << h for h, kind in enumerate(kinds) if kind >= 0)
                closed = optional
                while True:
                    score = tag_logp[t, tag]
                    for hole, kind in enumerate(kinds):
                        if kind >= 0:
                            score += closed_logp[t, kind, closed >> hole & 1]
                    if score >= best - margin:
                        names.append((tag, closed))
                        token.append(t)
                        holes.append(every & ~closed)
                        logp.append(score + self._prior.result[tag])
                        rows.append(
                            [row_of.setdefault((tag, h), len(row_of)) for h in range(len(kinds))]
                        )
                    if closed == 0:
                        break
                    closed = (closed - 1) & optional
        most = max([1, *map(len, rows)])
        row = np.full((len(rows), most), NOBODY, np.int64)
        for v, r in enumerate(rows):
            row[v, : len(r)] = r
        filler = np.zeros((max(1, len(row_of)), sorts, sorts))
        for key, number in row_of.items():
            filler[number] = self._prior.filler[key]
        variants = Variants(
            np.array(token, np.int64),
            np.array(holes, np.int64),
            np.array(logp, np.float64).reshape(len(token), sorts),
            row,
            np.array([self._lexical[tag] for tag, _ in names], np.bool_),
            filler,
        )
        return variants, names

    def derivation(
        self, sentence: Sequence[str], scores: tuple[Float, Float, Float]
    ) -> Derivation | None:
        """The best derivation of a sentence, or None if there is none."""
        tag_logp, closed_logp, arc_logp = scores
        settings = self.settings
        tokens = Tokens(
            tag_logp[:, IGNORE_TAG].copy(),
            tag_logp[:, CONTINUE_TAG].copy(),
            np.ascontiguousarray(settings.arc_weight * arc_logp),
            self._prior.root,
        )
        margin, candidates = settings.margin, settings.candidates
        for _ in range(3):
            variants, names = self._variants(tag_logp, closed_logp, margin, candidates)
            parse = decode(tokens, variants, wrap=settings.wrap)
            if parse.found:
                return self._derivation(sentence, parse, names)
            margin, candidates = 2 * margin, 2 * candidates
        return None

    def _derivation(
        self, sentence: Sequence[str], parse: WrapParse, names: Sequence[tuple[int, int]]
    ) -> Derivation:
        n = len(sentence)
        tags = [IGNORE_TAG] * n
        closed = [0] * n
        for t, variant in enumerate(parse.variants):
            if variant >= 0:
                tags[t], closed[t] = names[variant]
            elif variant == -2:
                tags[t] = CONTINUE_TAG
        nobody = (NOBODY,) * n
        bare = Derivation(
            tuple(sentence),
            tuple(tags),
            tuple(closed),
            parse.heads,
            parse.holes,
            (None,) * n,
            nobody,
        )
        labels = [
            self.inventory.labels.label(str(self.inventory.piece(tag)), words_of(bare, t))
            if tag >= FIRST_PIECE and self._lexical[tag]
            else None
            for t, tag in enumerate(tags)
        ]
        return replace(bare, labels=tuple(labels))

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Derivation | None]:
        """The best derivation of each sentence, None where there is none."""
        scores = self.scores([s for s in sentences if s])
        it = iter(scores)
        return [self.derivation(s, next(it)) if s else None for s in sentences]

    def graphs(self, sentences: Sequence[Sequence[str]]) -> list[SGraph | None]:
        """The graph of each sentence, None where there is no derivation."""
        return [None if d is None else graph_of(d, self.inventory) for d in self.parse(sentences)]


def am_tree(derivation: Derivation, inventory: Inventory) -> AMTree:
    """The AM dependency tree of a derivation; the wrapper is no part of it."""
    entries = []
    for t, form in enumerate(derivation.tokens):
        tag = derivation.tags[t]
        if tag < FIRST_PIECE:
            entries.append(Entry(form))
            continue
        head = derivation.heads[t]
        operation = ROOT if head < 0 else APP + source_of_hole(derivation.holes[t])
        supertag = inventory.piece(tag).supertag(derivation.closed[t])
        entries.append(Entry(form, head + 1, operation, supertag, derivation.labels[t]))
    return AMTree(tuple(entries))


def graph_of(derivation: Derivation, inventory: Inventory) -> SGraph:
    """The graph that a derivation denotes, the wrapper included."""
    inner = evaluate(am_tree(derivation, inventory))
    nodes = dict(inner.nodes)
    edges = list(inner.edges)
    root = inner.root
    for label, place in reversed(inventory.contraction.wrapper):
        top = max(nodes) + 1
        nodes[top] = Node(label)
        edges.append(Edge(top, place, root))
        root = top
    return SGraph(nodes, tuple(edges), root)


def new_tagger(inventory: Inventory, index: WordIndex, settings: TaggerSettings) -> Tagger:
    """An untrained tagger for these pieces and words."""
    tag_count = FIRST_PIECE + len(inventory.pieces)
    return Tagger(settings, len(index), tag_count, len(_Defaults.of(inventory).names))


OnEpoch = Callable[[int, float], None]


def train_tagger_parser(
    corpus: Sequence[AlignedGraph],
    settings: TaggerTraining | None = None,
    *,
    induced: Induced | None = None,
    on_epoch: OnEpoch | None = None,
) -> TaggerParser:
    """Induce and train on a corpus.

    Args:
        corpus: sentences with graphs, aligned or not.
        settings: how.
        induced: what `derive` made of this very corpus, if that was done before.
        on_epoch: called with the epoch's number and its mean loss.

    Raises:
        DecomposeError: no sentence has a derivation.
    """
    settings = settings or TaggerTraining()
    induced = induced or derive(corpus)
    inventory = induced.inventory
    derivations = [d for d in induced.derivations if d is not None]
    tag_count = FIRST_PIECE + len(inventory.pieces)
    sorts = induce_sorts(
        [tag_tree(d) for d in derivations],
        tag_count,
        most=settings.most_sorts,
        free_root=settings.free_root,
    )
    pool = Recombination(derivations, sorts, likely=settings.likely, rarity=settings.rarity)
    defaults = _Defaults.of(inventory)
    index = WordIndex.of([d.tokens for d in derivations], settings.network.buckets)
    indexer = Indexer(index)
    taggers = []
    for member in range(settings.members):
        seed = settings.seed * 1000 + member
        torch.manual_seed(seed)
        random = Random(seed)
        tagger = new_tagger(inventory, index, settings.network)
        optimizer = torch.optim.AdamW(
            tagger.parameters(), lr=settings.rate, weight_decay=0.01, fused=True
        )
        fresh = round(settings.fresh * len(derivations))
        steps = settings.epochs * -(-(len(derivations) + fresh) // settings.batch_size)
        schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, total_iters=steps)
        for epoch in range(settings.epochs):
            tagger.train()
            rows = [*derivations, *(pool.draw(random, settings.again) for _ in range(fresh))]
            random.shuffle(rows)
            losses = []
            for start in range(0, len(rows), settings.batch_size):
                batch = rows[start : start + settings.batch_size]
                output = tagger(indexer.batch([d.tokens for d in batch]))
                loss = _loss(output, _Targets.of(batch, defaults))
                optimizer.zero_grad()
                torch.autograd.backward(loss)
                nn.utils.clip_grad_norm_(tagger.parameters(), 5.0)
                optimizer.step()
                schedule.step()
                losses.append(float(loss.detach()))
            if on_epoch is not None:
                on_epoch(epoch + 1, sum(losses) / len(losses))
        tagger.eval()
        taggers.append(tagger)
    return TaggerParser(inventory, sorts, taggers, indexer, settings)
