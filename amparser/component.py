"""A component for spaCy pipelines (extra `spacy`).

    nlp.add_pipe("amparser", config={"model": "runs/home"})
    doc = nlp("Turn on the lamp.")
    doc._.meanings, doc[:]._.roles

Each sentence of a document is parsed as raw text. If a document has no sentence boundaries, it is
parsed as one sentence. The model splits the text into tokens as its training sentences are split.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any

from amparser.corpora.jsonl import JSON
from amparser.corpora.sentences import Piece
from amparser.errors import InputError, one_of
from amparser.notations.roles import Role
from amparser.parser import Parser
from amparser.results import Result

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

RESULTS, MEANINGS, ROLES = "amparser", "meanings", "roles"
"""Names of spaCy extensions: results and meanings of a document, and semantic roles of a span.

A meaning is None if its sentence has no parse. Roles have character offsets in the document.
"""


class Component:
    """Pipeline component that adds results to documents."""

    def __init__(self, parser: Parser, decoder: str | None = None) -> None:
        if decoder is not None and decoder not in parser.decoders:
            raise InputError(f"unknown decoder {decoder!r}, {one_of(decoder, parser.decoders)}")
        self.parser = parser
        self.decoder = decoder

    def __call__(self, doc: Doc) -> Doc:
        """Parse a document, and return it with the results."""
        [doc] = self._answered([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 64) -> Iterator[Doc]:
        """Yield the documents in order, parsed in batches."""
        docs = iter(stream)
        while batch := list(islice(docs, batch_size)):
            yield from self._answered(batch)

    def _answered(self, docs: list[Doc]) -> list[Doc]:
        texts = [_sentences(doc) for doc in docs]
        lines = [piece.line for some in texts for piece in some]
        results = iter(self.parser.parse(lines, self.decoder))
        for doc, some in zip(docs, texts, strict=True):
            pairs = zip(some, islice(results, len(some)), strict=True)
            doc._.set(
                RESULTS, [result.altered(text=at.text, start=at.start) for at, result in pairs]
            )
        return docs


def _sentences(doc: Doc) -> list[Piece]:
    spans = doc.sents if doc.has_annotation("SENT_START") else [doc[:]]
    texts = [(span.start_char, span.text) for span in spans if span.text.strip()]
    return [Piece(at + len(text) - len(text.lstrip()), text.strip()) for at, text in texts]


def _roles(span: Span) -> list[Role]:
    results: list[Result] = span.doc._.get(RESULTS) or []
    return [
        role
        for result in results
        if result.graph is not None
        for role in result.roles()
        if span.start_char <= role.place.start and role.place.end <= span.end_char
    ]


def _meanings(doc: Doc) -> list[str | None]:
    results: list[Result] = doc._.get(RESULTS) or []
    return [result.meaning for result in results]


def create(
    nlp: Any,
    name: str,
    model: str | None,
    device: str,
    decoder: str | None,
    notation: str | None,
    k_best: int,
    min_confidence: float,
) -> Component:
    """Create the component; for the arguments, see `Parser.load` and `Parser.with_options`.

    Raises AMParserError if the model cannot be loaded, or a value is not allowed.
    """
    parser = Parser.load(model, device, notation)
    return Component(parser.with_options(k_best=k_best, min_confidence=min_confidence), decoder)


_DEFAULTS: dict[str, Any] = {
    "model": None,
    "device": "auto",
    "decoder": None,
    "notation": None,
    "k_best": 1,
    "min_confidence": 0.0,
}


_PACKED = "amparser-result"


def _packed(value: Any, chain: Callable[[Any], Any] | None = None) -> Any:
    if isinstance(value, Result):
        return {_PACKED: value.to_json(), "scheme": value.scheme}
    return chain(value) if chain else value


def _unpacked(value: Any, chain: Callable[[Any], Any] | None = None) -> Any:
    if _PACKED not in value:
        return chain(value) if chain else value
    example = JSON.example(value[_PACKED])
    others = json.loads(value[_PACKED])["alternatives"]
    return Result(
        example.tokens,
        example.meaning,
        example.notation or "",
        example.tree,
        example.tree,
        example.graph,
        example.failure,
        example.logp,
        example.confidence,
        tuple(Result(example.tokens, notation=example.notation or "", **other) for other in others),
        unknown=example.unknown,
        text=example.raw,
        start=example.start,
        scheme=value["scheme"],
    )


def _register() -> None:
    import srsly
    from spacy.language import Language
    from spacy.tokens import Doc, Span

    Language.factory("amparser", default_config=_DEFAULTS, func=create)
    # spaCy serializes the results with a document when it is saved or sent to another process.
    srsly.msgpack_encoders.register("amparser", func=_packed)
    srsly.msgpack_decoders.register("amparser", func=_unpacked)
    if not Doc.has_extension(RESULTS):
        Doc.set_extension(RESULTS, default=None)
        Doc.set_extension(MEANINGS, getter=_meanings)
        Span.set_extension(ROLES, getter=_roles)


if find_spec("spacy") is not None:
    _register()
