"""Read files of the Parallel Meaning Bank: graphs, with annotation layers in comments above them.

The input is the raw sentence (`# ::snt`), tokenized like any raw text. Only training may use the
layers: the bank's words (`tok`, with `~` for a space inside a word) and their annotations. If a
text has several sentences, `# ::snt` has only the last sentence, and the beginning is restored from
the words. The name of the folder is the language (`de`, `en`, `it`, `nl`; by default English).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from amparser.corpora.example import Example
from amparser.corpora.penman import fields_of
from amparser.corpora.reading import blocks, numbered_lines, parsed
from amparser.corpora.tokens import tokenize
from amparser.errors import InputError
from amparser.notations.penman import PENMAN

_NO_SPACE_BEFORE = re.compile(r"[.,;:!?)\]}]|n't$|'\w*$")
_LANGUAGES = ("de", "en", "it", "nl")
_LAYERS = ("tok", "lemma", "sem", "cat", "sense", "roles")


def read_bank(path: Path, limit: int | None = None) -> list[Example]:
    """Return the first `limit` examples of a file (default: all). Raises CorpusError."""
    folder = path.resolve().parent.name
    parse = partial(_example, language=folder if folder in _LANGUAGES else "en")
    return list(islice(parsed(blocks(numbered_lines(path)), parse, path), limit))


def _example(block: str, *, language: str) -> Example:
    comments = {key: values[-1].value for key, values in fields_of(block).items()}
    if not comments.get("snt"):
        raise InputError("expected a comment with the sentence, '# ::snt ...'")
    layers = tuple(
        (name, tuple(item.replace("~", " ") for item in comments[name].split(" ")))
        for name in _LAYERS
        if name in comments
    )
    words = len(dict(layers).get("tok", ()))
    for name, items in layers:
        if words and len(items) != words:
            raise InputError(f"the layer {name!r} has {len(items)} items, expected {words}")
    values = PENMAN.graph((), block)
    return Example(
        tokenize(_whole(comments["snt"], dict(layers).get("tok", ()))),
        PENMAN.on_one_line(values),
        values,
        notation=PENMAN.name,
        layers=layers,
        id=comments.get("id", ""),
        language=language,
    )


def _whole(sentence: str, words: Sequence[str]) -> str:
    """Return the complete text; `sentence` may be only its end."""
    letters, end = "".join(words).replace(" ", ""), "".join(sentence.split())
    if not letters.endswith(end):
        return sentence
    missing = len(letters) - len(end)
    text = ""
    for word in words:
        if missing <= 0:
            break
        space = "" if not text or _NO_SPACE_BEFORE.match(word) else " "
        text += space + word
        missing -= len(word.replace(" ", ""))
    return f"{text} {sentence}" if text and not missing else sentence
