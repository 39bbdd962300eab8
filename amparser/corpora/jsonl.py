"""JSON files: one object per line, or the objects of one document (`json_documents`).

    sentence, tokens    the sentence as text and as tokens; if a row has both, tokens are used, and
                        both must have the same letters and digits
    meaning             the meaning as text or as a JSON value
    notation            notation of the meaning
    graph, alignments   the graph in PENMAN notation, and for each of its nodes a token or null
    alignment           for each token, the nodes of the meaning aligned to it, from 0
    tree                the AM dependency tree, one object per token
    tags                a list of names
    logp, failure       log-probability of a parser's analysis, or reason why there is none
    logp_per_token      `logp` divided by the number of tokens; only written
    confidence          the parser's estimate of the probability that the analysis is correct
    alternatives        further answers, if requested, with `meaning` and `logp`; only written
    unknown             tokens that do not occur in the parser's training data
    ignored             content words that contribute nothing to the meaning
    reasons             codes of the reasons why the parser doubts its analysis
    fallback            origin of the analysis if it is not the best one
    text, start         the raw sentence, and its offset in the surrounding text
    places              start and end of each token in that text; only written

Other names for sentences and meanings are recognised (`usual_names`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from amparser.algebra.fragment import fragment_from_penman
from amparser.algebra.tree import AMTree, Entry
from amparser.algebra.types import type_from_str, type_to_str
from amparser.corpora.analyses import graph_of, lines_of_tree, with_alignments
from amparser.corpora.example import Example
from amparser.corpora.json_documents import items
from amparser.corpora.tokens import check_characters, letters_of, split_tokens
from amparser.corpora.usual_names import SAMPLE, with_usual_names
from amparser.errors import GraphError, InputError
from amparser.files import RepeatedKeyError, once
from amparser.graph.penman_codec import ordered_penman, sgraph_from_penman
from amparser.notations.json_text import fault_of


class JsonFormat:
    """Format of JSON files; it reads and writes all fields of examples."""

    name = "json"
    suffixes = (".jsonl", ".json")
    in_blocks = False
    sample = SAMPLE
    items = staticmethod(items)

    def example(self, text: str) -> Example:
        """Return the example of a JSON object. Raises InputError if the text is malformed."""
        value = with_usual_names(_object(text))
        given = _get(value, "tokens", list)
        tokens = tuple(given or split_tokens(_get(value, "sentence", str) or ""))
        lists: dict[str, Any] = {key: tuple(_get(value, key, list) or ()) for key in _LISTS}
        for key, texts in (("tokens", tokens), *lists.items()):
            if not all(isinstance(text, str) for text in texts):
                raise InputError(f"{key!r}: expected texts")
        if tokens:
            check_characters(" ".join(tokens))
        text = _get(value, "text", str)
        sentence = _get(value, "sentence", str) or ""
        if sentence and letters_of(sentence) != letters_of("".join(tokens)):
            raise InputError("'sentence' and 'tokens' have different letters")
        example = Example(
            tokens,
            alignment=_alignment(value, len(tokens)),
            text=None if text == " ".join(tokens) else text,
            start=_get(value, "start", int) or 0,
            **{key: _get(value, key, kind) for key, kind in _PLAIN.items()},
            **lists,
        )
        if (entries := _get(value, "tree", list)) is not None:
            lines = AMTree(tuple(_entry_from_dict(entry) for entry in entries))
            example = replace(example, tree=lines.derivation(), columns=lines)
        if (penman := _get(value, "graph", str)) is not None:
            try:
                graph = sgraph_from_penman(penman)
            except GraphError as error:
                raise InputError(f"'graph': {error}") from None
            if (alignments := _get(value, "alignments", list)) is not None:
                graph = with_alignments(graph, alignments, tokens)
            example = replace(example, graph=graph)
        elif _get(value, "alignments", list) is not None and example.failure is None:
            raise InputError("'alignments' needs 'graph', which is missing")
        known = (example.graph, example.tree, example.meaning, example.failure)
        if all(field is None for field in known):
            keys = ", ".join(map(repr, value))
            expected = f"expected 'meaning', 'graph' or 'tree', found {keys or 'no keys'}"
            raise InputError(f"{expected}; write a line such as {SAMPLE}")
        return example

    def write(self, example: Example) -> str:
        """Return the line of an example."""
        return json.dumps(self.value(example), ensure_ascii=False) + "\n"

    def value(self, example: Example) -> dict[str, Any]:
        """Return the JSON object of an example."""
        failed = example.failure is not None
        graph = alignments = None
        if not failed and (example.graph is not None or example.tree is not None):
            nodes = graph_of(example).nodes
            graph, order = ordered_penman(graph_of(example))
            alignments = [nodes[node].token for node in order]
        lines = lines_of_tree(example)
        entries = None if lines is None or lines.extended else lines.entries
        return {
            "sentence": example.sentence,
            "tokens": list(example.tokens),
            "meaning": example.meaning,
            "notation": example.notation,
            "graph": graph,
            "alignments": alignments,
            "alignment": None if example.alignment is None else [*map(list, example.alignment)],
            "tree": None if entries is None else [*map(_entry_to_dict, entries)],
            "tags": list(example.tags),
            "logp": example.logp,
            "logp_per_token": None if example.logp is None else example.logp / len(example.tokens),
            "confidence": example.confidence,
            "alternatives": [{"meaning": m, "logp": logp} for m, logp in example.alternatives],
            "unknown": list(example.unknown),
            "ignored": list(example.ignored),
            "reasons": list(example.reasons),
            "fallback": example.fallback,
            "failure": example.failure,
            "text": example.raw,
            "start": example.start,
            "places": [*map(list, example.places)],
        }


def _object(text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise InputError(fault_of(error)) from None
    except RepeatedKeyError as error:
        raise InputError(str(error)) from None
    except RecursionError:
        raise InputError("JSON nested too deeply") from None
    except ValueError as error:  # a number has more digits than Python accepts
        raise InputError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise InputError("expected a JSON object")
    if "\\u" in text:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise InputError("a lone surrogate (U+D800 to U+DFFF)") from None
    return value


def _get(value: Mapping[str, Any], key: str, kind: type) -> Any:
    item = value.get(key)
    if item is None:
        return None
    # In Python, a bool is an int, but JSON's true is not a number.
    if type(item) not in ((int, float) if kind is float else (kind,)):
        raise InputError(f"{key!r}: expected {_KINDS[kind]} or null")
    return item


_PLAIN: Mapping[str, type] = {
    **dict.fromkeys(("meaning", "notation", "failure", "fallback"), str),
    **dict.fromkeys(("logp", "confidence"), float),
}
"""JSON type of the value of each key that is also a field of `Example`."""
_LISTS = ("tags", "unknown", "ignored", "reasons")
_KINDS = {str: "a text", list: "a list", int: "an integer", float: "a number"}


def _alignment(value: Mapping[str, Any], count: int) -> tuple[tuple[int, ...], ...] | None:
    rows = _get(value, "alignment", list)
    if rows is None:
        return None
    if len(rows) != count or not all(
        isinstance(row, list) and all(type(node) is int and node >= 0 for node in row)
        for row in rows
    ):
        raise InputError(f"'alignment': expected a list of nodes for each of {count} tokens")
    return tuple(tuple(row) for row in rows)


def _entry_to_dict(entry: Entry) -> dict[str, Any]:
    return {
        "form": entry.form,
        "head": entry.head,
        "operation": entry.operation,
        "supertag": None if entry.supertag is None else entry.supertag.penman,
        "type": None if entry.supertag is None else type_to_str(entry.supertag.type),
        "lexical_label": entry.lexical_label,
        "lemma": entry.lemma,
    }


def _entry_from_dict(value: object) -> Entry:
    if not isinstance(value, dict):
        raise InputError("'tree': expected an object for each token")
    form, operation = _get(value, "form", str), _get(value, "operation", str)
    head, penman = _get(value, "head", int), _get(value, "supertag", str)
    if form is None or operation is None or head is None:
        raise InputError("'tree': expected 'form', 'head' and 'operation' for each token")
    if head < 0:
        raise InputError(f"'tree': expected a head of 0 or more, found {head}")
    supertag = None
    if penman is not None:
        supertag = fragment_from_penman(penman, type_from_str(_get(value, "type", str) or "()"))
    label, lemma = _get(value, "lexical_label", str), _get(value, "lemma", str)
    return Entry(form, head, operation, supertag, label, lemma=lemma)


JSON = JsonFormat()
