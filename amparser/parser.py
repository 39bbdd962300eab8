"""The whole chain: sentences to trees, graphs and logical forms.

    tokenise -> score -> decode -> AM dependency tree -> evaluate -> translate

Every decoder finds well-typed trees only, so what comes out is a logical form
or a reason why there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from amparser.amtree.evaluate import evaluate
from amparser.amtree.induce import SourceInventory
from amparser.amtree.inventory_codec import inventory_from_dict
from amparser.amtree.lexicon import Lexicon
from amparser.amtree.restrictions import Restrictions
from amparser.amtree.tree import AMTree
from amparser.corpus import checked_tokens
from amparser.decode.compiled import note_compiled, prefer_interpreter
from amparser.decode.parse import Parse
from amparser.errors import AMParserError, InputError, ModelError
from amparser.graph.sgraph import SGraph
from amparser.learn.checkpoint import Model, load_model
from amparser.resources import package_data
from amparser.scores import Scores
from amparser.translate.notation import COGS, Notation, notation

DEFAULT_MODEL = "models/slog"

CHUNK_SIZE = 256
"""So many sentences are scored before they are decoded; bounds the memory for scores."""

_FEW_TOKENS = 60
_FEW_UNKNOWN = 6

DECODERS = ("astar-gap", "astar", "fixed-tree")

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
                was trained on, which is the default (`amparser.translate.notation`).

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
        found = self.model.network.score(sentences)
        return [self._restricted(*pair) for pair in zip(sentences, found, strict=True)]

    def _restricted(self, tokens: Sequence[str], scores: Scores) -> Scores:
        """The scores without what the lexicon rules out for these words."""
        n = len(tokens)
        in_place = np.empty((n, 2, len(self.lexicon.operations)), np.bool_)
        mobile = np.empty(n, np.bool_)
        rules = self.restrictions
        heads = rules.heads(tokens)
        if heads is not None:
            scores.edge_logp[:, 1:][~heads] = -np.inf
        for i, form in enumerate(tokens):
            supertag_logp = scores.supertag_logp[i]
            supertag_logp[~rules.allowed_after(tokens[i - 1] if i else None)] = -np.inf
            known_logp = rules.word(form)
            if known_logp is not None:
                supertag_logp += known_logp
            possible = supertag_logp > -np.inf
            scores.edge_logp[i, :, ~rules.fills[possible].any(axis=0)] = -np.inf
            in_place[i] = rules.side_allowed[possible].any(axis=0)
            mobile[i] = rules.mobile[np.argmax(supertag_logp)]
        return Scores(scores.supertag_logp, scores.edge_logp, in_place, mobile)

    @cached_property
    def restrictions(self) -> Restrictions:
        """What the lexicon rules out, as the model's settings want it."""
        settings = self.model.config.lexicon
        return Restrictions(
            self.lexicon,
            word_count=settings.word_count,
            supertag_count=settings.supertag_count,
            words=settings.words,
            followers=settings.followers,
            markers=settings.markers,
            bare_forms=settings.bare_forms,
            sides=settings.sides,
            displaced=settings.displaced,
            orders=settings.orders,
            frames=settings.frames,
        )

    def prepare_for(self, sentences: Sequence[Sequence[str]], decoder: str | None = None) -> None:
        """Leave decoders to the Python interpreter where these are all that will be parsed.

        Few known words are decoded sooner than decoders are compiled; unknown
        ones leave so much open that the search may be long.
        """
        vocabulary = self.model.network.vocabulary
        tokens = [token for sentence in sentences for token in sentence]
        unknown = sum(token not in vocabulary for token in tokens)
        if len(tokens) <= _FEW_TOKENS and unknown <= _FEW_UNKNOWN:
            prefer_interpreter(decoder or self.model.config.decode.decoder)

    def decode(self, scores: Sequence[Scores], decoder: str | None = None) -> list[Parse]:
        """The best well-typed tree of each; the decoder of the model's settings by default.

        Raises:
            InputError: there is no such decoder.
        """
        settings = self.model.config.decode
        name = settings.decoder if decoder is None else decoder
        if name not in DECODERS:
            raise InputError(f"no decoder {name!r}, expected one of {', '.join(DECODERS)}")
        if name == "astar":
            scores = [sentence.held_in_place() for sentence in scores]
        elif name == "fixed-tree":
            scores = [sentence.held_in_place(_fixed(sentence)) for sentence in scores]
        with np.errstate(over="ignore"):  # hashes overflow by design, and Python would say so
            parses = _search(name)(
                scores,
                self.restrictions.table,
                supertag_limit=settings.supertag_limit,
                open_root=True,
            )
        if parses:
            note_compiled(name)
        return parses

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


def _search(name: str) -> Callable[..., list[Parse]]:
    """The search of a decoder; its compiled core is loaded when it is first wanted."""
    if name == "astar-gap":
        from amparser.decode import astar_gap

        return astar_gap.decode_batch
    if name == "astar":
        from amparser.decode import astar

        return astar.decode_batch
    from amparser.decode import fixed_tree

    return fixed_tree.decode_batch


def _fixed(scores: Scores) -> NDArray[np.bool_] | None:
    """The tokens that were never seen displaced."""
    return None if scores.mobile is None else ~scores.mobile


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
