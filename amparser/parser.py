"""The parser, which maps sentences to trees, graphs and meanings.

    tokenise -> score -> decode -> derivation -> evaluate -> write

The answer is a meaning, or the reason why there is none. A parser's attribute `model` does all that
depends on the preset, the kind of lexicon (see `amparser.presets.model`).
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
from amparser.conditions import checked as checked_arguments
from amparser.corpora.analyses import graph_of
from amparser.corpora.example import Example
from amparser.corpora.tokens import Tokenizer, tokenize
from amparser.decode.decoders import DecodersOf
from amparser.decode.next_best import SLACK
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
"""Maximum trees tried for a sentence; each meaning requested besides the first adds one."""


class Parser:
    """Trained parser of any preset; it is a `Model` (see `amparser.learn.system`).

    Args:
        notation: notation of the parser's meanings (default: the notation of its training data).
        asked: answer options (see `with_options`).

    Attributes:
        tokenizer: function that splits raw text as the training sentences are split.
        doubts: finds reasons to doubt an answer.
        settings: settings of the training run.
        notation: name of the notation of the parser's meanings; empty for graphs in PENMAN.
        benchmark: name of the benchmark that the parser was trained on, or empty.
        data: names and checksums of the training files.
        metrics: `best_epoch`, `epochs` and `data` of the training run.
        has_trees: whether answers have AM dependency trees.
        languages: languages (ISO 639) that the parser reads, if the training files name them.
        output_format: default format of `amparser parse`: `meaning`, or `amconll` if the parser was
            trained on trees.

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
        self.tokenizer: Tokenizer = tokenize if head.splitting is None else head.splitting
        self.settings: Any = model.settings
        self.notation = "" if self._notation is None else self._notation.name
        self.benchmark = head.benchmark
        self.data = head.data
        self.metrics: Mapping[str, Any] = head.metrics
        self.has_trees = model.has_trees
        self.languages: tuple[str, ...] = tuple(getattr(model.learned, "languages", ()))
        self.output_format = output_format_of(self.notation, head.data)
        self._confidence = head.confidence
        self.doubts = Doubts(head, model, self._notation)
        self._scheme = scheme_name(head.benchmark, head.notation)

    def __repr__(self) -> str:
        """Return the benchmark or training file, the notation and the number of weights.

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
            folder: model folder, or the name of a packaged model, or `USER/NAME@REVISION` on the
                hub (see `amparser.hub`; default: the default packaged model).
            notation: notation of meanings: the notation of the training data (default), or another
                notation of its family (`amparser.notations.registry.family_of`).

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
    def decoders(self) -> tuple[str, ...]:
        """Names of the decoders that can use the parser's lexicon; the default decoder is first."""
        first = self._decoder(None)
        return (first, *(name for name in self._fitting if name != first))

    def with_notation(self, notation: str) -> Parser:
        """Return a copy that writes another notation; raise InputError if the model cannot."""
        return Parser(self.head, self.model, notation, self.asked)

    @checked_arguments
    def with_options(
        self,
        *,
        k_best: int | None = None,
        min_confidence: float | None = None,
        allow_unknown: bool | None = None,
    ) -> Parser:
        """Return a copy with other options for answers; an option that is None is not changed.

        Args:
            k_best: number of meanings per result, including `alternatives`.
            min_confidence: minimum confidence of an answer. If the confidence is less, the result
                is a failure without the answer. With 0, all answers are allowed.
            allow_unknown: whether to answer sentences in another language, or without known words.

        Raises:
            InputError: a number is out of range, or the model has no confidence.
        """
        changes: dict[str, Any] = {
            "k_best": k_best,
            "min_confidence": min_confidence,
            "allow_unknown": allow_unknown,
        }
        options = self.asked._replace(**{k: v for k, v in changes.items() if v is not None})
        options.check()
        if options.min_confidence and self._confidence is None:
            raise InputError("min_confidence: this model has no confidence, train it again")
        return Parser(self.head, self.model, self.notation or None, options)

    def with_settings(self, settings: Any) -> Parser:
        """Return a copy with other settings of the lexicon and of decoding."""
        model = self.model.with_settings(settings)
        return Parser(self.head, model, self.notation or None, self.asked)

    @checked_arguments
    def unknown(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return the out-of-vocabulary tokens of a sentence, ignoring case."""
        return self.model.unknown(tokens)

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Return why the parser cannot read a sentence, or None."""
        return self.model.problem(tokens)

    def score(self, sentences: Sequence[Sequence[str]]) -> Sequence[Any]:
        """Return the scores of tokenised sentences, in order, as input of `decode`."""
        return self.model.score(sentences)

    def decode(self, scores: Sequence[Any], decoder: str | None = None) -> Sequence[Decoded]:
        """Return the best derivation of each sentence; raise InputError for an unknown decoder."""
        return self.model.decode(scores, self._decoder(decoder))

    def assemble(
        self,
        tokens: Sequence[str],
        parse: Decoded,
        scores: Any = None,
    ) -> Result:
        """Return the answer for a decoder's result: tree, graph, meaning, confidence and doubts."""
        meaning, failure, graph, plain = None, parse.failure, None, None
        unknown = self.unknown(tokens)
        if parse.found:
            try:
                graph = self.model.graph(tokens, parse)
                if self.head.shapes is not None and self._notation is not None:
                    plain = self._notation.plain(graph)
                    self._check_shapes(plain)
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
        if parse.found and scores is not None:
            result = self.doubts.measured(result, scores, plain)
            if self._confidence is not None:
                result = result.altered(confidence=self._confidence.of(result.figures))
        return self.doubts.judged(result)

    def _attached(self, result: Result) -> Result:
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
        with suppress(AMParserError):
            return self.model.graph(tokens, parse)
        return None

    def explain(
        self,
        tokens: Sequence[str],
        parse: Decoded,
        failure: str | None = None,
    ) -> Explanation:
        """Explain a decoder's result, or its failure. The sentence is scored again."""
        return self.model.explain(tokens, parse, failure)

    def answers(
        self,
        sentences: Sequence[Sequence[str]],
        decoders: Sequence[str] = (),
        *,
        seconds: MutableMapping[str, float] | None = None,
    ) -> Mapping[str, list[Result]]:
        """Return the results of each decoder; all use the same scores (see `Model.answers`)."""
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
        """Return the result of the best tree that has a meaning, with alternatives.

        The best tree may have no meaning, because types do not express all constraints of a
        notation, such as one relative clause per noun. Then the next trees are tried. They are also
        tried if the score of the best tree (`Doubts.worth`) is below its log-probability, because a
        less probable tree may have a better score.
        """
        wanted, worth = self.asked.k_best, self.doubts.worth
        # Difference of scores (nats) that is too small to justify another search.
        close = 0.2
        best = self.assemble(tokens, parse, scores)
        answers = {best.meaning: best} if best.meaning is not None else {}

        def may_improve(logp: float) -> bool:
            return len(answers) < wanted or logp > max(map(worth, answers.values())) + close

        if parse.fallback is None and may_improve(parse.logp):
            slack = SLACK if len(answers) < wanted else parse.logp - worth(best) - close
            others = self.model.others(scores, parse, decoder, slack)
            for rank, other in enumerate(islice(others, _MOST_TREES + wanted - 2), 2):
                if not answers:
                    other = replace(other, fallback=f"tree {rank}")
                answer = self.assemble(tokens, other, scores)
                if answer.meaning is not None:
                    answers.setdefault(answer.meaning, answer)
                if not may_improve(other.logp):
                    break
        ranked = sorted(answers.values(), key=worth, reverse=True)
        first, *rest = ranked[:wanted] or (best,)
        return self.doubts.compared(first, rest, self.asked)

    def parse(
        self,
        sentences: Iterable[Sentence],
        decoder: str | None = None,
        *,
        tokenizer: Tokenizer | None = None,
        processes: int = 1,
    ) -> list[Result]:
        """Parse raw or tokenised sentences; return results in input order (see `stream`)."""
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
        """Parse sentences in batches; yield results in input order, with limited memory.

        A sentence that cannot be parsed, such as an empty or missing one (None, NaN), gives a
        result with a failure.

        Args:
            sentences: raw texts, or sequences of tokens, which are not changed.
            processes: number of forked processes, which share the model's memory. Each process
                computes with one thread. A process that uses a GPU cannot be forked.

        Raises:
            InputError: the argument is one text instead of a list, there is no such decoder, or
                several processes are requested while a GPU is in use.
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
        """Return the graph of an example; read it from the meaning if graph and tree are missing.

        Raises AMParserError if the meaning is malformed or missing.
        """
        if example.graph is None and example.tree is None and example.meaning is not None:
            if self._notation is None:
                raise InputError("the parser was not trained on a notation of meanings")
            return self._notation.graph(example.tokens, example.meaning)
        return graph_of(example)

    def tree_of(self, example: Example) -> Derivation:
        """Return the derivation of an example, by the same decomposition as for training examples.

        Raises AMParserError if the example has no graph, or the graph does not decompose.
        """
        if example.tree is not None:
            return example.tree
        graph = self.graph_of(example)
        return self.model.tree_of(example.tokens, graph, example.alignment)

    def inventory_tables(self) -> list[InventoryTable]:
        """Return tables of the lexicon for display."""
        tables: list[InventoryTable] = PRESETS[self.model.preset].training.tables(
            self.model.learned
        )
        return tables

    @property
    def _fitting(self) -> DecodersOf:
        return DecodersOf(self.model.preset)

    def _decoder(self, name: str | None) -> str:
        return self._fitting.check(name or str(self.settings.decode.decoder))

    def _check_shapes(self, plain: SGraph) -> None:
        problem = self.head.shapes.problem(plain) if self.head.shapes is not None else None
        if problem is not None:
            raise TranslateError(problem)

    def _written(self, tokens: Sequence[str], graph: SGraph) -> str:
        if self._notation is None:
            return sgraph_to_penman(graph)
        return self._notation.written(tokens, graph)
