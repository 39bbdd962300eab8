"""Beyond the benchmark: families of sentences with meanings by construction.

    python tests/benchmarks/families.py [--model DIR] [--count 50] [--seed 1] [--json FILE]
        [--theme TEXT] [--wrong 3] [--examples 10 --write TRAIN.tsv]

A row of the table is a family of `families.toml`: how many sentences it has, how many analyses are
the gold one up to isomorphism, and how many questions agree with their statements: the answer put
in the place of `?` gives what the statement says. Agreement looks at the parser's own two
analyses, gold or not. Families marked `-` are not determined: train gives no evidence for their
shape. `--write` makes training rows of them, drawn with another seed.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import family_events as events
from family_draw import Draw
from family_events import Answer, Phrase, Row
from rich.console import Console
from rich.table import Table

from amparser.errors import LogicError
from amparser.logic.cogs import LogicalForm, logical_form_from_str, logical_form_to_str
from amparser.logic.equivalence import equivalent
from amparser.parser import Parser

TRAIN_SEED = 1_000_003
"""Training rows are drawn with another seed than those that are counted."""


class Item(NamedTuple):
    """A statement, and perhaps a question about it with its answer."""

    statement: Row
    question: Row | None = None
    answer: Answer | None = None

    @property
    def rows(self) -> tuple[Row, ...]:
        """The sentences that there are."""
        return (self.statement,) if self.question is None else (self.statement, self.question)


@dataclass(frozen=True)
class Family:
    """Sentences of one shape.

    Attributes:
        determined: whether train and the algebra leave one reading; if not, train gives no
            evidence for the shape.
        say: how events are said: `shortened`, `paused`, `fronted`, or as they are.
        coined: a word of each sentence is made up: see `Draw`.
    """

    theme: str
    name: str
    expression: str
    determined: bool = True
    tense: str = "PAST"
    say: str = ""
    coined: str = ""

    def items(self, count: int, seed: int) -> list[Item]:
        """So many different items."""
        found: dict[tuple[str, ...], Item] = {}
        for number in range(100 * count):
            draw = Draw(Random(f"{seed} {self.name} {number}"), self.coined)
            item = self._item(draw)
            if not draw.coined:
                found.setdefault(tuple(row.text for row in item.rows), item)
            if len(found) == count:
                break
        return list(found.values())

    def _item(self, draw: Draw) -> Item:
        event = draw.part(self.expression)
        if isinstance(event, Phrase):
            return Item(events.alone(event))
        asked, tense = draw.asked_for, getattr(events, self.tense)
        if self.say == "fronted":
            assert isinstance(asked, Phrase)
            return Item(events.preposed(event, asked))
        statement = self._said(draw, events.statement(event, tense))
        if asked is None:
            return Item(statement)
        question = self._said(draw, events.question(event, asked, tense))
        return Item(statement, question, events.answer(asked))

    def _said(self, draw: Draw, row: Row) -> Row:
        if self.say == "shortened":
            words = {"is": "'s", "did": "'d"}
            return replace(row, tokens=tuple(words.get(token, token) for token in row.tokens))
        if self.say == "paused":
            return events.hesitant(draw.random, row)
        return row


def families_of(theme: dict[str, Any]) -> list[Family]:
    """The families of a theme; of some, one for each depth or each kind of made-up word."""
    families = []
    about = {key: theme[key] for key in ("determined", "tense", "say") if key in theme}
    for name, expression in theme["families"].items():
        for depth in theme.get("depths", [None]):
            for coined in theme.get("coined", [""]):
                title = name if depth is None else f"{name}, depth {depth}"
                text = expression.replace("DEPTH", str(depth))
                one = Family(theme["name"], title or coined, text, coined=coined, **about)
                families.append(one)
    return families


_TEXT = Path(__file__).with_name("families.toml").read_text(encoding="utf-8")
FAMILIES = [one for theme in tomllib.loads(_TEXT)["themes"] for one in families_of(theme)]


@dataclass
class Counts:
    """The figures of one family."""

    family: Family
    sentences: int = 0
    right: int = 0
    pairs: int = 0
    agree: int = 0
    wrong: list[dict[str, str | None]] = field(default_factory=list)


def measured(parser: Parser, family: Family, items: Sequence[Item]) -> Counts:
    """Parse a family's sentences and compare them with gold, and with each other."""
    rows = [row for item in items for row in item.rows]
    results = parser.parse([row.tokens for row in rows])
    counts = Counts(family, len(rows))
    forms: dict[int, LogicalForm | None] = {}
    for row, result in zip(rows, results, strict=True):
        form = forms[id(row)] = _form(result.meaning)
        if form is not None and equivalent(row.form, form):
            counts.right += 1
            continue
        gold, found = logical_form_to_str(row.form), result.meaning or result.failure
        counts.wrong.append({"sentence": row.text, "gold": gold, "predicted": found})
    for item in items:
        if item.question is not None and item.answer is not None:
            counts.pairs += 1
            said, asked = forms[id(item.statement)], forms[id(item.question)]
            if said is not None and asked is not None:
                counts.agree += events.relations(said) == events.answered(asked, item.answer)
    return counts


