"""Beyond the benchmark: families of sentences with meanings by construction.

    python tests/benchmarks/families.py [--model DIR] [--count 50] [--seed 1] [--json FILE]
        [--theme TEXT] [--plain] [--wrong 3] [--examples 10 --write TRAIN.tsv]

A row of the table is a family: how many sentences it has, how many analyses are the gold one up to
isomorphism, and how many questions agree with their statements: the answer put in the place
of `?` gives what the statement says. Agreement looks at the parser's own two analyses, gold or not.
Families marked `-` are not determined: train gives no evidence for their shape. `--write` makes
training rows of them, drawn with another seed. `--plain` leaves out questions and relative
clauses, which COGS does not have.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from families_complements import CLAUSES, CONTROL
from families_questions import ACTIVES, PASSIVES
from families_relatives import MIXED, RELATIVES
from families_surface import FRONTED, PAUSES, SHORTENED, TENSE
from family_events import Row, answered, relations
from family_registry import Family, Item, all_of
from rich.console import Console
from rich.table import Table

from amparser.errors import LogicError
from amparser.logic.cogs import LogicalForm, logical_form_from_str, logical_form_to_str
from amparser.logic.equivalence import equivalent
from amparser.parser import Parser

THEMES = (
    ACTIVES,
    PASSIVES,
    CLAUSES,
    CONTROL,
    RELATIVES,
    MIXED,
    TENSE,
    SHORTENED,
    PAUSES,
    FRONTED,
)
FAMILIES = all_of(THEMES)
TRAIN_SEED = 1_000_003
"""Training rows are drawn with another seed than those that are counted."""


@dataclass
class Counts:
    """The figures of one family."""

    family: Family
    sentences: int = 0
    right: int = 0
    pairs: int = 0
    agree: int = 0
    wrong: list[dict[str, str | None]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "theme": self.family.theme,
            "family": self.family.name,
            "determined": self.family.determined,
            "sentences": self.sentences,
            "right": self.right,
            "pairs": self.pairs,
            "agree": self.agree,
            "wrong": self.wrong,
        }


def measured(parser: Parser, family: Family, items: Sequence[Item]) -> Counts:
    """Parse a family's sentences and compare them with gold, and with each other."""
    rows = [row for item in items for row in item.rows]
    results = parser.parse([row.tokens for row in rows])
    found = dict(zip(map(id, rows), results, strict=True))
    counts = Counts(family)

    def form_of(row: Row) -> LogicalForm | None:
        try:
            return logical_form_from_str(found[id(row)].meaning or "")
        except LogicError:
            return None

    for row in rows:
        form = form_of(row)
        counts.sentences += 1
        if form is not None and equivalent(row.form, form):
            counts.right += 1
            continue
        result = found[id(row)]
        counts.wrong.append(
            {
                "sentence": row.text,
                "gold": logical_form_to_str(row.form),
                "predicted": result.meaning,
                "failure": result.failure,
            }
        )
    for item in items:
        if item.statement is None or item.question is None or item.answer is None:
            continue
        counts.pairs += 1
        said, asked = form_of(item.statement), form_of(item.question)
        if said is not None and asked is not None:
            counts.agree += relations(said) == answered(asked, item.answer)
    return counts


def is_plain(row: Row) -> bool:
    """Whether a sentence is a statement without relative clauses."""
    relative = any(a.predicate[-1] == "nmod" for a in row.form.atoms)
    return row.tokens[-1] != "?" and not relative


def items_of(family: Family, count: int, seed: int, plain: bool = False) -> list[Item]:
    """Items of a family; of plain sentences alone if that is wanted."""
    items = family.items(count, seed)
    if plain:
        statements = [i.statement for i in items if i.statement and is_plain(i.statement)]
        return [Item(row) for row in statements]
    return items


def share(part: int, whole: int) -> str:
    """A percentage; empty where there is nothing."""
    return f"{100 * part / whole:.1f}" if whole else ""


def summary(title: str, counts: Iterable[Counts]) -> tuple[str, ...]:
    """The sums over families as a row of the table."""
    counts = list(counts)
    sentences, right, pairs, agree = (
        sum(getattr(one, name) for one in counts)
        for name in ("sentences", "right", "pairs", "agree")
    )
    return title, "", str(sentences), share(right, sentences), str(pairs), share(agree, pairs)


def show(counts: Sequence[Counts], wrong: int) -> None:
    """Print the table, and so many wrong analyses of each family."""
    console = Console(width=110)
    table = Table("family", "", "sentences", "right %", "pairs", "agree %")
    for theme in dict.fromkeys(one.family.theme for one in counts):
        table.add_section()
        for one in counts:
            if one.family.theme == theme:
                name = f"{theme}: {one.family.name}"
                mark = "" if one.family.determined else "-"
                table.add_row(name, mark, *summary("", [one])[2:])
    table.add_section()
    table.add_row(*summary("determined", [one for one in counts if one.family.determined]))
    table.add_row(*summary("not determined", [one for one in counts if not one.family.determined]))
    console.print(table)
    for one in counts:
        for row in one.wrong[:wrong]:
            print(f"\n{one.family.theme}: {one.family.name}\n  {row['sentence']}")
            print(f"  gold {row['gold']}\n  read {row['predicted'] or row['failure']}")


def training_rows(families: Sequence[Family], count: int, plain: bool = False) -> list[str]:
    """So many lines of train for each theme, its families in turn."""
    lines = []
    for theme in dict.fromkeys(family.theme for family in families):
        drawn = [items_of(f, 3 * count, TRAIN_SEED, plain) for f in families if f.theme == theme]
        turns = zip_longest(*drawn)
        rows = [row for items in turns for item in items if item for row in item.rows]
        lines += [f"{row.text}\t{logical_form_to_str(row.form)}\t{theme}" for row in rows[:count]]
    return lines


def main() -> None:
    """Print the table, or write training rows."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--model", type=Path, help="the model inside the package by default")
    arguments.add_argument("--count", type=int, default=50, help="items of each family")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--theme", help="only themes whose name contains this")
    arguments.add_argument("--plain", action="store_true", help="no questions, no relative clauses")
    arguments.add_argument("--wrong", type=int, default=0, help="wrong analyses to print")
    arguments.add_argument("--json", type=Path, help="figures and wrong analyses")
    arguments.add_argument("--write", type=Path, help="write training rows here instead")
    arguments.add_argument("--examples", type=int, default=10, help="training rows of each theme")
    options = arguments.parse_args()
    families = [family for family in FAMILIES if (options.theme or "") in family.theme]
    if options.write is not None:
        chosen = [family for family in families if not family.determined]
        lines = training_rows(chosen, options.examples, options.plain)
        options.write.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return
    parser = Parser.load(options.model)
    counts = []
    for family in families:
        if items := items_of(family, options.count, options.seed, options.plain):
            counts.append(measured(parser, family, items))
    show(counts, options.wrong)
    if options.json is not None:
        content = {
            "seed": options.seed,
            "count": options.count,
            "families": [one.to_dict() for one in counts],
        }
        options.json.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
