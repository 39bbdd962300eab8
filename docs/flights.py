"""Write questions to a flight database and their lambda calculus: python docs/flights.py FOLDER.

`train.tsv` has 4,000 rows (`--rows`) and `test.tsv` 500, as people type them, without alignments.
`gen.tsv` has 300 rows with two kinds of conditions, or a question and a condition, that train never
has together, though it has each of them.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

CITIES = (
    "boston", "denver", "dallas", "atlanta", "san francisco", "new york", "chicago", "seattle",
    "st louis", "salt lake city", "pittsburgh", "oakland", "phoenix", "miami", "las vegas",
    "washington", "baltimore", "houston", "memphis", "orlando",
)  # fmt: skip
AIRLINES = ("delta", "united", "american airlines", "lufthansa", "continental", "alaska airlines")
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
CLASSES = {"coach": "economy", "economy": "economy", "first": "first", "business": "business"}
PARTS = ("morning", "afternoon", "evening")
HELD_OUT = (
    {"airline", "meal"}, {"nonstop", "before"}, {"day", "stop"}, {"count", "airline"},
    {"latest", "nonstop"}, {"fare", "part"}, {"who", "day"},
)  # fmt: skip
ORDER = (
    "from", "to", "airport", "stop", "airline", "day", "part", "before", "after", "arriving",
    "class", "nonstop", "meal", "cheaper",
)  # fmt: skip
QUESTIONS = {
    "list": ("show me {}", "{} please", "which {} are there", "i need {}", "what are the {}"),
    "count": ("how many {} are there", "count the {}"),
    "cheapest": ("what is the cheapest of the {}", "show me the cheapest {}"),
    "earliest": ("find the earliest of the {}", "i want the earliest {}"),
    "latest": ("what is the latest of the {}", "show me the latest {}"),
    "fare": ("what is the fare for {}", "how expensive are {}", "fares of {}"),
    "who": ("which airlines have {}", "what airlines offer {}"),
    "price": ("how much is the cheapest of the {}", "the price of the cheapest {}"),
}


def name(text: str) -> str:
    """A name as meanings have it."""
    return text.replace(" ", "_")


def condition(kind: str, var: str, city: str, random: Random) -> tuple[str, str]:
    """Return the words and the meaning of a condition on a flight, which may name a city."""
    place = f"{name(city)} : ci"
    hour, minute = random.randint(5, 11), random.choice((0, 5, 10, 15, 20, 30, 40, 45, 50))
    time = f"{hour}{minute:02}am", f"{hour}{minute:02} : ti"
    if random.random() < 0.3:
        hour = random.randint(1, 11)
        time = f"{hour}pm", f"{hour + 12}00 : ti"
    match kind:
        case "from":
            return f"from {city}", f"( from {var} {place} )"
        case "to":
            return f"{random.choice(('to', 'into'))} {city}", f"( to {var} {place} )"
        case "airport":
            inner = f"$ ( and ( airport $ ) ( loc $ {place} ) )"
            return f"arriving at the airport of {city}", f"( at {var} ( the {inner} ) )"
        case "stop":
            words = random.choice(("with a stop in {}", "stopping in {}", "via {}"))
            return words.format(city), f"( stop {var} {place} )"
        case "airline":
            line = random.choice(AIRLINES)
            words = random.choice(("on {}", "with {}", "operated by {}"))
            return words.format(line), f"( airline {var} {name(line)} : al )"
        case "day":
            day = random.choice(DAYS)
            return f"on {day}", f"( day {var} {day} : da )"
        case "part":
            part = random.choice(PARTS)
            return f"in the {part}", f"( during_day {var} {part} : pd )"
        case "before":
            words = random.choice(("before {}", "leaving before {}"))
            return words.format(time[0]), f"( < ( departure_time {var} ) {time[1]} )"
        case "after":
            words = random.choice(("after {}", "departing after {}"))
            return words.format(time[0]), f"( > ( departure_time {var} ) {time[1]} )"
        case "arriving":
            return f"that arrive before {time[0]}", f"( < ( arrival_time {var} ) {time[1]} )"
        case "class":
            word = random.choice(list(CLASSES))
            words = random.choice(("in {} class", "flying {} class"))
            return words.format(word), f"( class_type {var} {CLASSES[word]} : cl )"
        case "meal":
            meal = random.choice(("breakfast", "lunch", "dinner"))
            return f"serving {meal}", f"( meal {var} {meal} : me )"
        case "cheaper":
            price = random.randint(12, 99) * 10
            return f"under {price} dollars", f"( < ( fare {var} ) {price} )"
    return random.choice(("nonstop", "without a stop")), f"( nonstop {var} )"


def question(random: Random) -> tuple[str, str, set[str]]:
    """A sentence, its meaning, and what kinds of things it asks."""
    kinds = random.sample(("from", "to"), random.choice((1, 2, 2, 2)))
    if "to" not in kinds and random.random() < 0.3:
        kinds.append("airport")
    kinds += random.sample(ORDER[3:], random.choice((0, 1, 1, 2)))
    asked = random.choice(list(QUESTIONS))
    inner = "$1" if asked in ("fare", "who") else "$0"
    cities = random.sample(CITIES, len(kinds))
    said = {k: condition(k, inner, city, random) for k, city in zip(kinds, cities, strict=True)}
    before = [kind for kind in kinds if kind in ("part", "nonstop") and random.random() < 0.4]
    noun = " ".join(
        [*(said[kind][0].removeprefix("in the ") for kind in before)]
        + ["flights"]
        + [said[kind][0] for kind in kinds if kind not in before]
    ).replace("without a stop flights", "nonstop flights")
    parts = [f"( flight {inner} )", *(said[kind][1] for kind in ORDER if kind in said)]
    outer = "$2" if inner == "$1" else "$1"
    all_of = " ".join(parts).replace("$ ", f"{outer} ")
    meaning = {
        "list": "( lambda $0 e ( and {} ) )",
        "count": "( count $0 ( and {} ) )",
        "cheapest": "( argmin $0 ( and {} ) ( fare $0 ) )",
        "earliest": "( argmin $0 ( and {} ) ( departure_time $0 ) )",
        "latest": "( argmax $0 ( and {} ) ( departure_time $0 ) )",
        "fare": "( lambda $0 e ( exists $1 ( and {} ( = ( fare $1 ) $0 ) ) ) )",
        "who": "( lambda $0 e ( and ( airline $0 ) ( exists $1 ( and {} ( by $1 $0 ) ) ) ) )",
        "price": "( fare ( argmin $0 ( and {} ) ( fare $0 ) ) )",
    }[asked]
    text = random.choice(QUESTIONS[asked]).format(noun)
    mark = "?" if text[:1] in "wh" and random.random() < 0.5 else ""
    return text + mark, meaning.format(all_of), {asked, *kinds}


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=4000)
    arguments = parser.parse_args()
    random = Random(1)
    rows: dict[str, str] = {}
    held_out: dict[str, str] = {}
    while len(rows) < arguments.rows + 500 or len(held_out) < 300:
        text, meaning, kinds = question(random)
        new = any(pair <= kinds for pair in HELD_OUT)
        (held_out if new else rows)[text] = meaning
    arguments.folder.mkdir(parents=True, exist_ok=True)
    known = list(rows.items())
    files = {
        "train": known[: arguments.rows],
        "test": known[arguments.rows : arguments.rows + 500],
        "gen": list(held_out.items())[:300],
    }
    for file, pairs in files.items():
        lines = "".join(f"{text}\t{meaning}\n" for text, meaning in pairs)
        (arguments.folder / f"{file}.tsv").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()
