"""What a model folder says of a lexicon and its inventory, and the check of it.

The types say what a file must have (`amparser.schema`). `check_lexicon` checks what no type
says: that indices are those of the lists that they belong to, and that texts can be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, NotRequired, TypedDict

from amparser.algebra.operations import APP, IGNORE, MOD, ROOT
from amparser.algebra.supertag import Supertag
from amparser.algebra.types import type_from_str
from amparser.errors import AMParserError, ModelError
from amparser.lexicon.dictionary import LANGUAGES
from amparser.schema import Count, Matching, OneOf, Range, shown

MOST_SOURCES = 10
"""A type with more has thousands of parts, each of which can combine with each."""

_LONGEST = 200
"""Of a reason, which may quote what is wrong, a message has so many characters."""

Side = Annotated[int, Range(0, maximum=1)]
Counts = list[tuple[Count, Count]]
"""Pairs of an index and how often it was seen."""
Operation = Annotated[
    str, Matching(rf"{IGNORE}|{ROOT}|({APP}|{MOD})\S+", "IGNORE, ROOT, APP_s or MOD_s")
]


class LexiconJson(TypedDict):
    """What `Lexicon.to_dict` writes; see `amparser.lexicon.observed` for the counts."""

    supertags: list[tuple[str, str, str | None]]
    general: list[tuple[str, str, str, str]]
    operations: list[Operation]
    uses: dict[str, Counts]
    places: list[tuple[Count, Counts]]
    sides: list[tuple[Count, Count, Count, Count]]
    orders: list[tuple[Side, Count, Count, Count]]
    after: dict[str, Counts]
    below: dict[str, tuple[Count, Count]]
    hangs: NotRequired[dict[str, Counts]]
    under: NotRequired[dict[str, Counts]]
    modified: NotRequired[list[tuple[Count, Counts]]]
    fillers: NotRequired[list[str]]
    dictionary: NotRequired[Annotated[str, OneOf(LANGUAGES, or_empty=True)]]
    lemmas: list[tuple[str, Count, list[tuple[str, Count]]]]


def check_lexicon(data: LexiconJson, where: object, key: str) -> None:
    """Raise ModelError, naming file and key, if parts of a stored lexicon do not fit together."""
    for i, row in enumerate(data["supertags"]):
        _check_supertag(*row[:2], f"{where}: {key}.supertags[{i}]")
    for i, (concrete, of_concrete, general, of_general) in enumerate(data["general"]):
        _check_supertag(concrete, of_concrete, f"{where}: {key}.general[{i}]")
        _check_supertag(general, of_general, f"{where}: {key}.general[{i}]")
    operations = data["operations"]
    if operations[:2] != [IGNORE, ROOT] or len(set(operations)) < len(operations):
        raise ModelError(
            f"{where}: {key}.operations = {shown(operations)}: expected {IGNORE}, {ROOT} and "
            "others, each once"
        )
    for i, (form, _, lemmas) in enumerate(data["lemmas"]):
        if not form or not lemmas:
            raise ModelError(f"{where}: {key}.lemmas[{i}]: no lemma of {shown(form)}")
    placed = {k: min((count for _, count in counts), default=0) for k, counts in data["places"]}
    for k in (*placed, *(k for _, k, *_ in data["sides"])):
        if not placed.get(k):
            raise ModelError(f"{where}: {key}.places: expected those of the supertag {k}, not 0")
    kinds = {"supertag": len(data["supertags"]) + 1, "operation": len(operations)}
    for kind, place, index in _indices(data):
        if index >= kinds[kind]:
            raise ModelError(
                f"{where}: {key}.{place} = {index}: expected a {kind} from 0 to {kinds[kind] - 1}"
            )


def _check_supertag(penman: str, type_text: str, where: str) -> None:
    try:
        supertag = Supertag(penman, type_from_str(type_text))
        problems = [p for p in supertag.problems() if "more than one" in p]
    except (AMParserError, RecursionError) as error:
        reason = str(error) or "nested too deeply"
        raise ModelError(f"{where}: {reason[:_LONGEST]}") from None
    if problems:
        raise ModelError(f"{where}: {problems[0]}")
    if (count := len(supertag.lexical_type.sources)) > MOST_SOURCES:
        raise ModelError(f"{where}: a type of {count} sources, expected at most {MOST_SOURCES}")


def _indices(data: LexiconJson) -> Iterator[tuple[str, str, int]]:
    """Each index of a supertag or operation: of what it is one, its place, itself."""
    tables: Sequence[tuple[str, Mapping[str, Counts]]]
    tables = (("uses", data["uses"]), ("after", data["after"]), ("under", data.get("under", {})))
    for name, table in tables:
        for word, counts in table.items():
            yield from (("supertag", f"{name}[{shown(word)}]", k) for k, _ in counts)
    for word, counts in data.get("hangs", {}).items():
        yield from (("operation", f"hangs[{shown(word)}]", o) for o, _ in counts)
    for name, rows in (("places", data["places"]), ("modified", data.get("modified", []))):
        for i, (k, counts) in enumerate(rows):
            yield "supertag", f"{name}[{i}]", k
            yield from (("operation", f"{name}[{i}]", o) for o, _ in counts)
    for i, (o, k, *_) in enumerate(data["sides"]):
        yield "operation", f"sides[{i}]", o
        yield "supertag", f"sides[{i}]", k
    for i, (_, near, far, _) in enumerate(data["orders"]):
        yield "operation", f"orders[{i}]", near
        yield "operation", f"orders[{i}]", far
    yield from (("supertag", f"lemmas[{i}]", row[1]) for i, row in enumerate(data["lemmas"]))
