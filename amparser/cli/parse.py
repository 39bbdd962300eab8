"""`amparser parse`: raw text to logical forms, trees or graphs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from amparser.corpora.examples import checked_tokens
from amparser.corpora.items import NO_PARSE, Item, item_to_amconll, item_to_json, item_to_penman
from amparser.errors import InputError
from amparser.evaluation.predictions import kind_of
from amparser.files import lines_of, read_text, shown_name
from amparser.learn.systems import AMPARSER, Seq2SeqParser, load_seq2seq, system_of_model
from amparser.parser import CHUNK_SIZE, ParsedSentence, Parser, chunks


def parse(
    texts: Sequence[str],
    *,
    input_name: str | None = None,
    model: Path | None = None,
    decoder: str | None = None,
    output_format: str = "lf",
    device: str = "auto",
    form: str | None = None,
    beam: int | None = None,
) -> int:
    """Print one result for each sentence, in order; returns how many have no parse.

    Args:
        texts: sentences, or none with `input_name`: a file with one a line, `-` for stdin.
        model: a model folder; the one in the package by default.
        decoder: `astar-gap`, `astar` or `fixed-tree`; by default what the model's settings say.
        output_format: `lf`, `penman`, `amconll` or `json`; a sequence-to-sequence model has
            `lf` and `json`.
        device: `auto`, `cpu` or `cuda`.
        form: the notation of logical forms; by default the one that the model was trained on.
        beam: of a sequence-to-sequence model; by default what its settings say.

    Raises:
        InputError: some sentence cannot be taken; then nothing is printed.
    """
    places, sentences = _sentences(texts, input_name)
    if model is not None and system_of_model(model) != AMPARSER:
        if decoder is not None:
            raise InputError(f"--decoder {decoder}: {model} has no trees to search for")
        if form is not None:
            raise InputError(f"--form {form}: {model} writes one notation only")
        seq2seq = load_seq2seq(model, device, beam_size=beam)
        return _printed(places, len(sentences), _predicted(seq2seq, sentences, output_format))
    if beam is not None:
        raise InputError("--beam: only sequence-to-sequence models have one")
    parser = Parser.load(model, device, form)
    for place, tokens in zip(places, sentences, strict=True):
        if problem := parser.problem(tokens):
            raise InputError(f"{place}: {problem}")
    results = parser.stream(sentences, decoder)
    shown = ((_shown(result, output_format), result.failure) for result in results)
    return _printed(places, len(sentences), shown)


def _printed(places: Sequence[str], count: int, shown: Iterable[tuple[str, str | None]]) -> int:
    """Print results, each with why it is none, if so; returns how many are none."""
    failures = []
    for place, (text, failure) in zip(places, shown, strict=True):
        print(text)
        if failure is not None:
            failures.append(f"{place}: no parse: {failure}")
    if failures:
        sys.stdout.flush()
        for line in failures:
            print(line, file=sys.stderr)
        print(f"amparser: {len(failures)} of {count} sentences without a parse", file=sys.stderr)
    return len(failures)


def _predicted(
    seq2seq: Seq2SeqParser, sentences: Sequence[tuple[str, ...]], output_format: str
) -> Iterator[tuple[str, str | None]]:
    """What a sequence-to-sequence model wrote; malformed outputs are no parses."""
    if output_format not in ("lf", "json"):
        raise InputError(f"--format {output_format}: a {seq2seq.system} writes lf or json alone")
    for chunk in chunks(sentences, CHUNK_SIZE):
        for tokens, output in zip(chunk, seq2seq.outputs(chunk), strict=True):
            kind = kind_of(seq2seq.notation, output)
            failure = None if kind is None else f"{kind}: {output.text}"
            if output_format == "lf":
                yield output.text if kind is None else f"{NO_PARSE}{failure}", failure
                continue
            value = {
                "sentence": " ".join(tokens),
                "tokens": tokens,
                "notation": seq2seq.notation.name,
                "output": output.text,
                "logp": output.logp,
                "failure": kind,
            }
            yield json.dumps(value, ensure_ascii=False), failure


def _sentences(
    texts: Sequence[str], input_name: str | None
) -> tuple[list[str], list[tuple[str, ...]]]:
    """Where each sentence stands, and its tokens."""
    if input_name is None:
        if not texts:
            raise InputError("nothing to parse: give sentences, or --input FILE")
        placed = [(f"sentence {number}", text) for number, text in enumerate(texts, 1)]
    elif texts:
        raise InputError("give sentences or --input FILE, not both")
    else:
        name = shown_name(input_name)
        lines = lines_of(read_text(input_name))
        if not lines:
            raise InputError(f"{name}: empty, expected a sentence a line")
        placed = [(f"{name}:{number}", line) for number, line in enumerate(lines, 1)]
    sentences = []
    for place, text in placed:
        try:
            sentences.append(checked_tokens(text))
        except InputError as error:
            raise InputError(f"{place}: {error}") from None
    return [place for place, _ in placed], sentences


def item_of(result: ParsedSentence) -> Item:
    """The sentence with its analysis, for writing it down."""
    logp = result.parse.logp if result.parse.found else None
    return Item(result.tokens, result.graph, result.tree, logp, result.failure, result.notation)


def _shown(result: ParsedSentence, output_format: str) -> str:
    match output_format:
        case "lf":
            return result.logical_form or f"{NO_PARSE}{result.failure}"
        case "penman":
            return f"{item_to_penman(item_of(result))}\n"
        case "amconll":
            return f"{item_to_amconll(item_of(result))}\n"
        case "json":
            return item_to_json(item_of(result))
        case _:
            raise InputError(f"no format {output_format!r}")
