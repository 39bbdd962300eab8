"""Write commands to a calendar and their meanings: python docs/calendar_commands.py FOLDER.

`train.tsv` has 600 rows and `test.tsv` 200, as people type them, without alignments: dates, times,
durations, people, and free text, with and without quotes. Meanings are JSON, or with `--calls`
calls. Each of the other files has 100 rows of what train never has: two details of an event
together (`gen_together`), an order of its details (`gen_order`), three or more people
(`gen_longer`), other names and numbers (`gen_names`), and other texts (`gen_text`).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from random import Random
from typing import Any

EVENTS = ("meeting", "call", "dentist appointment", "workshop", "dinner", "yoga class", "review")
TOPICS = ("budget", "new office", "hiring plan", "summer party", "launch", "website")
PEOPLE = ("Ann", "Bob", "Dr. Smith", "Mia", "Tom Reed", "Zoe", "Omar", "Lena")
NEW_PEOPLE = ("Karl", "Ines", "Dr. Wong", "Paul Berg", "Yuki", "Nora")
PLACES = ("the office", "the cafe", "the library", "the park")
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = ("January", "March", "May", "June", "October", "December")
TASKS = ("water the plants", "call the bank", "pay the rent", "feed the cat", "buy milk and eggs",
         "book a table for two", "send the report to Ann", "clean the kitchen",
         "renew my passport", "pick up the kids", "read chapter 7", "cancel the gym")  # fmt: skip
NEW_TASKS = ("return the library books", "fix the bike", "order a cake for Mia", "wash the car",
             "vote", "write to the landlord about the heating", "print 20 tickets")  # fmt: skip
NUMBERS = ("two", "three", "four", "five")
APART = ({"place", "duration"}, {"people", "topic"}, {"time", "old"})
OPTIONS = {
    "schedule": ("topic", "people", "date", "time", "duration", "place"),
    "remind": ("date", "time"),
    "move": ("old", "date", "time"),
    "cancel": ("date", "people"),
    "find": ("date", "people", "topic"),
    "note": (),
}
ORDERS = ({"date": 0, "time": 1}, {"people": 0, "date": 1}, {"topic": 0, "people": 1},
          {"time": 0, "duration": 1}, {"place": 0, "time": 1})  # fmt: skip
"""Train never has the second of these details before the first."""
HEADS = {"date": "day", "duration": "span", "place": "room"}
WORDS = {
    "schedule": ("schedule a {event}", "set up a {event}", "add a {event}", "{event}"),
    "remind": ("remind me to {text}", "don't let me forget to {text}"),
    "move": ("move the {event}", "reschedule my {event}", "push the {event}"),
    "cancel": ("cancel the {event}", "drop my {event}"),
    "find": ("when is my {event}", "show every {event}", "do i have a {event}"),
    "note": ('note "{text}"', 'take a note that says "{text}"', 'write down "{text}"'),
}


class Request:
    """One request and its meaning.

    Args:
        random: the source of all choices.
        names: of people; default: the names of train.
        texts: of reminders and notes; default: the texts of train.
        large: whether to use numbers that train never has.
        people: how many there are, at least and at most.
    """

    def __init__(
        self,
        random: Random,
        names: tuple[str, ...] = (),
        texts: tuple[str, ...] = (),
        people: tuple[int, int] = (1, 2),
        *,
        large: bool = False,
    ) -> None:
        self.random, self.people = random, people
        self.names, self.texts = names or PEOPLE, texts or TASKS
        self.numbers = range(21, 29) if large else range(1, 21)
        self.minutes = range(61, 99) if large else range(5, 61, 5)

    def date(self) -> tuple[str, Any]:
        """A day: how it is said and what it is."""
        choose = self.random.choice
        day, month, number = choose(DAYS), choose(MONTHS), choose(self.numbers)
        dated = {"month": month.lower(), "day": number}
        return choose([
            (f"on {day}", day), (f"next {day}", {"next": day}), ("tomorrow", "tomorrow"),
            ("today", "today"), (f"on {month} {number}", dated), (f"on {number} {month}", dated),
        ])  # fmt: skip

    def detail(self, name: str) -> tuple[str, Any]:
        """How a detail is said and what it is."""
        choose = self.random.choice
        if name == "topic":
            topic = choose(TOPICS)
            return f"about the {topic}", topic
        if name == "people":
            some = self.random.sample(self.names, self.random.randint(*self.people))
            return f"with {', '.join(some[:-1])}{' and ' if some[1:] else ''}{some[-1]}", some
        if name == "old":
            day = choose(DAYS)
            return f"from {day}", day
        if name == "time":
            hour, minute, half = self.random.randint(1, 11), choose((0, 15, 30, 45)), choose("ap")
            told = f"{hour + 12 * (half == 'p'):02}:{minute:02}"
            short = f"{hour}{f':{minute:02}' if minute else ''}"
            return choose([
                (f"at {told}", told), (f"at {short} {half}m", told), (f"at {short}{half}m", told),
                ("at noon", "12:00"),
            ])  # fmt: skip
        if name == "duration":
            count, minutes = choose(range(2, 6)), choose(self.minutes)
            return choose([
                (f"for {minutes} minutes", {"value": minutes, "unit": "minute"}),
                (f"for {NUMBERS[count - 2]} hours", {"value": count, "unit": "hour"}),
                ("for an hour", {"value": 1, "unit": "hour"}),
            ])  # fmt: skip
        if name == "place":
            room, place = choose(self.numbers), choose(PLACES)
            return choose([(f"in room {room}", {"room": room}), (f"at {place}", place[4:])])
        day, value = self.date()
        return day, value

    def row(self) -> tuple[str, dict[str, Any], tuple[str, ...]]:
        """The sentence, its meaning, and the details in the order of the sentence."""
        action = self.random.choice(list(OPTIONS))
        value: dict[str, Any] = {"action": action}
        names = [name for name in OPTIONS[action] if self.random.random() < 0.45]
        if action == "move" and not {"date", "time"} & {*names}:
            names.append("date")
        self.random.shuffle(names)
        text = self.random.choice(WORDS[action])
        if "{event}" in text:
            value["event"] = self.random.choice(EVENTS)
            text = text.format(event=value["event"])
        else:
            value["text"] = self.random.choice(self.texts)
            text = text.format(text=value["text"])
        details = {name: self.detail(name) for name in names}
        if action == "move" and "date" in details:
            said, day = details["date"]
            details["date"] = f"to {said.removeprefix('on ')}", day
        value |= {name: details[name][1] for name in OPTIONS[action] if name in details}
        ends = {"find": "?"}.get(action, self.random.choice(("", ".")))
        said = " ".join([text, *(details[name][0] for name in names)])
        return f"{said}{'' if action == 'note' else ends}", value, tuple(names)


def is_new_order(names: tuple[str, ...]) -> bool:
    """Return whether the details have an order that train never has."""
    return any(
        set(pair) <= set(names) and names.index(min(pair, key=pair.__getitem__))
        > names.index(max(pair, key=pair.__getitem__))
        for pair in ORDERS
    )  # fmt: skip


def rows_of(count: int, request: Request, *, together: bool = False, order: bool = False,
            needs: str = "") -> dict[str, dict[str, Any]]:  # fmt: skip
    """Return `count` rows; each has the key `needs`."""
    rows: dict[str, dict[str, Any]] = {}
    while len(rows) < count:
        text, value, names = request.row()
        apart = any(pair <= value.keys() for pair in APART)
        if apart == together and is_new_order(names) == order and (not needs or needs in value):
            rows[text] = value
    return rows


def call_of(value: Any, head: str = "") -> str:
    """A value as a call; objects inside are calls of what HEADS has for their keys."""
    if isinstance(value, list):
        return f"[{', '.join(map(call_of, value))}]"
    if not isinstance(value, dict):
        return json.dumps(value)
    if head == "room":
        return f"room({value['room']})"
    pairs = [(key, call_of(one, HEADS.get(key, ""))) for key, one in value.items()]
    rest = [f"{key}={text}" for key, text in pairs if key != "action"]
    return f"{value.get('action', head)}({', '.join(rest)})"


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--calls", action="store_true", help="calls instead of JSON")
    parser.add_argument("--rows", type=int, default=600, help="of train")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random = Random(arguments.seed)
    known = rows_of(arguments.rows + 200, Request(random))
    several = Request(random, people=(3, 5))
    new = Request(random, NEW_PEOPLE, large=True)
    families = {
        "gen_together": rows_of(100, Request(random), together=True),
        "gen_order": rows_of(100, Request(random), order=True),
        "gen_longer": rows_of(100, several, needs="people"),
        "gen_names": rows_of(100, new, needs="people"),
        "gen_text": rows_of(100, Request(random, texts=NEW_TASKS), needs="text"),
    }
    pairs = list(known.items())
    files = {"train": pairs[: arguments.rows], "test": pairs[arguments.rows :]}
    files |= {name: list(rows.items()) for name, rows in families.items()}
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name, some in files.items():
        write = call_of if arguments.calls else json.dumps
        lines = "".join(f"{text}\t{write(value)}\n" for text, value in some)
        (arguments.folder / f"{name}.tsv").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()