def _form(meaning: str | None) -> LogicalForm | None:
    try:
        return logical_form_from_str(meaning or "")
    except LogicError:
        return None


def share(part: int, whole: int) -> str:
    """A percentage; empty where there is nothing."""
    return f"{100 * part / whole:.1f}" if whole else ""


def summary(counts: Iterable[Counts]) -> tuple[str, ...]:
    """The sums over families as cells of the table."""
    sums = [(one.sentences, one.right, one.pairs, one.agree) for one in counts]
    sentences, right, pairs, agree = map(sum, zip((0, 0, 0, 0), *sums, strict=True))
    return str(sentences), share(right, sentences), str(pairs), share(agree, pairs)


def show(counts: Sequence[Counts], wrong: int) -> None:
    """Print the table, and so many wrong analyses of each family."""
    console = Console(width=110)
    table = Table("family", "", "sentences", "right %", "pairs", "agree %")
    for theme in dict.fromkeys(one.family.theme for one in counts):
        table.add_section()
        here = [one for one in counts if one.family.theme == theme]
        for one in here:
            mark = "" if one.family.determined else "-"
            table.add_row(f"{theme}: {one.family.name}", mark, *summary([one]))
        clear = [one for one in here if one.family.determined]
        title = "all that are determined" if clear else "all"
        table.add_row(f"{theme}: {title}", "", *summary(clear or here))
    console.print(table)
    for one in counts:
        for row in one.wrong[:wrong]:
            print(f"\n{one.family.theme}: {one.family.name}\n  {row['sentence']}")
            print(f"  gold {row['gold']}\n  read {row['predicted']}")


def training_rows(families: Sequence[Family], count: int) -> list[str]:
    """So many lines of train for each theme, its families in turn."""
    lines = []
    for theme in dict.fromkeys(family.theme for family in families):
        drawn = [f.items(3 * count, TRAIN_SEED) for f in families if f.theme == theme]
        rows = [row for items in zip_longest(*drawn) for item in items if item for row in item.rows]
        lines += [f"{row.text}\t{logical_form_to_str(row.form)}\t{theme}" for row in rows[:count]]
    return lines


def main() -> None:
    """Print the table, or write training rows."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--model", type=Path, help="the model inside the package by default")
    arguments.add_argument("--count", type=int, default=50, help="items of each family")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--theme", default="", help="only themes whose name contains this")
    arguments.add_argument("--wrong", type=int, default=0, help="wrong analyses to print")
    arguments.add_argument("--json", type=Path, help="figures and wrong analyses")
    arguments.add_argument("--write", type=Path, help="write training rows here instead")
    arguments.add_argument("--examples", type=int, default=10, help="training rows of each theme")
    options = arguments.parse_args()
    families = [family for family in FAMILIES if options.theme in family.theme]
    if options.write is not None:
        lines = training_rows([f for f in families if not f.determined], options.examples)
        options.write.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return
    parser = Parser.load(options.model)
    counts = [measured(parser, one, one.items(options.count, options.seed)) for one in families]
    show(counts, options.wrong)
    if options.json is not None:
        text = json.dumps([asdict(one) for one in counts], ensure_ascii=False, indent=1)
        options.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
