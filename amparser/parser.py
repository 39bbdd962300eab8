"""The whole chain: sentences to trees, graphs and meanings.

    tokenise -> score -> decode -> derivation -> evaluate -> write

The answer is a meaning or the reason why there is none. What depends on the constants of a model,
is its model, behind a protocol (`amparser.presets.model`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amparser.algebra.derivation import Derivation
from amparser.arguments import checked as checked_arguments
from amparser.corpora.analyses import graph_of
from amparser.corpora.example import Example
from amparser.corpora.tokens import Tokenizer, tokenize
from amparser.decode.decoders import DecodersOf
from amparser.decode.parse import Decoded
from amparser.doubts import Doubts
from amparser.errors import AMParserError, InputError, ModelError, TranslateError, shown
from amparser.graph.penman_codec import sgraph_to_penman
from amparser.graph.sgraph import SGraph
from amparser.hub import model_folder
from amparser.learn.model_folder import MODEL, Head, read_model
from amparser.learn.streaming import Sentence, checked, streamed
from amparser.learn.system import PARSER, output_format_of, timed
from amparser.notations.registry import written_in
from amparser.notations.roles import scheme_name
from amparser.presets.model import InventoryTable, ParserModel
from amparser.presets.registry import PRESETS
from amparser.results import AnswerOptions, Result

if TYPE_CHECKING:
    from amparser.explanation import Explanation

_MOST_TREES = 10
"""Maximum number of trees tried per requested meaning."""


class Parser:
    """A trained parser; a `Model` (see `amparser.learn.system`), whatever its constants are.

    Args:
        head: what its model folder says of it.
        model: its scorer and its lexicon.
        notation: of its meanings (default: the one that it was trained on).
        asked: what is asked of answers (see `with_options`).

    Attributes:
        tokenizer: splits raw text as the sentences of train are split.
        doubts: what speaks against its answers.

    Raises:
        InputError: there is no such notation, or the model cannot write it.
    """

    system = PARSER

    def __init__(
        self,
        head: Head,
        model: ParserModel,
        notation: str | None = None,
        asked: AnswerOptions = AnswerOptions(),  # noqa: B008
    ) -> None:
        self.head = head
        self.model = model
        self.asked = asked
        self._notation = written_in(head.notation, notation, head.style, head.order)
        self.tokenizer: Tokenizer = tokenize
        if head.splitting is not None:
            self.tokenizer = head.splitting
        self._confidence = head.confidence
        self.doubts = Doubts(head, model, self._notation)
        self._scheme = scheme_name(head.benchmark, head.notation)

    def __repr__(self) -> str:
        """The benchmark or file of train, the notation of answers and the size.

        >>> Parser.load()  # doctest: +ELLIPSIS
        <Parser of ...: notation ..., ... weights>
        """
        source = self.benchmark or self.data.get("train", {}).get("file", "")
        size = sum(weights.numel() for weights in self.model.network.parameters())
        return f"<Parser of {source}: notation {self.notation or 'penman'}, {size:,} weights>"

    def __call__(self, sentence: Sentence, decoder: str | None = None) -> Result:
        """Return the answer to one raw text or sequence of tokens (see `stream`)."""
        [result] = self.parse([sentence], decoder)
        return result

    @classmethod
    @checked_arguments
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
        preset = head.settings.get("preset", "node")
        if preset not in PRESETS:
            known = ", ".join(PRESETS)
            where = f"{path / MODEL}.json: settings.preset = {shown(preset)}"
            raise ModelError(f"{where}: expected one of {known}")
        return cls(head, PRESETS[preset].load(head, weights, path, device), notation)

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
        return self.model.has_trees

    def with_notation(self, notation: str) -> Parser:
        """Return a copy that writes meanings in another notation; raises InputError."""
        return Parser(self.head, self.model, notation, self.asked)

    @checked_arguments
    def with_options(
        self,
        *,
        k_best: int | None = None,
        min_confidence: float | None = None,
        allow_unknown: bool | None = None,
    ) -> Parser:
        """Return a copy with other answer options.

        Args:
            k_best: each result has its `alternatives`, so that there are as many meanings in all.
            min_confidence: an answer whose confidence is lower is withheld, and its result has a
                failure. 0 withholds none.
            allow_unknown: whether a sentence of which train has no word, or that is in another
                language, has an answer.

        Raises:
            InputError: a number out of range, or the model knows no confidence.
        """
        asked = AnswerOptions(
            self.asked.k_best if k_best is None else k_best,
            self.asked.min_confidence if min_confidence is None else min_confidence,
            self.asked.allow_unknown if allow_unknown is None else allow_unknown,
        )
        asked.check()
        if asked.min_confidence and self._confidence is None:
            raise InputError("this model does not know how sure it is; train it again")
        return Parser(self.head, self.model, self.notation or None, asked)

    def with_settings(self, settings: Any) -> Parser:
        """Return a copy with other settings of lexicon and decoding."""
        model = self.model.with_settings(settings)
        return Parser(self.head, model, self.notation or None, self.asked)

    @property
    def output_format(self) -> str:
        """Default format of `amparser parse`: `meaning`, or `amconll` if it learned from trees."""
        return output_format_of(self.notation, self.data)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages (ISO 639) that it reads, as far as the files of train name them."""
        return tuple(getattr(self.model.learned, "languages", ()))

    @checked_arguments
    def unknown(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The tokens of a sentence that train does not have, in any case of letters."""
        return self.model.unknown(tokens)

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Why the parser cannot take a sentence, or None."""
        return self.model.problem(tokens)

    def score(self, sentences: Sequence[Sequence[str]]) -> Sequence[Any]:
        """The scores of tokenised sentences, in order; `decode` takes them."""
        return self.model.score(sentences)

    def decode(self, scores: Sequence[Any], decoder: str | None = None) -> Sequence[Decoded]:
        """The best derivation of each sentence, given its scores.

        Raises:
            InputError: there is no such decoder, or it does not fit the lexicon.
        """
        return self.model.decode(scores, self._decoder(decoder))

    def assemble(
        self,
        tokens: Sequence[str],
        parse: Decoded,
        scores: Any = None,
    ) -> Result:
        """Tree, graph and meaning of a decoder's result.

        Args:
            tokens: the sentence.
            parse: the result.
            scores: those of the sentence, without which the confidence is not known.
        """
        meaning, failure, graph = None, parse.failure, None
        unknown = self.unknown(tokens)
        if parse.found:
            try:
                graph = self.model.graph(tokens, parse)
                self._check_shapes(graph)
                meaning = self._written(tokens, graph)
            except AMParserError as error:
                failure = str(error)
        result = Result(
            tuple(tokens),
            meaning,
            self.notation,
            failure=failure,
            logp=parse.logp if parse.found else None,
            parse=parse,
            unknown=unknown,
            ignored=self.doubts.ignored(tokens, unknown, parse),
            scheme=self._scheme,
        )
        result = self._attached(result).altered(graph=graph)
        figures = {}
        if parse.found and scores is not None:
            figures = self.doubts.figures(result, scores)
            if self._confidence is not None:
                result = result.altered(confidence=self._confidence.of(figures))
        return self.doubts.judged(result, figures)

    def _attached(self, result: Result) -> Result:
        """Return a result whose tree, graph and explanation are made when they are asked for."""
        tokens, parse = result.tokens, result.parse
        if parse is None:
            return result
        explain = partial(self.explain, tokens, parse, result.failure)
        others = tuple(self._attached(other) for other in result.alternatives)
        result = result.altered(explainer=explain, alternatives=others)
        if not parse.found:
            return result
        derivation = partial(self.model.tree, tokens, parse)
        tree = derivation if self.has_trees else None
        graph = partial(self._graph, tokens, parse)
        return result.altered(tree=tree, derivation=derivation, graph=graph)

    def _graph(self, tokens: Sequence[str], parse: Decoded) -> SGraph | None:
        """The graph of a decoder's result; None if it denotes none."""
        with suppress(AMParserError):
            return self.model.graph(tokens, parse)
        return None

    def explain(
        self,
        tokens: Sequence[str],
        parse: Decoded,
        failure: str | None = None,
    ) -> Explanation:
        """Explain a decoder's result, or its failure; scores the sentence again."""
        return self.model.explain(tokens, parse, failure)

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

        Types do not say all that a notation asks, such as one relative clause for a noun. What a
        search that is not exact finds later may be likelier, and comes first then.
        """
        wanted = self.asked.k_best
        best = self.assemble(tokens, parse, scores)
        found = {best.meaning: best} if best.meaning is not None else {}
        if parse.fallback is None and len(found) < wanted:
            others = self.model.others(scores, parse, decoder)
            for rank, other in enumerate(islice(others, wanted * _MOST_TREES - 1), 2):
                if not found:
                    other = replace(other, fallback=f"tree {rank}")
                answer = self.assemble(tokens, other, scores)
                if answer.meaning is not None:
                    found.setdefault(answer.meaning, answer)
                if len(found) == wanted:
                    break
        first, *rest = sorted(found.values(), key=lambda one: -(one.logp or 0.0)) or (best,)
        return self.doubts.compared(first, rest, self.asked)

    def parse(
        self,
        sentences: Iterable[Sentence],
        decoder: str | None = None,
        *,
        tokenizer: Tokenizer | None = None,
        processes: int = 1,
    ) -> list[Result]:
        """Parse raw or tokenised sentences; results in the order of input (see `stream`)."""
        return list(self.stream(sentences, decoder, tokenizer=tokenizer, processes=processes))

    @checked_arguments
    def stream(
        self,
        sentences: Iterable[Sentence],
        decoder: str | None = None,
        *,
        tokenizer: Tokenizer | None = None,
        processes: int = 1,
    ) -> Iterator[Result]:
        """Parse sentences batch by batch; results in the order of input, in bounded memory.

        A sentence that cannot be parsed, such as an empty or missing one (None, NaN), is a result
        with a failure.

        Args:
            sentences: raw texts, or sequences of tokens, which are taken as they are.
            decoder: the name of a decoder (default: that of the settings).
            tokenizer: finds the tokens of raw texts (default: as those of train were found).
            processes: how many processes parse. They are forked and share the model's memory;
                each computes with one thread. A process that uses a GPU cannot be forked.

        Raises:
            InputError: the argument is one text instead of a list of them; there is no such
                decoder; several processes where a GPU is in use.
            ProcessError: a process died.
        """
        if isinstance(sentences, str):
            raise InputError("expected a list of sentences, got one text; use parser(text)")
        if not isinstance(sentences, Iterable):
            raise InputError(f"expected a list of sentences, got {sentences!r:.80}")
        self._decoder(decoder)
        asked = ((one, checked(one, tokenizer or self.tokenizer)) for one in sentences)
        yield from streamed(self, asked, decoder, processes, self._attached)

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

    def tree_of(self, example: Example) -> Derivation:
        """The derivation of an example, decomposed as those of train were.

        Raises:
            AMParserError: the example has no graph, or the graph does not decompose.
        """
        if example.tree is not None:
            return example.tree
        graph = self.graph_of(example)
        return self.model.tree_of(example.tokens, graph, example.alignment)

    def inventory_tables(self) -> list[InventoryTable]:
        """Return tables of the lexicon, for people to read."""
        tables: list[InventoryTable] = PRESETS[self.model.preset].training.tables(
            self.model.learned
        )
        return tables

    @property
    def _fitting(self) -> DecodersOf:
        return DecodersOf(self.model.preset)

    def _decoder(self, name: str | None) -> str:
        """Return the name of a decoder, by default the one in the settings; raises InputError."""
        return self._fitting.check(name or str(self.settings.decode.decoder))

    def _check_shapes(self, graph: SGraph) -> None:
        """Raise TranslateError if train has no such shape."""
        if self.head.shapes is not None and self._notation is not None:
            problem = self.head.shapes.problem(self._notation.plain(graph))
            if problem is not None:
                raise TranslateError(f"train has no such shape: {problem}")

    def _written(self, tokens: Sequence[str], graph: SGraph) -> str:
        if self._notation is None:
            return sgraph_to_penman(graph)
        return self._notation.written(tokens, graph)
