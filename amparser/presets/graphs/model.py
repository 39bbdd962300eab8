"""Parser model of the preset `graph`: scorers, and an inventory of graph fragments.

tokens -> units -> scores -> search -> derivation -> graph
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise
from typing import Any

from amparser.algebra.derivation import Derivation
from amparser.algebra.expand import layered
from amparser.algebra.fragment import Fragment
from amparser.corpora.tokens import ENDS
from amparser.decode.next_best import SLACK
from amparser.decode.parse import Best
from amparser.graph.boxes import join
from amparser.graph.sgraph import SGraph
from amparser.induction.texts import ends_inside
from amparser.lexicon.candidates import CandidateLabels
from amparser.lexicon.chat import usual_spelling
from amparser.lexicon.graph_inventory import tags_of
from amparser.lexicon.senses import ENCODER
from amparser.lexicon.spans import Shown
from amparser.lexicon.units import Unit
from amparser.nn.heads.arcs import ArcNeeds
from amparser.nn.heads.boxes import BoxNeeds
from amparser.nn.heads.fillers import FillerNeeds
from amparser.nn.heads.labels import LabelNeeds
from amparser.nn.heads.tags import TagNeeds
from amparser.nn.scorer import Needs
from amparser.nn.scores import scores_of
from amparser.presets.graphs.encoding import GraphLearned
from amparser.presets.graphs.search import Search
from amparser.presets.graphs.unseen import UnseenWords
from amparser.presets.model import PieceModel, Scored
from amparser.presets.preset import Preset
from amparser.presets.settings import GraphSettings

_OFTEN = 20
"""Chat spellings: `u` is replaced if `you` is this many times as frequent as `u` in training."""


@dataclass(frozen=True)
class GraphModel(PieceModel):
    """Parser model of the preset `graph`."""

    learned: GraphLearned

    preset = "graph"
    has_trees = False
    longest = 200  # the memory of the search grows with the square of the length

    def unknown(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return the tokens with a unit that does not occur in training, ignoring case."""
        units = self._units(tokens)
        known = self.network.encoder
        strange = {unit.token for unit in units if known.unknown([unit.text])}
        return tuple(token for number, token in enumerate(tokens) if number in strange)

    def words(self, tokens: Sequence[str]) -> list[str]:
        """Return the text of each unit of the tokens."""
        return [unit.text for unit in self._units(tokens)]

    def _units(self, tokens: Sequence[str]) -> tuple[Unit, ...]:
        return self.learned.splitter.units(tokens, self._spelled)

    def _spelled(self, token: str) -> str:
        form = usual_spelling(token)
        count = self.network.encoder.vocabulary.count
        least = min(count(unit.text) for unit in self.learned.splitter.units([form]))
        return form if least > _OFTEN * count(token) else token

    def score(self, sentences: Sequence[Sequence[str]]) -> list[Scored]:
        """Score tokenised sentences, in order."""
        units = [self._units(sentence) for sentence in sentences]
        parts = [self._sentences(sentence) for sentence in units]
        scored = iter(self._scored([part for text in parts for part in text]))
        return [
            sentence._replace(parts=tuple(islice(scored, len(text))))
            for sentence, text in zip(self._scored(units), parts, strict=True)
        ]

    def _scored(self, units: Sequence[tuple[Unit, ...]]) -> list[Scored]:
        scores = scores_of(self.network, [[unit.text for unit in sentence] for sentence in units])
        return [Scored(*row) for row in zip(units, scores, strict=True)]

    def _sentences(self, units: tuple[Unit, ...]) -> list[tuple[Unit, ...]]:
        """Split a text into its sentences; return [] for one sentence, or if there are no boxes."""
        ends = ends_inside([unit.text for unit in units], frozenset(ENDS))
        if self.learned.scheme is None or not ends:
            return []
        starts = [0, *(end + 1 for end in ends), len(units)]
        return [units[start:stop] for start, stop in pairwise(starts)]

    def decode(self, scores: Sequence[Scored], decoder: str) -> list[Best[Derivation]]:
        """Return the best derivation of each sentence."""
        return self._search.best(scores, decoder)

    def others(
        self, scores: Scored, best: Best[Derivation], decoder: str, slack: float = SLACK
    ) -> Iterator[Best[Derivation]]:
        """Yield further derivations."""
        return self._search.after(scores, best, decoder, slack)

    def chosen(self, tokens: Sequence[str], parse: Best[Derivation]) -> Sequence[int]:
        """Implement `ParserModel.chosen`, with one index for each unit."""
        assert parse.analysis is not None
        number = self.learned.inventory.tag_number
        return [number[tag] for tag in tags_of(parse.analysis)]

    def graph(self, tokens: Sequence[str], parse: Best[Derivation]) -> SGraph:
        """Return the graph of a derivation; its nodes have tokens (from 1) and spans."""
        assert parse.analysis is not None
        units = self._units(tokens)
        graph = layered(parse.analysis)
        at = [unit - 1 for unit in graph.tokens]
        aligned = tuple(units[unit].token + 1 for unit in at)
        spans = self.learned.spans.of(Shown(graph, at, parse.analysis, units))
        return join(replace(graph, tokens=aligned, spans=spans), self.learned.scheme)

    def constant(self, number: int) -> Fragment | str:
        """Implement `ParserModel.constant`."""
        return self.learned.inventory.tags[number]

    @cached_property
    def _search(self) -> Search:
        learned = self.learned
        offers = CandidateLabels(learned.inventory, learned.languages)
        # The packaged scorers of senses fit only the states of the pretrained encoder `ENCODER`.
        pretrained: Any = getattr(self.network.encoder, "pretrained", None)
        states = pretrained.states if getattr(pretrained, "name", "") == ENCODER else None
        dictionary = self.settings.decode.dictionary
        unseen = UnseenWords(learned.inventory.edit_scripts, dictionary, states)
        return Search(learned, offers, unseen)


def graph_needs(settings: GraphSettings, learned: GraphLearned) -> Needs:
    """Return what the network predicts: fragments, edges, labels, boxes and annotation layers."""
    inventory = learned.inventory
    heads = settings.heads
    hidden, dropout = heads.hidden_size, heads.dropout
    return Needs(
        TagNeeds(len(inventory.tags), hidden, dropout, words=True),
        ArcNeeds(
            "bilinear",
            heads.arc_size,
            dropout,
            "zero",
            tag_size=48,  # width of the projection of fragment scores that the edge scorer reads
            clip=heads.distance_clip,
        ),
        labels=LabelNeeds(
            len(inventory.labels),
            hidden,
            dropout,
            len(inventory.lexical_labels),
            len(inventory.text_number),
            heads.filler_size,
            heads.label_dropout,
        ),
        fillers=FillerNeeds(
            inventory.text_numbers(),
            len(inventory.text_number),
            len(inventory.edit_scripts),
            hidden,
            heads.filler_size,
            dropout,
            bool(learned.languages),
        ),
        boxes=BoxNeeds(len(inventory.introduced), heads.arc_size // 2, dropout),
        beside=(heads.arc_size // 2, dropout, heads.distance_clip),
        auxiliary=[len(items) for items in learned.auxiliary],
    )


GRAPH = Preset(
    "graph",
    "constants of several nodes, re-entrant edges and boxes, for graphs of running text",
    GraphSettings(),
    GraphLearned,
    graph_needs,
    GraphModel,
    "amparser.presets.graphs.training",
)
