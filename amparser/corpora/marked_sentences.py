"""Training files of Rasa (YAML, Markdown) and snips-nlu (YAML): sentences with marked slots.

    nlu:                                       type: intent
    - intent: weather                          name: weather
      examples: |                              utterances:
        - weather in [Paris](city)               - weather in [city:place](Paris)

The meaning of both sentences is `{"intent": "weather", "city": "Paris"}`. In Rasa files, a mark may
contain the value and the role of a slot, `[NYC]{"entity": "city", "value": "New York"}`, and an
example may be an item with `text` and metadata. Everything that is not part of an intent, such as
synonyms and stories, is skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from amparser.corpora.formats import ReadOnlyFormat
from amparser.corpora.jsonl import JSON
from amparser.errors import AMParserError, InputError

_HEADING = re.compile(r"##\s*(\w+)\s*:\s*(.+)")
_KEY = re.compile(r"(-\s+)?(\w+)\s*:\s*(.*)")
_MARK = re.compile(r"\[([^\[\]]+)\](?:\(([^()]*)\)|(\{[^{}]*\}))")
_QUOTED = re.compile(r"""(["'])(.*)\1""")
_EXAMPLES, _UTTERANCES = "examples", "utterances"


class MarkedFormat(ReadOnlyFormat):
    """Format of files that list the sentences of each intent; it can only be read."""

    name = "marked"
    suffixes = (".yml", ".yaml", ".md")
    sample = "## intent:switch\n- turn on the [lamp](device)"

    def items(
        self, lines: Iterable[tuple[int, str | AMParserError]]
    ) -> Iterator[tuple[int, str | AMParserError]]:
        """Yield a JSON row for each sentence, with the intent of the sentence."""
        intent, key, margin, found = "", "", -1, False
        listed = awaited = False
        for number, line in lines:
            text = str(line).strip()
            indent = len(str(line)) - len(str(line).lstrip())
            if isinstance(line, AMParserError):
                yield number, line
            elif listed and (indent > margin or (indent == margin and text[:1] == "-")):
                # An item has its sentence in `text`, and possibly metadata.
                match = _KEY.fullmatch(text)
                is_text = match is not None and match[2] == "text"
                inline = match[3].strip("\"'") if match is not None and is_text else text
                if (is_text and inline[:1] not in ("|", ">")) or (awaited and not is_text):
                    yield number, _row(intent, inline, snips=False)
                    found = True
                awaited = is_text and inline[:1] in ("|", ">")
            elif text[:1] in ("-", "*") and text[1:2] == " " and 0 <= margin <= indent:
                yield number, _row(intent, text[1:].strip(), key == _UTTERANCES)
                found = True
            elif heading := _HEADING.fullmatch(text):
                intent = heading[2] if heading[1] == "intent" else ""
                key, margin = "", 0 if intent else -1
            elif match := _KEY.fullmatch(text):
                dash, key, value = match.groups()
                # A `name` in a list, or indented, is the name of a slot.
                if key == "intent" or (key == "name" and not dash and not indent):
                    intent = value.strip("\"'")
                elif dash and key != "name":
                    intent = ""
                begins = intent and key in (_EXAMPLES, _UTTERANCES)
                listed = bool(begins) and key == _EXAMPLES and not value
                margin = indent + (key == _EXAMPLES and not listed) if begins else -1
        if not found:
            yield 1, InputError(f"no sentences of intents, expected lines such as {self.sample!r}")

    example = staticmethod(JSON.example)


def _row(intent: str, sentence: str, snips: bool) -> str | AMParserError:
    """Return the JSON row of a sentence, or an error; `snips` is for marks `[SLOT](VALUE)`."""
    slots: list[dict[str, Any]] = []

    def plain(mark: re.Match[str]) -> str:
        inside, behind, details = mark.groups()
        if snips and behind is not None:
            slots.append({"entity": inside.partition(":")[0], "value": behind})
            return behind
        name, _, value = (behind or "").partition(":")
        known = json.loads(details) if details else {"entity": name}
        slots.append({"value": value or inside, **known})
        return inside

    if snips and (quoted := _QUOTED.fullmatch(sentence)):
        sentence = quoted[2]
    try:
        text = _MARK.sub(plain, sentence)
    except json.JSONDecodeError as error:
        return InputError(f'not JSON: {error.doc!r}, write such as {{"entity": "city"}}')
    return json.dumps({"text": text, "intent": intent, "slots": slots}, ensure_ascii=False)


MARKED = MarkedFormat()
