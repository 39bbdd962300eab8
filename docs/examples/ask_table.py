"""Ask a table of SQLite: python docs/examples/ask_table.py MODEL QUESTION ...

MODEL learned from `docs/flights.py`. A meaning becomes a query: `lambda` lists, `count` counts,
`argmin` and `argmax` sort. The table has 3,000 flights that no airline has.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from random import Random

from amparser import Parser
from amparser.logic.sexpr import Sexpr, sexpr_from_str

COLUMNS = {
    "from": "origin",
    "to": "destination",
    "airline": "airline",
    "day": "weekday",
    "class_type": "class",
    "meal": "meal",
    "departure_time": "departs",
    "arrival_time": "arrives",
    "fare": "fare",
}
VALUES = {
    "origin": ("boston", "denver", "dallas", "atlanta", "san_francisco", "miami"),
    "airline": ("delta", "united", "american_airlines", "lufthansa"),
    "weekday": ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    "class": ("economy", "first", "business"),
    "meal": ("breakfast", "lunch", "dinner"),
}


class CannotSayError(Exception):
    """The table does not have what a meaning asks for."""


def table() -> sqlite3.Connection:
    """Flights."""
    random = Random(1)
    connection = sqlite3.connect(":memory:")
    columns = ", ".join(dict.fromkeys(COLUMNS.values()))
    connection.execute(f"CREATE TABLE flight ({columns})")
    for _ in range(3000):
        origin, destination = random.sample(VALUES["origin"], 2)
        departs = 100 * random.randint(5, 20) + random.choice((0, 15, 30, 45))
        some = [random.choice(VALUES[name]) for name in ("airline", "weekday", "class", "meal")]
        row = (origin, destination, *some, departs, departs + 200, 10 * random.randint(9, 90))
        connection.execute(f"INSERT INTO flight VALUES ({', '.join('?' * len(row))})", row)
    return connection


def query(meaning: str) -> tuple[str, list[str | int]]:
    """The SQL of a meaning, and the values in it; raises CannotSayError."""
    sexpr = sexpr_from_str(meaning)
    head, variable = (item.atom for item in sexpr.items[:2])
    if head not in ("lambda", "count", "argmin", "argmax") or variable != "$0":
        raise CannotSayError(head)
    body = sexpr.items[3 if head == "lambda" else 2]
    conditions = body.items[1:] if body.items[0].atom == "and" else (body,)
    tests: list[str] = []
    values: list[str | int] = []
    for condition in conditions:
        name, first, *more = condition.items
        if name.atom == "flight":
            continue
        column = first.items[0].atom if name.atom in "<>" else name.atom
        if column not in COLUMNS or not more:
            raise CannotSayError(column)
        sign = name.atom if name.atom in "<>" else "="
        tests.append(f"{COLUMNS[column]} {sign} ?")
        value = more[0].atom
        values.append(int(value) if value.isdecimal() else value)
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    if head == "lambda":
        return f"SELECT * FROM flight{where}", values
    if head == "count":
        return f"SELECT count(*) FROM flight{where}", values
    by = _column(sexpr.items[-1])
    order = "DESC" if head == "argmax" else "ASC"
    return f"SELECT * FROM flight{where} ORDER BY {by} {order} LIMIT 1", values


def _column(sexpr: Sexpr) -> str:
    """The column of `( fare $0 )`."""
    name = sexpr.items[0].atom
    if name not in COLUMNS:
        raise CannotSayError(name)
    return COLUMNS[name]


def main() -> None:
    """Answer the arguments."""
    parser = Parser.load(sys.argv[1])
    with closing(table()) as connection:
        for result in parser.parse(sys.argv[2:]):
            print(result.sentence)
            if result.meaning is None:
                print(f"  no meaning: {result.failure}")
                continue
            try:
                sql, values = query(result.meaning)
            except CannotSayError as error:
                print(f"  the table does not have {error}: {result.meaning}")
                continue
            rows = connection.execute(sql, values).fetchall()
            print(f"  {sql}  {values}")
            for row in rows[:3]:
                print("  ", *row)
            print(f"  {len(rows)} rows")


if __name__ == "__main__":
    main()
