"""The whole chain: sentences to trees, graphs and meanings.

    tokenise -> score -> decode -> derivation -> evaluate -> write

The answer is a meaning or the reason why there is none. What depends on the constants of a model,
its *composition*, is behind a protocol (`amparser.learn.composition`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from amparser.amtree.tree import AMTree
from amparser.corpora.example import Example
from amparser.corpora.penman import graph_of
from amparser.corpora.tokens import Tokenizer, tokenize
from amparser.decode.decoders import DecodersOf
from amparser.decode.parse import Decoded
from amparser.errors import AMParserError, InputError, ModelError
from amparser.explanation import Explanation
from amparser.graph.penman_codec import sgraph_to_penman
from amparser.graph.sgraph import SGraph
from amparser.hub import model_folder
from amparser.learn.composition import Composition, InventoryTable
from amparser.learn.model_folder import MODEL, Head, read_model
from amparser.learn.streaming import Item, answered, batches, checked, length_of
from amparser.learn.system import PARSER, output_format_of, timed
from amparser.learn.system_registry import CONSTANTS
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS
from amparser.processes import mapped
from amparser.results import Result
from amparser.schema import shown

_MOST_TREES = 10
"""So many trees of a sentence are tried for one that has a meaning."""


class Parser:
    """A trained parser; a `Model` (see `amparser.learn.system`), whatever its constants are.

    Args:
        head: what its model folder says of it.
        composition: its scorer and its lexicon.
        notation: of its meanings (default: the one that it was trained on).

    Raises:
        InputError: there is no such notation, or the model cannot write it.
    """

    system = PARSER

    def __init__(self, head: Head, composition: Composition, notation: str | None = None) -> None:
        self.head = head
        self.composition = composition
        self._notation = _checked_notation(head.notation, notation)

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
        head, weights = read_model(path, cls.system)
        constants = head.settings.get("constants", "node")
        if constants not in CONSTANTS:
            known = ", ".join(CONSTANTS)
            where = f"{path / MODEL}.json: settings.constants = {shown(constants)}"
            raise ModelError(f"{where}: expected one of {known}")
        return cls(head, CONSTANTS[constants].load(head, weights, path, device), notation)

    @property
    def settings(self) -> Any:
        """The settings of its training."""
        return self.composition.settings

    @property
    def notation(self) -> str:
        """The name of the notation of its meanings; empty for graphs in PENMAN."""
        return "" if self._notation is None else self._notation.name

    @property
    def benchmark(self) -> str:
        """The name of the benchmark that it was trained on, or empty."""
        return self.head.benchmark

    @property
    def data(self) -> Mapping[str, Any]:
        """Names and checksums of the files that it was trained on."""
        return self.head.data

    @property
    def metrics(self) -> Mapping[str, Any]:
        """`best_epoch`, `epochs` and `data` of its training."""
        return self.head.metrics

    @property
    def decoders(self) -> tuple[str, ...]:
        """The names of the decoders that fit its lexicon, the one of the settings first."""
        first = self._decoder(None)
        return (first, *(name for name in self._fitting if name != first))

    @property
    def has_trees(self) -> bool:
        """Whether its answers have AM dependency trees."""
        return self.composition.has_trees

    def with_notation(self, notation: str) -> Parser:
        """The same parser that writes meanings in another notation; raises InputError."""
        return Parser(self.head, self.composition, notation)

    def with_settings(self, settings: Any) -> Parser:
        """The same parser with other settings of lexicon and decoding.

        A count that the settings leave to train stays the one that was read off it.
        """
        composition = self.composition.with_settings(settings)
        return Parser(self.head, composition, self.notation or None)

    @property
    def output_format(self) -> str:
        """What its answers are printed as: `meaning`, or `amconll` if it learned from trees."""
        return output_format_of(self.notation, self.data)

    def unknown(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The tokens of a sentence that train does not have, in any case of letters."""
        return self.composition.unknown(tokens)

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Why the parser cannot take a sentence, or None."""
        return self.composition.problem(tokens)

    def score(self, sentences: Sequence[Sequence[str]]) -> Sequence[Any]:
        """The scores of tokenised sentences, in order; `decode` takes them."""
        return self.composition.score(sentences)

    def decode(self, scores: Sequence[Any], decoder: str | None = None) -> Sequence[Decoded]:
        """The best derivation of each sentence.

        Args:
            scores: the scores of the sentences.
            decoder: the name of a decoder (default: that of the settings).

        Raises:
            InputError: there is no such decoder, or it does not fit the lexicon.
        """
        return self.composition.decode(scores, self._decoder(decoder))

    def assemble(self, tokens: Sequence[str], parse: Decoded, decoder: str | None = None) -> Result:
        """Tree, graph and meaning of a decoder's result.

        Args:
            tokens: the sentence.
            parse: the result.
            decoder: the name of the decoder, for explanations (default: that of the settings).
        """
        tokens = tuple(tokens)
        meaning, failure, graph = None, parse.failure, None
        if parse.found:
            try:
                graph = self.composition.graph(tokens, parse)
                meaning = self._written(tokens, graph)
            except AMParserError as error:
                failure = str(error)
        return self._result(tokens, parse, (meaning, failure), graph, decoder)

    def _result(
        self,
        tokens: tuple[str, ...],
        parse: Decoded,
        answer: tuple[str | None, str | None],
        graph: SGraph | Callable[[], SGraph | None] | None,
        decoder: str | None,
    ) -> Result:
        """The result of a meaning, or of the reason why there is none."""
        meaning, failure = answer
        has_tree = parse.found and self.has_trees
        return Result(
            tokens,
            meaning,
            self.notation,
            partial(self.composition.tree, tokens, parse) if has_tree else None,
            graph,
            failure,
            logp=parse.logp if parse.found else None,
            parse=parse,
            unknown=self.unknown(tokens),
            explainer=partial(self.explain, tokens, parse, failure, decoder),
        )

    def _graph(self, tokens: Sequence[str], parse: Decoded) -> SGraph | None:
        """The graph of a decoder's result; None if it denotes none."""
        with suppress(AMParserError):
            return self.composition.graph(tokens, parse)
        return None

    def explain(
        self,
        tokens: Sequence[str],
        parse: Decoded,
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
        return self.composition.explain(tokens, parse, failure, self._decoder(decoder))

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
        names = [self._decoder(name) for name in decoders or (None,)]
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

    def _answer(self, tokens: Sequence[str], scores: Any, parse: Decoded, decoder: str) -> Result:
        """The result of a decoder's tree; of the next best one that has a meaning if it has none.

        Types do not say all that a notation asks, such as one relative clause for a noun.
        """
        result = self.assemble(tokens, parse, decoder)
        if result.meaning is not None or parse.fallback is not None:
            return result
        others = self.composition.others(scores, parse, decoder)
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
        self._decoder(decoder)
        items: Iterator[Item] = (checked(sentence, tokenizer) for sentence in sentences)
        parts: Iterator[list[Item]] = batches(items, length_of, processes)
        if processes == 1:
            for batch in parts:
                yield from answered(self, batch, decoder)
            return

        def packed(batch: list[Item]) -> list[tuple[Decoded | None, str | None, str | None]]:
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
        """The AM dependency tree of an example, decomposed as those of train were.

        Raises:
            AMParserError: the example has no graph, or the graph does not decompose.
        """
        if example.tree is not None:
            return example.tree
        graph = self.graph_of(example)
        return self.composition.tree_of(example.tokens, graph, example.alignment)

    def inventory_tables(self) -> list[InventoryTable]:
        """What was induced, for people to read."""
        return self.composition.inventory_tables()

    @property
    def _fitting(self) -> DecodersOf:
        return DecodersOf(self.composition.constants)

    def _decoder(self, name: str | None) -> str:
        """The name of a decoder, by default that of the settings; raises InputError."""
        return self._fitting.check(name or str(self.settings.decode.decoder))

    def _written(self, tokens: Sequence[str], graph: SGraph) -> str:
        if self._notation is None:
            return sgraph_to_penman(graph)
        return self._notation.written(tokens, graph)


def _checked_notation(name: str, notation: str | None) -> Notation | None:
    trained_on = NOTATIONS[name] if name else None
    if notation is None:
        return trained_on
    chosen = NOTATIONS[notation]
    # Graphs may be those of any notation; one that they are not of is a failure of the sentence.
    if trained_on is not None and trained_on.family not in chosen.families:
        raise InputError(f"a model of {name} cannot write {chosen.name}")
    return chosen
