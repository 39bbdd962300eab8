"""A trained parser over pieces.

tokenise -> score -> search -> derivation -> AM dependency tree -> evaluate -> write
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from amparser.amtree.tree import AMTree
from amparser.corpora.example import Example
from amparser.decode.parse import NO_TREE
from amparser.errors import InputError
from amparser.explanation import Explanation
from amparser.graph.sgraph import SGraph
from amparser.induction.derivation import Derivation
from amparser.induction.derivations import AlignedGraph, Inventory, derive
from amparser.induction.sorts import SortModel
from amparser.learn.graph_model import GraphModel
from amparser.learn.system import timed
from amparser.nn.scorer import Ensemble
from amparser.pieces.evidence import Evidence
from amparser.pieces.explain import explanation_of
from amparser.pieces.gold import graph_of_example
from amparser.pieces.network import piece_scores
from amparser.pieces.search import PieceScores, Search
from amparser.pieces.settings import DECODERS, PiecesSettings
from amparser.pieces.tables import InventoryTable, inventory_tables
from amparser.pieces.trees import am_tree, graph_of
from amparser.results import Result

SYSTEM = "pieces"

LONGEST = 100
"""A longer sentence is refused; the chart of projective trees takes seconds at this length."""


@dataclass(frozen=True)
class PiecesParser(GraphModel):
    """A trained parser over pieces; a `Model` (see `amparser.learn.system`).

    Attributes:
        inventory: the pieces and lexical labels.
        sorts: which pieces stand where.
        evidence: how often train has what.
        network: the scorers, in evaluation mode.
    """

    settings: PiecesSettings
    inventory: Inventory
    sorts: SortModel
    evidence: Evidence
    network: Ensemble

    system = SYSTEM

    @property
    def decoders(self) -> tuple[str, ...]:
        """The names of all decoders, that of the settings first."""
        first = self.settings.decode.decoder
        return (first, *(name for name in DECODERS if name != first))

    def unknown(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The tokens of a sentence that train does not have, in any case of letters."""
        return self.network.encoder.unknown(tokens)

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Why the parser cannot take a sentence, or None."""
        if not tokens:
            return "empty, expected a sentence"
        if len(tokens) > LONGEST:
            return f"{len(tokens)} tokens, expected at most {LONGEST}"
        return self.network.encoder.problem(tokens)

    def score(self, sentences: Sequence[Sequence[str]]) -> list[PieceScores]:
        """Scores of tokenised sentences, in their order."""
        return piece_scores(self.network, sentences)

    def answers(
        self,
        sentences: Sequence[Sequence[str]],
        decoders: Sequence[str] = (),
        *,
        seconds: MutableMapping[str, float] | None = None,
    ) -> Mapping[str, list[Result]]:
        """The results of each decoder, all from the same scores (see `Model.answers`).

        The steps of `seconds` are `scoring`, `decoding NAME` and `assembling NAME`.
        """
        names = tuple(dict.fromkeys(decoders)) or self.decoders[:1]
        check_decoders(names)
        with timed(seconds, "scoring"):
            scores = self.score(sentences)
        answers: dict[str, list[Result]] = {}
        for name in names:
            with timed(seconds, f"decoding {name}"):
                found = [
                    self._search.best(tokens, row, name)
                    for tokens, row in zip(sentences, scores, strict=True)
                ]
            with timed(seconds, f"assembling {name}"):
                answers[name] = [
                    self.assemble(tokens, *best)
                    for tokens, best in zip(sentences, found, strict=True)
                ]
        return answers

    def assemble(self, tokens: Sequence[str], derivation: Derivation | None, logp: float) -> Result:
        """Tree, graph and meaning of a derivation."""
        tokens = tuple(tokens)
        if derivation is None:
            unknown = self.unknown(tokens)
            return Result(
                tokens,
                notation=self.notation,
                failure=NO_TREE,
                unknown=unknown,
                explainer=partial(self.explain, tokens, None, NO_TREE),
            )
        tree = am_tree(derivation, self.inventory)
        graph = graph_of(derivation, self.inventory)
        meaning, failure = self.written(tokens, graph)
        return Result(
            tokens,
            meaning,
            self.notation,
            tree,
            graph,
            failure,
            logp=logp,
            unknown=self.unknown(tokens),
            explainer=partial(self.explain, tokens, derivation, failure),
        )

    def explain(
        self, tokens: Sequence[str], derivation: Derivation | None, failure: str | None = None
    ) -> Explanation:
        """Why an answer is as it is; scores the sentence again.

        Args:
            tokens: the sentence.
            derivation: the best one, or None.
            failure: why there is no meaning, or None.
        """
        [scores] = self.score([tokens])
        return explanation_of(tokens, scores, self.inventory, derivation, failure)

    def graph_of(self, example: Example) -> SGraph:
        """The graph of an example; raises AMParserError if there is none."""
        return graph_of_example(example, self.notation)

    def tree_of(self, example: Example) -> AMTree:
        """The AM dependency tree of an example, of pieces induced from it alone.

        Raises:
            AMParserError: the example has no graph, or the graph does not decompose.
        """
        if example.tree is not None:
            return example.tree
        induced = derive([AlignedGraph(example.tokens, self.graph_of(example), example.alignment)])
        [derivation] = induced.derivations
        assert derivation is not None
        return am_tree(derivation, induced.inventory)

    def inventory_tables(self) -> list[InventoryTable]:
        """What was induced, for `amparser lexicon`."""
        return inventory_tables(self.inventory, self.sorts, self.head.content.get("cut", {}))

    @cached_property
    def _search(self) -> Search:
        return Search(self.inventory, self.sorts, self.evidence, self.settings.decode)


def check_decoders(names: Sequence[str]) -> None:
    """Raise InputError if a name is that of no decoder."""
    for name in names:
        if name not in DECODERS:
            raise InputError(f"unknown decoder {name!r}, expected one of {', '.join(DECODERS)}")
