"""Every field of `model.json` altered, one at a time, in a folder of each system.

An altered field is tried in two ways. *By accident*: the rest of the file is as it was, and the
error must name file and key, or the answers must be the same. *On purpose*: the checksums are
gone, as in a folder that somebody made to do harm, and there must be answers, or one line of
error that names the folder. Both ways there is an end within ten seconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutation import altered, dumped, places, variants, without
from surfaces import LIMIT, HangError, limited
from tiny_folders import answers

from amparser.errors import AMParserError
from amparser.learn.systems import load

Place = tuple[Any, ...]
MISSING = "missing"


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
    for value in variants(inner):
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
            with limited(LIMIT):
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
