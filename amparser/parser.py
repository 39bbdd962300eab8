"""The whole chain: sentences to trees, graphs and logical forms.

    tokenise -> score -> decode -> AM dependency tree -> evaluate -> translate

Every decoder finds well-typed trees only, so what comes out is a logical form
or a reason why there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TypeVar

from amparser.amtree.evaluate import evaluate
from amparser.amtree.tree import AMTree
from amparser.corpora.examples import checked_tokens
from amparser.decode.decoders import DECODERS
from amparser.decode.parse import Parse
from amparser.decode.scores import Scores
from amparser.errors import AMParserError, InputError, ModelError
from amparser.graph.sgraph import SGraph
from amparser.induction.induce import SourceInventory
from amparser.induction.inventory_codec import inventory_from_dict
from amparser.learn.checkpoint import Model, load_model
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.restrictions import Restrictions
from amparser.notations.notation import COGS, Notation, notation
from amparser.resources import package_data

DEFAULT_MODEL = "models/slog"

CHUNK_SIZE = 256
"""So many sentences are scored before they are decoded; bounds the memory for scores."""

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """What the chain made of one sentence.

    Attributes:
        tokens: the sentence.
        parse: the decoder's result.
        tree: the well-typed AM dependency tree, unless the decoder failed.
        graph: what the tree denotes.
        logical_form: the logical form of the graph, in the parser's notation.
        failure: why there is no logical form, or None.
        notation: of the logical form.
    """

    tokens: tuple[str, ...]
    parse: Parse
    tree: AMTree | None = None
    graph: SGraph | None = None
    logical_form: str | None = None
    failure: str | None = None
    notation: str = COGS


class Parser:
    """A trained model with all that turns its scores into logical forms."""

    def __init__(self, model: Model, lexicon: Lexicon, form: str | None = None) -> None:
        self.model = model
        self.lexicon = lexicon
        self.notation = _notation_of(model, form)

    @classmethod
    def load(
        cls, folder: str | Path | None = None, device: str = "auto", form: str | None = None
    ) -> Parser:
        """Read a model folder; by default the SLOG model that comes with the package.

        Args:
            folder: the model folder.
            device: where the network computes.
            form: the notation of logical forms, of the family of the one that the model
                was trained on, which is the default (`amparser.notations.notation`).

        Raises:
            ModelError: the folder is missing, damaged or of another program.
            InputError: there is no such device, or the model has no such forms.
        """
        folder = package_data(DEFAULT_MODEL) if folder is None else Path(folder)
        return cls.of_model(load_model(folder, device), folder, form)

    @classmethod
    def of_model(cls, model: Model, folder: str | Path, form: str | None = None) -> Parser:
        """The parser of a model; the folder is named in errors."""
        try:
            lexicon = Lexicon.from_dict(model.lexicon["lexicon"])
        except (KeyError, TypeError, ValueError, AttributeError, AMParserError) as error:
            raise ModelError(f"{folder}: the lexicon cannot be read: {error!r}") from None
        network = model.network
        counts = (len(lexicon.supertags), len(lexicon.operations))
        if counts != (network.supertag_count, network.operation_count):
            raise ModelError(f"{folder}: lexicon and network do not belong together")
        return cls(model, lexicon, form)

    @cached_property
    def inventory(self) -> SourceInventory:
        """How sources were named in the training data; raises ModelError if it is damaged."""
        try:
            return inventory_from_dict(self.model.lexicon["inventory"])
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"the model's source inventory cannot be read: {error!r}") from None

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Why the model cannot take a sentence, though others could, or None."""
        return self.model.network.problem(tokens)

    def score(self, sentences: Sequence[Sequence[str]]) -> list[Scores]:
        """Scores of tokenised sentences, in their order.

        What the lexicon rules out for a word is forbidden (-inf).
        """
        scores = self.model.network.score(sentences)
        apply = self.restrictions.apply
        return [apply(*pair) for pair in zip(sentences, scores, strict=True)]

    @cached_property
    def restrictions(self) -> Restrictions:
        """What the lexicon rules out, as the model's settings want it."""
        settings = self.model.config.lexicon
        return Restrictions(
            self.lexicon,
            settings.word_count,
            settings.supertag_count,
            settings.words,
            settings.sides,
            settings.orders,
            settings.frames,
        )

    def decode(self, scores: Sequence[Scores], decoder: str | None = None) -> list[Parse]:
        """The best well-typed tree of each; the decoder of the model's settings by default.

        Raises:
            InputError: there is no such decoder.
        """
        settings = self.model.config.decode
        search = DECODERS[settings.decoder if decoder is None else decoder].search
        return search(
            scores,
            self.restrictions.table,
            supertag_limit=settings.supertag_limit,
            open_root=True,
        )

    def assemble(self, tokens: Sequence[str], parse: Parse) -> ParsedSentence:
        """Tree, graph and logical form of a decoder's result."""
        tokens = tuple(tokens)
        if not parse.found:
            return ParsedSentence(tokens, parse, failure=parse.failure, notation=self.notation.name)
        tree = self.lexicon.tree(tokens, parse.supertags, parse.heads, parse.operations)
        graph = None
        try:
            graph = evaluate(tree, open_root=len(tokens) == 1)
            form = self.notation.text(graph)
        except AMParserError as error:
            return ParsedSentence(
                tokens, parse, tree, graph, failure=str(error), notation=self.notation.name
            )
        return ParsedSentence(tokens, parse, tree, graph, form, notation=self.notation.name)

    def parse(
        self, sentences: Iterable[str | Sequence[str]], decoder: str | None = None
    ) -> list[ParsedSentence]:
        """Parse raw or tokenised sentences; results in the order of input (see `stream`)."""
        return list(self.stream(sentences, decoder))

    def stream(
        self, sentences: Iterable[str | Sequence[str]], decoder: str | None = None
    ) -> Iterator[ParsedSentence]:
        """Parse raw or tokenised sentences batch by batch, results in the order of input.

        Raises:
            InputError: a sentence cannot be parsed at all, by its number (from 1).
        """
        numbered = enumerate(sentences, 1)
        for chunk in chunks((self._tokens(s, number) for number, s in numbered), CHUNK_SIZE):
            parses = self.decode(self.score(chunk), decoder)
            for tokens, parse in zip(chunk, parses, strict=True):
                yield self.assemble(tokens, parse)

    def _tokens(self, sentence: str | Sequence[str], number: int) -> tuple[str, ...]:
        text = sentence if isinstance(sentence, str) else " ".join(sentence)
        try:
            tokens = checked_tokens(text)
        except InputError as error:
            raise InputError(f"sentence {number}: {error}") from None
        tokens = tokens if isinstance(sentence, str) else tuple(sentence)
        if problem := self.problem(tokens):
            raise InputError(f"sentence {number}: {problem}")
        return tokens


def chunks(values: Iterable[_Value], size: int) -> Iterator[list[_Value]]:
    """Cut a stream into lists of at most `size` values."""
    iterator = iter(values)
    while chunk := list(islice(iterator, size)):
        yield chunk


def _notation_of(model: Model, form: str | None) -> Notation:
    trained_on = notation(model.lexicon.get("notation", COGS))
    chosen = trained_on if form is None else notation(form)
    if chosen.family != trained_on.family:
        raise InputError(f"a model of {trained_on.name} forms cannot write {chosen.name}")
    return chosen
