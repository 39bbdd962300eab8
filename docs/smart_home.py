"""Write calls to a smart home and their JSON: python docs/smart_home.py FOLDER.

`train.tsv` has 500 rows and `test.tsv` 200, as people type them, without alignments. `gen.tsv` has
rows whose keys train never has together in one object, though it has each of them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from random import Random
from typing import Any

DEVICES = ("lamp", "heater", "fan", "radio", "tv", "blinds", "coffee maker", "speaker")
ROOMS = ("kitchen", "bedroom", "living room", "garage", "office", "bathroom")
TIMERS = ("pasta", "eggs", "laundry", "tea", "pizza", "nap", "rice", "bread")
COLOURS = ("red", "blue", "warm white", "green")
PEOPLE = ("Ann", "Bob", "Mia", "Dr. Smith", "Tom", "Zoe")
HELD_OUT = ({"room", "delay"}, {"name", "loud"}, {"room", "level"})


def call(random: Random) -> tuple[str, dict[str, Any]]:
    """A sentence and what it asks for."""

    def maybe(share: float) -> bool:
        return random.random() < share

    kind = random.choice(("switch", "timer", "colour", "call"))
    value: dict[str, Any] = {"intent": kind}
    device, room = random.choice(DEVICES), random.choice(ROOMS)
    if kind == "switch":
        state = random.choice(("on", "off"))
        value |= {"device": device, "state": state}
        text = random.choice(("turn {1} the {0}", "please turn the {0} {1}")).format(device, state)
        if maybe(0.5):
            value["room"], text = room, f"{text} in the {room}"
        if maybe(0.3):
            minutes = random.randint(2, 59)
            value["delay"] = {"value": minutes, "unit": "minute"}
            text += f" in {minutes} minutes"
    elif kind == "timer":
        minutes = random.randint(2, 90)
        value["minutes"] = minutes
        text = random.choice(("set a timer for {} minutes", "start a {} minute timer"))
        text = text.format(minutes)
        if maybe(0.5):
            value["name"] = random.choice(TIMERS)
            text += f" called {value['name']}"
        if maybe(0.3):
            value["loud"], text = True, f"{text} and make it loud"
    elif kind == "colour":
        value |= {"device": device, "colour": random.choice(COLOURS)}
        place = ""
        if maybe(0.4):
            value["room"], place = room, f" in the {room}"
        text = f"make the {device}{place} {value['colour']}"
        if maybe(0.3):
            value["level"] = random.randint(1, 10)
            text += f" at level {value['level']}"
    else:
        value["people"] = random.sample(PEOPLE, random.choice((1, 2)))
        text = f"call {' and '.join(value['people'])}"
        if maybe(0.5):
            value["time"] = f"{random.randint(1, 12)}:{random.choice(('00', '15', '30', '45'))}"
            text += f" at {value['time']}"
    return f"{text[0].upper()}{text[1:]}.", value


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    random = Random(1)
    rows: dict[str, str] = {}
    held_out: dict[str, str] = {}
    while len(rows) < 700 or len(held_out) < 100:
        text, value = call(random)
        new = any(keys <= value.keys() for keys in HELD_OUT)
        (held_out if new else rows)[text] = json.dumps(value)
    folder.mkdir(parents=True, exist_ok=True)
    ordinary, new_keys = list(rows.items()), list(held_out.items())
    files = {"train": ordinary[:500], "test": ordinary[500:700], "gen": new_keys[:100]}
    for name, pairs in files.items():
        lines = "".join(f"{text}\t{value}\n" for text, value in pairs)
        (folder / f"{name}.tsv").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()
