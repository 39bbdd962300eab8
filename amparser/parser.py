"""The whole chain: sentences to trees, graphs and meanings.

    tokenise -> score -> decode -> AM dependency tree -> evaluate -> write

Every decoder returns only well-typed trees, so the answer is a meaning or the reason why
there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any

from amparser.amtree.evaluate import evaluate
from amparser.amtree.tree import AMTree
from amparser.corpora.example import Example
from amparser.corpora.penman import graph_of
from amparser.corpora.tokens import Tokenizer, tokenize
from amparser.decode.decoders import DECODERS
from amparser.decode.next_best import next_best
from amparser.decode.parse import Parse
from amparser.decode.scores import Scores
from amparser.errors import AMParserError, InputError, ModelError
from amparser.explain import Explainer
from amparser.explanation import Explanation
from amparser.graph.penman_codec import sgraph_to_penman
from amparser.graph.sgraph import SGraph
from amparser.hub import model_folder
from amparser.induction.analysis import analyse
from amparser.induction.induce import SourceInventory
from amparser.induction.inventory_codec import inventory_from_dict
from amparser.learn.network_model import NetworkModel, load_network
from amparser.learn.streaming import Item, answered, batches, checked, length_of
from amparser.learn.system import output_format_of, timed
from amparser.lexicon.denotation import Denotation
from amparser.lexicon.fillers import with_fillers, without_fillers
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.restrictions import Restrictions
from amparser.lexicon.thresholds import Thresholds
from amparser.nn.tree_scores import tree_scores
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS
from amparser.processes import mapped
from amparser.results import Result

_MOST_TREES = 10
"""So many trees of a sentence are tried for one that has a meaning."""


class Parser:
    """A trained parser; a `Model` of the system `amparser` (see `amparser.learn.system`)."""

    system = "amparser"

    def __init__(self, model: NetworkModel, lexicon: Lexicon, notation: str | None = None) -> None:
        self.model = model
        self.lexicon = lexicon
        self._notation = _checked_notation(model, notation)

    @classmethod
    def load(
        cls,
        folder: str | Path | None = None,
        device: str = "auto",
        notation: str | None = None,
    ) -> Parser:
        """Read a model folder.

        Args:
            folder: the model folder, or a name: that of a model of the package, or
                `USER/NAME@REVISION` on the hub (see `amparser.hub`; default: the default model
                of the package).
            device: where the network computes: `auto`, `cpu` or `cuda`.
            notation: the notation of meanings (default: the one that the model was trained
                on). It must be of the same family (`amparser.notations.registry.family_of`).

        Raises:
            ModelError: the folder is missing, damaged or of another system.
            InputError: there is no such device, or the model cannot write the notation.
        """
        path = model_folder(folder)
        return cls.of_model(load_network(path, device), path, notation)

    @classmethod
    def of_model(
        cls, model: NetworkModel, folder: str | Path, notation: str | None = None
    ) -> Parser:
        """The parser of a trained network; errors name the folder."""
        lexicon = Lexicon.from_dict(model.lexicon["lexicon"])
        needs = model.network.needs
        counts = (len(lexicon.supertags), len(lexicon.operations))
        if counts != (needs.tags.count, needs.arcs.operations):
            raise ModelError(f"{folder}: lexicon and network do not belong together")
        return cls(model, lexicon, notation)

    @property
    def settings(self) -> Any:
        """The settings of its training."""
        return self.model.settings

    @property
    def notation(self) -> str:
        """The name of the notation of its meanings; empty for graphs in PENMAN."""
        return "" if self._notation is None else self._notation.name

    @property
    def benchmark(self) -> str:
        """The name of the benchmark that it was trained on, or empty."""
        return self.model.benchmark

    @property
    def data(self) -> Mapping[str, Any]:
        """Names and checksums of the files that it was trained on."""
        return self.model.data or {}

    @property
    def metrics(self) -> Mapping[str, Any]:
        """`best_epoch`, `epochs` and `data` of its training."""
        return self.model.metrics

    @property
    def decoders(self) -> tuple[str, ...]:
        """The names of all decoders, the one of the settings first."""
        first = str(self.settings.decode.decoder)
        return (first, *(name for name in DECODERS if name != first))

    @cached_property
    def inventory(self) -> SourceInventory:
        """How sources were named in the training data."""
        return inventory_from_dict(self.model.lexicon["inventory"])

    @cached_property
    def restrictions(self) -> Restrictions:
        """What the lexicon rules out, according to the settings."""
        return Restrictions.of_settings(self.lexicon, self.settings.lexicon)

    @cached_property
    def denotation(self) -> Denotation:
        """What makes graphs of the indices of trees."""
        return Denotation(self.lexicon)

    def with_notation(self, notation: str) -> Parser:
        """The same parser that writes meanings in another notation; raises InputError."""
        return Parser(self.model, self.lexicon, notation)

    def with_settings(self, settings: Any) -> Parser:
        """The same parser with other settings of lexicon and decoding.

        A count that the settings leave to train stays the one that was read off it.
        """
        known = self.model.settings.lexicon
        counts = {
            name: getattr(settings.lexicon, name) or getattr(known, name)
            for name in Thresholds._fields
        }
        settings = replace(settings, lexicon=replace(settings.lexicon, **counts))
        model = replace(self.model, settings=settings)
        return Parser(model, self.lexicon, self.notation or None)

    @property
    def output_format(self) -> str:
        """What its answers are printed as: `meaning`, or `amconll` if it learned from trees."""
        return output_format_of(self.notation, self.data)

    def unknown(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The tokens of a sentence that train does not have, in any case of letters."""
        return self.model.network.encoder.unknown(tokens)

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Why the network cannot take a sentence, or None."""
        return self.model.network.encoder.problem(tokens)

    def score(self, sentences: Sequence[Sequence[str]]) -> list[Scores]:
        """The scores of tokenised sentences, in order.

        They are -inf for whatever the lexicon rules out for a word.
        """
        read = [self._as_read(tokens) for tokens in sentences]
        words = [tokens for tokens, _ in read]
        scores = self.restrictions.apply_all(words, tree_scores(self.model.network, words))
        return [
            with_fillers(one, kept, len(tokens))
            for one, (_, kept), tokens in zip(scores, read, sentences, strict=True)
        ]

    def _as_read(self, tokens: Sequence[str]) -> tuple[tuple[str, ...], list[int]]:
        """A sentence as it is scored, and which of its tokens (from 0) are left then."""
        left, kept = without_fillers(tokens, self.lexicon.fillers)
        return self.lexicon.familiar(left), kept

    def decode(self, scores: Sequence[Scores], decoder: str | None = None) -> list[Parse]:
        """The best well-typed tree of each sentence.

        Args:
            scores: the scores of the sentences.
            decoder: the name of a decoder (default: that of the settings).

        Raises:
            InputError: there is no such decoder.
        """
        settings = self.settings.decode
        return DECODERS[settings.decoder if decoder is None else decoder].search(
            scores,
            self.restrictions.table,
            supertag_limit=settings.supertag_limit,
            open_root=True,
        )

    def assemble(self, tokens: Sequence[str], parse: Parse, decoder: str | None = None) -> Result:
        """Tree, graph and meaning of a decoder's result.

        Args:
            tokens: the sentence.
            parse: the result.
            decoder: the name of the decoder, for explanations (default: that of the settings).
        """
        tokens = tuple(tokens)
        meaning = failure = None
        graph: SGraph | Callable[[], SGraph | None] | None = None
        if parse.found:
            graph = self._graph(tokens, parse)
            try:
                if graph is None:  # the tree says why
                    graph = evaluate(self._tree(tokens, parse), open_root=len(tokens) == 1)
                meaning = self._written(tokens, graph)
            except AMParserError as error:
                failure = str(error)
        else:
            failure = parse.failure
        return self._result(tokens, parse, (meaning, failure), graph, decoder)

    def _result(
        self,
        tokens: tuple[str, ...],
        parse: Parse,
        answer: tuple[str | None, str | None],
        graph: SGraph | Callable[[], SGraph | None] | None,
        decoder: str | None,
    ) -> Result:
        """The result of a meaning, or of the reason why there is none."""
        meaning, failure = answer
        return Result(
            tokens,
            meaning,
            self.notation,
            partial(self._tree, tokens, parse) if parse.found else None,
            graph,
            failure,
            logp=parse.logp if parse.found else None,
            parse=parse,
            unknown=self.unknown(tokens),
            explainer=partial(self.explain, tokens, parse, failure, decoder),
        )

    def _tree(self, tokens: Sequence[str], parse: Parse) -> AMTree:
        return self.lexicon.tree(tokens, parse.supertags, parse.heads, parse.operations)

    def _graph(self, tokens: Sequence[str], parse: Parse) -> SGraph | None:
        """The graph of a decoder's tree; None if it denotes none."""
        indices = (parse.supertags, parse.heads, parse.operations)
        return self.denotation.graph(tokens, *indices)

    def explain(
        self,
        tokens: Sequence[str],
        parse: Parse,
        failure: str | None = None,
        decoder: str | None = None,
    ) -> Explanation:
        """Why a decoder's result is as it is; scores the sentence again.

        Args:
            tokens: the sentence.
            parse: the result.
            failure: why there is no meaning, or None.
            decoder: the name of the decoder (default: that of the settings).
        """
        words, kept = self._as_read(tokens)
        [network] = tree_scores(self.model.network, [words])
        # The restrictions are applied in place.
        copied = Scores(network.supertag_logp.copy(), network.edge_logp.copy())
        restricted = self.restrictions.apply(words, copied)
        network = with_fillers(network, kept, len(tokens))
        restricted = with_fillers(restricted, kept, len(tokens))
        limit = self.settings.decode.supertag_limit
        name = decoder or str(self.settings.decode.decoder)
        explainer = Explainer(tokens, network, restricted, self.restrictions, limit, name)
        return explainer.explanation(parse, failure)

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
        names = [DECODERS.check(name) for name in decoders] or list(self.decoders[:1])
        with timed(seconds, "scoring"):
            scores = self.score(sentences)
        answers: dict[str, list[Result]] = {}
        for name in dict.fromkeys(names):
            with timed(seconds, f"decoding {name}"):
                parses = self.decode(scores, name)
            with timed(seconds, f"assembling {name}"):
                answers[name] = [
                    self._answer(tokens, one, parse, name)
                    for tokens, one, parse in zip(sentences, scores, parses, strict=True)
                ]
        return answers

    def _answer(self, tokens: Sequence[str], scores: Scores, parse: Parse, decoder: str) -> Result:
        """The result of a decoder's tree; of the next best one that has a meaning if it has none.

        Types do not say all that a notation asks, such as one relative clause for a noun.
        """
        result = self.assemble(tokens, parse, decoder)
        if result.meaning is not None or parse.fallback is not None:
            return result
        others = next_best(
            DECODERS[decoder],
            scores,
            self.restrictions.table,
            parse,
            supertag_limit=self.settings.decode.supertag_limit,
            open_root=True,
        )
        for rank, other in enumerate(islice(others, _MOST_TREES - 1), 2):
            answer = self.assemble(tokens, replace(other, fallback=f"tree {rank}"), decoder)
            if answer.meaning is not None:
                return answer
        return result

    def parse(
        self,
        sentences: Iterable[str | Sequence[str]],
        decoder: str | None = None,
        *,
        tokenizer: Tokenizer = tokenize,
        processes: int = 1,
    ) -> list[Result]:
        """Parse raw or tokenised sentences; results in the order of input (see `stream`)."""
        return list(self.stream(sentences, decoder, tokenizer=tokenizer, processes=processes))

    def stream(
        self,
        sentences: Iterable[str | Sequence[str]],
        decoder: str | None = None,
        *,
        tokenizer: Tokenizer = tokenize,
        processes: int = 1,
    ) -> Iterator[Result]:
        """Parse sentences batch by batch; results in the order of input, in bounded memory.

        A sentence that cannot be parsed at all, such as an empty one, is a result with a failure.

        Args:
            sentences: raw texts, or sequences of tokens, which are taken as they are.
            decoder: the name of a decoder (default: that of the settings).
            tokenizer: finds the tokens of raw texts.
            processes: how many processes parse. They are forked and share the model's memory;
                each computes with one thread. A process that uses a GPU cannot be forked.

        Raises:
            InputError: the argument is one text instead of a list of them; there is no such
                decoder; several processes where a GPU is in use.
            ProcessError: a process died.
        """
        if isinstance(sentences, str):
            raise InputError("expected a list of sentences, got one text; put it in brackets")
        DECODERS.check(decoder or str(self.settings.decode.decoder))
        items: Iterator[Item] = (checked(sentence, tokenizer) for sentence in sentences)
        parts: Iterator[list[Item]] = batches(items, length_of, processes)
        if processes == 1:
            for batch in parts:
                yield from answered(self, batch, decoder)
            return

        def packed(batch: list[Item]) -> list[tuple[Parse | None, str | None, str | None]]:
            return [(r.parse, r.meaning, r.failure) for r in answered(self, batch, decoder)]

        for batch, packs in mapped(packed, parts, processes, warm=self.warm):
            for item, (parse, meaning, failure) in zip(batch, packs, strict=True):
                if isinstance(item, Result):
                    yield item
                elif parse is None:
                    yield Result(item, notation=self.notation, failure=failure)
                else:
                    graph = partial(self._graph, item, parse) if parse.found else None
                    yield self._result(item, parse, (meaning, failure), graph, decoder)

    def warm(self) -> None:
        """Load what answering loads at first."""
        self.answers([("a",)])

    def graph_of(self, example: Example) -> SGraph:
        """The graph of an example, from its meaning in the parser's notation if it has no other.

        Raises:
            AMParserError: the meaning is malformed or missing.
        """
        if example.graph is None and example.tree is None and example.meaning is not None:
            if self._notation is None:
                raise InputError("the parser was not trained on a notation of meanings")
            return self._notation.graph(example.tokens, example.meaning)
        return graph_of(example)

    def tree_of(self, example: Example) -> AMTree:
        """The AM dependency tree of an example, decomposed with the parser's sources.

        Raises:
            AMParserError: the example has no graph, or the graph does not decompose.
        """
        if example.tree is not None:
            return example.tree
        analysis = analyse([(example.tokens, self.graph_of(example))], self.inventory)
        [tree] = analysis.trees
        if tree is None:
            raise InputError(analysis.failures[0][1])
        return tree

    def _written(self, tokens: Sequence[str], graph: SGraph) -> str:
        if self._notation is None:
            return sgraph_to_penman(graph)
        return self._notation.written(tokens, graph)


def _checked_notation(model: NetworkModel, notation: str | None) -> Notation | None:
    name = model.notation
    trained_on = NOTATIONS[name] if name else None
    if notation is None:
        return trained_on
    chosen = NOTATIONS[notation]
    # Graphs may be those of any notation; one that they are not of is a failure of the sentence.
    if trained_on is not None and trained_on.family not in chosen.families:
        raise InputError(f"a model of {name} cannot write {chosen.name}")
    return chosen
