"""A timer that obeys: python docs/examples/timer.py MODEL < commands

MODEL learned from `docs/smart_home.py`. Timers are set; everything else is said, and what the model
is not sure of is refused.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator

from amparser import Parser

SURE = 0.5
"""Less likely answers are refused."""


def obeyed(parser: Parser, commands: Iterable[str]) -> Iterator[str]:
    """Yield the action of each command."""
    for command, result in zip(commands, parser.parse(commands), strict=True):
        if result.meaning is None:
            yield f"I do not understand {command!r}: {result.failure}"
            continue
        call = json.loads(result.meaning)
        match call:
            case {"intent": "timer", "minutes": int(minutes)}:
                name = call.get("name", "timer")
                yield f"{name}: rings in {minutes} minutes{', loudly' if call.get('loud') else ''}"
            case _:
                yield f"not for me: {result.meaning}"


def main() -> None:
    """Obey standard input."""
    if len(sys.argv) != 2:
        sys.exit("usage: python docs/examples/timer.py MODEL < commands")
    parser = Parser.load(sys.argv[1]).with_options(min_confidence=SURE)
    commands = [line.strip() for line in sys.stdin if line.strip()]
    for line in obeyed(parser, commands):
        print(line)


if __name__ == "__main__":
    main()
