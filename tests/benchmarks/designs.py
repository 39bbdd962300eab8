"""Compare meaning designs for one language of questions about a table.

    python tests/benchmarks/designs.py FOLDER

Each design is trained on 100 questions. It is tested on similar questions, and on 60 questions with
combinations of phrases that train lacks. Figures are means over three random train sets.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import torch

from amparser import api
from amparser.notations.registry import NOTATIONS
from amparser.parser import Parser

Call = Mapping[str, Any]
_WHAT: Mapping[str, Call] = {
    "which {g} films are {rest}": {"select": "title"},
    "list {g} films {rest}": {"select": "title"},
    "how many {g} films are {rest}": {"select": "count"},
    "what is the average rating of {g} films {rest}": {"select": "average"},
    "show the {n} oldest {g} films {rest}": {"select": "title", "lowest": "year"},
    "what are the {n} best {g} films {rest}": {"select": "title", "highest": "rating"},
}
_REST: Mapping[str, Call] = {
    "from {c}": {"country": None},
    "from {c} after {y}": {"country": None, "sign": "over"},
    "after {y}": {"sign": "over"},
    "before {y}": {"sign": "under"},
}
_NEW = (("oldest", "before"), ("average", "after"))
_KEYS = ("select", "genre", "country", "year", "sign", "lowest", "highest", "limit")


def question(random: Random) -> tuple[str, dict[str, Any]]:
    what, rest = random.choice([*_WHAT]), random.choice([*_REST])
    genre = random.choice(("drama", "comedy", "horror", "western"))
    country = random.choice(("France", "Japan", "New Zealand", "Brazil"))
    year, limit = random.randint(1930, 2020), random.randint(2, 9)
    text = what.replace("{rest}", rest).format(g=genre, c=country, y=year, n=limit)
    call = {"genre": genre, **_WHAT[what], **_REST[rest]}
    call |= {"country": country} if "country" in call else {}
    call |= {"year": year} if "sign" in call else {}
    call |= {"limit": limit} if "{n}" in what else {}
    return text, {key: call[key] for key in _KEYS if key in call}


def questions(random: Random, count: int, new: bool) -> dict[str, dict[str, Any]]:
    """Return questions and their calls.

    All of them contain a combination of phrases that train lacks if `new`; otherwise none does.
    """
    found: dict[str, dict[str, Any]] = {}
    while len(found) < count:
        text, call = question(random)
        if any(one in text and other in text for one, other in _NEW) == new:
            found[text] = call
    return found


def _combined(call: Call) -> str:
    made = {f"year_{call['sign']}" if key == "year" else key: call[key] for key in call}
    return json.dumps({key: value for key, value in made.items() if key != "sign"})


def _nested(call: Call) -> str:
    made = {key: {call["sign"]: call[key]} if key == "year" else call[key] for key in call}
    return json.dumps({key: value for key, value in made.items() if key != "sign"})


def _complete(call: Call) -> str:
    return json.dumps({key: call.get(key) for key in _KEYS})


def _wrapped(call: Call) -> str:
    conditions = [
        {"column": key, "is": call["sign"] if key == "year" else "equal", "value": call[key]}
        for key in ("genre", "country", "year")
        if key in call
    ]
    rest = {key: call[key] for key in ("lowest", "highest", "limit") if key in call}
    return json.dumps({"select": call["select"], "where": conditions, **rest})


def _term(call: Call) -> str:
    parts = [str(call["select"])]
    for key in call:
        if key == "year":
            parts.append(f"{call['sign']}(year, {call[key]})")
        elif key not in ("select", "sign"):
            parts.append(f"{key}({json.dumps(call[key])})")
    return f"find({', '.join(parts)})"


DESIGNS: Mapping[str, Callable[[Call], str]] = {
    "a key for each phrase": json.dumps,
    "a key for two phrases": _combined,
    "an object inside": _nested,
    "all keys, null if not said": _complete,
    "conditions with a wrapper": _wrapped,
    "calls": _term,
}


def rightly_answered(model: Parser, rows: Mapping[str, Call], write: Callable[[Call], str]) -> int:
    """Return how many answers are right by value: the order of keys does not count."""
    notation = NOTATIONS[model.notation]
    return sum(
        notation.equality(result.tokens, write(call), result.meaning).graph
        for result, call in zip(model.parse(rows), rows.values(), strict=True)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--draws", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    options.folder.mkdir(parents=True, exist_ok=True)
    shares = defaultdict[str, list[tuple[float, float]]](list)
    for draw in range(options.draws):
        random = Random(draw)
        train = questions(random, 100, new=False)
        like = {q: c for q, c in questions(random, 150, new=False).items() if q not in train}
        asked = like, questions(random, 60, new=True)
        for name, write in DESIGNS.items():
            data = options.folder / "train.tsv"
            lines = [f"{text}\t{write(call)}\n" for text, call in train.items()]
            data.write_text("".join(lines), encoding="utf-8")
            folder, settings = options.folder / "model", ["train.device=cpu"]
            model = api.train(data, folder, overrides=settings, replace_model=True)
            right = [rightly_answered(model, rows, write) for rows in asked]
            shares[name].append((100 * right[0] / len(like), 100 * right[1] / 60))
            print(draw, name, *(f"{share:.0f}" for share in shares[name][-1]), flush=True)
    for name, found in shares.items():
        first, new = (sum(column) / len(found) for column in zip(*found, strict=True))
        example = DESIGNS[name](train[next(q for q in train if "oldest" in q and "from" in q)])
        print(f"{name}: like train {first:.0f} %, new {new:.0f} %: {example}")


if __name__ == "__main__":
    main()
