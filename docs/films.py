"""Write questions to a table of films and their calls: python docs/films.py FILE.

`call_of` turns the SQL of a question into a call, as the page on SQL describes.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from random import Random

WHAT = {
    "which {g} films are {rest}": "title",
    "list {g} films {rest}": "title",
    "how many {g} films are {rest}": "count(*)",
    "what is the average rating of {g} films {rest}": "avg(rating)",
    "show the {n} oldest {g} films {rest}": "title ORDER BY year LIMIT {n}",
    "what are the {n} best {g} films {rest}": "title ORDER BY rating DESC LIMIT {n}",
}
REST = {
    "from {c}": "country = '{c}'",
    "from {c} after {y}": "country = '{c}' AND year > {y}",
    "after {y}": "year > {y}",
    "before {y}": "year < {y}",
}
GENRES = ("drama", "comedy", "horror", "western")
COUNTRIES = ("France", "Japan", "New Zealand", "Brazil")

COLUMNS = {"title": str, "genre": str, "country": str, "year": int, "rating": int}
SELECTED = {**{name: name for name in COLUMNS}, "count": "count(*)", "avg rating": "avg(rating)"}
CONDITION = r"(\w+) *([=<>]) *('(?:[^']|'')*'|\d+)"
SELECT = re.compile(
    r"SELECT (?P<what>.+?) FROM film"
    rf"(?: WHERE (?P<where>{CONDITION}(?: AND {CONDITION})*))?"
    r"(?: ORDER BY (?P<by>\w+)(?P<down> DESC)?)?(?: LIMIT (?P<limit>\d+))?;?"
)


def call_of(sql: str) -> dict[str, str | int]:
    """Return the call of a SELECT; raise ValueError if it is not simple."""
    match = SELECT.fullmatch(sql.strip())
    if match is None or match["what"] not in SELECTED.values():
        raise ValueError(f"no simple SELECT of film: {sql}")
    call: dict[str, str | int] = {
        "select": next(key for key, text in SELECTED.items() if text == match["what"])
    }
    for name, sign, value in re.findall(CONDITION, match["where"] or ""):
        if name in call or name not in COLUMNS:
            raise ValueError(f"no column of film, or two conditions of it: {name}")
        call[name] = value[1:-1].replace("''", "'") if value[0] == "'" else int(value)
        if sign != "=":
            call["sign"] = "over" if sign == ">" else "under"
    if "sign" in call and sum(COLUMNS.get(name) is int for name in call) > 1:
        raise ValueError(f"a sign and two numbers: {sql}")
    if match["by"]:
        call["highest" if match["down"] else "lowest"] = match["by"]
    return call | ({"limit": int(match["limit"])} if match["limit"] else {})


def rows(count: int) -> dict[str, str]:
    """Return random questions with their SQL."""
    random = Random(1)
    made: dict[str, str] = {}
    while len(made) < count:
        question, what = random.choice([*WHAT.items()])
        rest, where = random.choice([*REST.items()])
        values: dict[str, str | int] = {
            "g": random.choice(GENRES),
            "c": random.choice(COUNTRIES),
            "y": random.randint(1930, 2020),
            "n": random.randint(2, 9),
        }
        question = question.replace("{rest}", rest).format(**values)
        if "oldest" in question and "before" in question:
            continue
        what, _, end = what.partition(" ")
        sql = f"SELECT {what} FROM film WHERE genre = '{{g}}' AND {where} {end}".strip()
        made[question] = sql.format(**values)
    return made


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    lines = [f"{question}\t{json.dumps(call_of(sql))}\n" for question, sql in rows(100).items()]
    parser.parse_args().file.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
