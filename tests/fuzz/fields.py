"""Every field of `model.json` altered, one at a time, in a folder of each system.

    python tests/fuzz/fields.py [KIND ...]

An altered field is tried in two ways. *By accident*: the rest of the file is as it was, and the
error must name file and key, or the answers must be the same. *On purpose*: the checksums are
gone, as in a folder that somebody made to do harm, and there must be answers, or one line of
error that names the folder. Both ways there is an end within ten seconds.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    sys.path[:0] = [str(here), str(here.parent), str(here.parents[1])]

from mutation import VALUES, altered, dumped, places, without
from surfaces import HangError, limited
from tiny_folders import KINDS, answers

from amparser.errors import AMParserError
from amparser.learn.systems import load

Place = tuple[Any, ...]
MISSING = "missing"

OTHERS = (
    "bilstm", "transformer", "fixed-tree", "wrap", "cogs", "penman", "fol", "accuracy", "linear",
    "auto", "lstm", "t5", "graph", "slog", "()", "(s())", "IGNORE", "APP_s",
)  # fmt: skip
"""Names of other choices, in fields that have a choice."""


@dataclass(frozen=True)
class Alteration:
    """A place in `model.json`, and what is done there."""

    place: Place
    what: str
    content: Any

    @property
    def key(self) -> str:
        """The dotted key of the place, up to three parts."""
        return ".".join(str(part) for part in self.place[:3])


def alterations(content: Any, place: Place) -> Iterator[Alteration]:
    """All that is tried at a place."""
    inner = content
    for key in place:
        inner = inner[key]
    if place:
        yield Alteration(place, MISSING, without(content, place))
    tried: list[Any] = list(VALUES)
    if type(inner) is int:
        tried += [inner + 1, inner - 1, -inner, 10**9, 10**15, float(inner)]
    elif type(inner) is bool:
        tried += [not inner, int(inner)]
    elif type(inner) is float:
        tried += [inner + 0.25, -inner, 1e300]
    elif isinstance(inner, str):
        tried += [f"{inner}x", inner[:-1], inner.upper(), f" {inner}", *OTHERS]
    elif isinstance(inner, list):
        tried += [[*inner, *inner[:2]], inner[1:], inner[::-1]]
    elif isinstance(inner, dict):
        tried += [{**inner, "unknown": 1}]
    for value in tried:
        if type(value) is not type(inner) or value != inner:
            yield Alteration(place, repr(value)[:40], altered(content, place, value))


class Folder:
    """A model folder whose `model.json` is replaced again and again.

    Args:
        folder: the folder.
        sentences: what its model is asked.
    """

    def __init__(self, folder: Path, sentences: Sequence[tuple[str, ...]]) -> None:
        self.path = folder / "model.json"
        self.sentences = sentences
        self.content = json.loads(self.path.read_bytes())
        self.places = [place for place in places(self.content) if place]
        self.answers = answers(load(folder, "cpu"), sentences)

    def problem(self, alteration: Alteration, *, on_purpose: bool) -> tuple[str, str | None]:
        """The kind of the end (`error`, `same`, `other`), and what is wrong with it or None."""
        content = alteration.content
        if on_purpose and isinstance(content, dict):
            content = {key: value for key, value in content.items() if key != "checksums"}
        self.path.write_bytes(dumped(content))
        try:
            with limited():
                found = answers(load(self.path.parent, "cpu"), self.sentences)
        except HangError:
            return "hang", "no answer in time"
        except AMParserError as error:
            return "error", self._fault(str(error), alteration, on_purpose=on_purpose)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            return "traceback", f"{type(error).__name__}: {error}"[:200]
        if found == self.answers:
            return "same", None
        return "other", None if on_purpose else "other answers"

    def _fault(self, message: str, alteration: Alteration, *, on_purpose: bool) -> str | None:
        """What a message lacks, or None."""
        if "\n" in message or len(message) > 2000:
            return f"not one line: {message[:200]!r}"
        if on_purpose:
            named = str(self.path.parent) in message
        else:
            key, _, inner = alteration.key.partition(".")
            parts = [key, *inner.split(".")[:1]] if key in ("settings", "content") else [key]
            named = message.startswith(f"{self.path}: ") or "model.safetensors" in message
            named = named and all(part in message for part in parts)
        return None if named else f"names no file and key: {message[:200]}"

    def restore(self) -> None:
        """Write the file as it was."""
        self.path.write_bytes(dumped(self.content))


def main() -> int:
    """Try all alterations of some kinds of folders; print a table and what is wrong."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("kinds", nargs="*", help=f"of {', '.join(KINDS)} (default: all)")
    options.add_argument("--each", type=int, default=1000, help="values for a field at most")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    logging.disable(logging.WARNING)
    print("| folder of | fields | alterations | error | same answers | other | wrong |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    wrong = 0
    for kind in chosen.kinds or KINDS:
        with tempfile.TemporaryDirectory() as name:
            folder = Folder(*KINDS[kind](Path(name)))
            for on_purpose in (False, True):
                dice = Random(chosen.seed)
                ends, faults, count = tried(folder, chosen.each, dice, on_purpose=on_purpose)
                how = "on purpose" if on_purpose else "by accident"
                row = (kind + ", " + how, len(folder.places), count, *ends, len(faults))
                print("| " + " | ".join(f"{x:,}" if type(x) is int else str(x) for x in row) + " |")
                for fault in _different(faults):
                    print(f"  {fault}", file=sys.stderr)
                sys.stdout.flush()
                wrong += len(faults)
    return int(wrong > 0)


def _different(faults: Sequence[str]) -> list[str]:
    """The first fault of each sentence that is left without numbers and quoted values."""
    first: dict[str, str] = {}
    for fault in faults:
        first.setdefault(re.sub(r"'[^']*'|\d+", "", fault.partition(": ")[2]), fault)
    return list(first.values())


def tried(
    folder: Folder, each: int, dice: Random, *, on_purpose: bool
) -> tuple[list[int], list[str], int]:
    """How often alterations of a folder end in each way, the faults, and how many there were."""
    ends: Counter[str] = Counter()
    faults = []
    for place in folder.places:
        values = list(alterations(folder.content, place))
        for alteration in dice.sample(values, min(each, len(values))):
            end, fault = folder.problem(alteration, on_purpose=on_purpose)
            ends[end] += 1
            if fault is not None:
                faults.append(f"{place} = {alteration.what}: {end}: {fault}")
    folder.restore()
    return [ends["error"], ends["same"], ends["other"]], faults, ends.total()


if __name__ == "__main__":
    sys.exit(main())
