"""`amparser ask`: ask for meanings of the sentences that would teach a model most."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from amparser.cli import options
from amparser.cli.options import option
from amparser.cli.outputs import say
from amparser.errors import AMParserError, InputError, located
from amparser.notations.registry import NOTATIONS

if TYPE_CHECKING:
    from amparser.notations.notation import Notation
    from amparser.results import Result

_SUFFIXES = (".tsv", ".jsonl")
_QUIT, _SKIP = "q", ("s", "")
_PROMPT = "a number, a meaning, s to skip or q to quit: "


def ask(
    from_: Annotated[Path, option("--from FILE")],
    rows: Annotated[Path, option("--output -o FILE")],
    model: options.ModelOption = None,
    budget: Annotated[int, option("--budget -n N", min=1)] = 20,
    k_best: Annotated[int, option("--k-best N", min=1)] = 3,
    device: options.DeviceOption = options.Device.AUTO,
) -> None:
    """Ask for meanings of the sentences that would teach a model most.

    Answer each question with one line on stdin: the number of a listed meaning, another meaning,
    `s` or an empty line to skip, `q` to quit. `train --start MODEL` learns from the new rows.

    Args:
        from_: Sentences: a file written by --log or bulk, or a text file with one per line.
        rows: Append the new rows to this file (.tsv or .jsonl); its sentences are not asked again.
        budget: Maximum number of questions.
        k_best: Meanings to choose from.
    """
    if rows.suffix not in _SUFFIXES:
        raise InputError(f"--output {rows}: expected the suffix .tsv or .jsonl")
    from amparser.corpora.reading import read_examples
    from amparser.misses import most_instructive, sentences_of
    from amparser.parser import Parser

    texts = sentences_of(from_)
    known = {example.raw for example in read_examples(rows)} if rows.exists() else set()
    parser = Parser.load(model, device.value)
    if not parser.notation:
        raise InputError("this model answers with graphs: expected a model that has a notation")
    left = [text for text in texts if text not in known]
    results = parser.with_options(k_best=k_best, allow_unknown=True).parse(left)
    results = [example.altered(text=text) for example, text in zip(results, left, strict=True)]
    chosen = most_instructive(results, budget)
    counts: Counter[str] = Counter()
    for number, result in enumerate(chosen, 1):
        print(f"\n{number} of {len(chosen)}: {result.text}")
        meaning = _answer(result, NOTATIONS[parser.notation], counts)
        if meaning is None:
            break
        if meaning:
            _add(rows, str(result.text), meaning)
    count = counts["chosen"] + counts["typed"]
    print(f"\n{rows}: {count} rows added, {counts['skipped']} skipped")
    if count:
        start = model or "MODEL"
        say(f"to learn from them, add them to train: amparser train --data FILE --start {start}")


def _answer(result: Result, notation: Notation, counts: Counter[str]) -> str | None:
    """Return the user's meaning, an empty text to skip the sentence, or None to quit."""
    if result.unknown:
        print(f"  unknown words: {', '.join(result.unknown)}")
    readings = [
        candidate for candidate in (result, *result.alternatives) if candidate.meaning is not None
    ]
    for number, reading in enumerate(readings, 1):
        print(f"  {number}  {reading.meaning}")
    if result.failure is not None:
        print(f"  {result.failure}")
    while True:
        print(_PROMPT, end="", flush=True)
        line = sys.stdin.readline()
        text = line.strip()
        if not line or text == _QUIT:
            return None
        if text in _SKIP:
            counts["skipped"] += 1
            return ""
        if text.isdecimal() and len(readings) >= int(text) > 0:
            counts["chosen"] += 1
            return readings[int(text) - 1].meaning
        try:
            notation.graph(result.tokens, text)
        except AMParserError as error:
            print(f"  {error}")
            continue
        counts["typed"] += 1
        return text


def _add(path: Path, sentence: str, meaning: str) -> None:
    row = f"{sentence}\t{meaning}"
    if path.suffix == ".jsonl":
        row = json.dumps({"text": sentence, "meaning": meaning}, ensure_ascii=False)
    try:
        ends = not path.exists() or path.read_bytes()[-1:] in (b"", b"\n")
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{row}\n" if ends else f"\n{row}\n")
    except OSError as error:
        raise InputError(located(error.strerror or str(error), path=path)) from None
