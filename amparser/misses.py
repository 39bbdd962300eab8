"""Log of doubtful answers, and choice of the sentences from which a model would learn most.

A log has a JSON object per line, with the keys `text`, `meaning` (null if there is none),
`failure`, `confidence`, `reasons` (see `amparser.doubts`) and `unknown`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from amparser.corpora.reading import numbered_lines
from amparser.errors import CorpusError, InputError, located
from amparser.files import once
from amparser.results import Result

SURE = 0.9
"""Confidence below which an answer is logged even without other reasons for doubt."""
_KEYS = ("text", "sentence")
_PER_REASON = {"tie": 0.5, "shape": 0.5, "no_reading": 0.5, "ignored_word": 0.25}


@dataclass(frozen=True)
class Log:
    """File to which doubtful answers are appended."""

    path: Path

    def checked(self) -> Self:
        """Create the file if needed and return the log; raise InputError if it is not writable."""
        self._write("")
        return self

    def add(self, results: Iterable[Result]) -> None:
        """Append the results without a meaning, with a reason for doubt, or with low confidence.

        Raises InputError if the file cannot be written.
        """
        self._write("".join(map(_line, filter(_is_doubtful, results))))

    def _write(self, text: str) -> None:
        try:
            # A single write prevents several processes from mixing their lines.
            with self.path.open("ab", buffering=0) as file:
                file.write(text.encode("utf-8", "replace"))
        except OSError as error:
            raise InputError(located(error.strerror or str(error), path=self.path)) from None


def sentences_of(path: Path) -> list[str]:
    """Return the distinct sentences of a log, of a file written by `bulk`, or of a text file.

    Raises CorpusError if the file cannot be read or has no sentence, or if a JSON object has
    neither `text` nor `sentence`.
    """
    sentences: dict[str, None] = {}
    for number, line in numbered_lines(path):
        text: object = line
        if line[:1] == "{":
            try:
                row = json.loads(line, object_pairs_hook=once)
            except ValueError as error:
                raise CorpusError(located(f"not JSON: {error}", path=path, line=number)) from None
            text = next((row[key] for key in _KEYS if row.get(key)), None)
            if not isinstance(text, str):
                expected = f"expected 'text' or 'sentence', found {', '.join(map(repr, row))}"
                raise CorpusError(located(expected, path=path, line=number))
        if text := re.sub(r"\s", " ", str(text)).strip():
            sentences[str(text)] = None
    if not sentences:
        raise CorpusError(located("no sentences, expected one per line", path=path))
    return list(sentences)


def most_instructive(results: Sequence[Result], budget: int) -> list[Result]:
    """Return the results whose sentences a user should annotate, most instructive first.

    A result is more instructive if its answer is in doubt, and if many sentences share its unknown
    words. Unknown words of already chosen results do not count.

    Args:
        budget: maximum number of results.
    """
    often = Counter(word.lower() for answer in results for word in {*answer.unknown})
    left = [answer for answer in results if answer.tokens]
    chosen: list[Result] = []
    covered: set[str] = set()

    def worth(result: Result) -> float:
        words = {word.lower() for word in result.unknown} - covered
        doubt = 1 - (result.confidence or 0.0)
        reasons = sum(_PER_REASON.get(reason, 0.0) for reason in result.reasons)
        return doubt + reasons + sum(often[word] for word in words)

    while left and len(chosen) < budget:
        best = max(left, key=worth)
        left.remove(best)
        chosen.append(best)
        covered |= {word.lower() for word in best.unknown}
    return chosen


def _is_doubtful(result: Result) -> bool:
    sure = result.confidence is None or result.confidence >= SURE
    return bool(result.tokens) and (result.failure is not None or bool(result.reasons) or not sure)


def _line(result: Result) -> str:
    row = {
        "text": result.example().raw,
        "meaning": result.meaning,
        "failure": result.failure,
        "confidence": result.confidence,
        "reasons": list(result.reasons),
        "unknown": list(result.unknown),
    }
    return json.dumps(row, ensure_ascii=False) + "\n"
