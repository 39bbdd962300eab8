"""Evaluate models of own data on accuracy, careless typing and refusal.

    python tests/benchmarks/own_language.py robots=runs/robots,robots/dev.tsv,robots/gen.tsv ..
        --foreign pmb4/dev.penman.gz

Each argument consists of a name, a model folder, a file of held-out rows and, optionally, a file of
rows with unseen combinations. A model's foreign sentences are the other models' held-out sentences
and the files of `--foreign`. Two tables are printed:

- percent of right answers, and points lost in lower case without final punctuation;
- the confidence threshold that keeps 98 % of the right answers to held-out rows, and with it the
  percent of right answers to unseen combinations kept and of foreign sentences refused.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from amparser.calibration import is_right
from amparser.corpora.example import Example
from amparser.corpora.reading import read_examples
from amparser.corpora.tokens import ENDS
from amparser.evaluation.gold import read_gold
from amparser.parser import Parser
from amparser.results import Result

MOST = 300
"""Maximum number of sentences per file."""
KEPT = 0.98


class Asked(NamedTuple):
    result: Result
    right: bool

    @property
    def confidence(self) -> float:
        return self.result.confidence or 0.0


class Case(NamedTuple):
    name: str
    parser: Parser
    held: Sequence[Example]
    unseen: Sequence[Example]


def case_of(text: str) -> Case:
    name, _, paths = text.partition("=")
    model, held, *unseen = paths.split(",")
    parser = Parser.load(model)
    rows = [sampled(read_gold(Path(path), parser)) for path in (held, *unseen)]
    return Case(name, parser, rows[0], rows[1] if unseen else ())


def sampled(examples: Sequence[Example]) -> list[Example]:
    """Return a random sample of at most `MOST` examples."""
    return Random(0).sample(list(examples), min(MOST, len(examples)))


def asked(parser: Parser, texts: Sequence[str], examples: Sequence[Example] = ()) -> list[Asked]:
    results = parser.parse(texts)
    if not examples:
        return [Asked(result, right=False) for result in results]
    pairs = zip(examples, results, strict=True)
    return [Asked(result, is_right(parser, example, result)) for example, result in pairs]


def carelessly(text: str) -> str:
    return text.lower().rstrip("".join(ENDS) + " ")


def percent(values: Sequence[bool]) -> float:
    return 100 * sum(values) / max(len(values), 1)


def typing(case: Case, held: Sequence[Asked], unseen: Sequence[Asked]) -> list[str]:
    texts = [one.sentence for one in case.held]
    right = percent([one.right for one in held])
    careless = asked(case.parser, [carelessly(text) for text in texts], case.held)
    lost = right - percent([one.right for one in careless])
    combinations = f"{percent([one.right for one in unseen]):.1f}" if unseen else ""
    return [f"{right:.1f}", combinations, f"{lost:.1f}"]


def refusal(held: Sequence[Asked], unseen: Sequence[Asked], foreign: Sequence[Asked]) -> list[str]:
    least = np.quantile([one.confidence for one in held if one.right], 1 - KEPT, method="lower")
    known = [one.confidence >= least for one in unseen if one.right]
    refused = percent([one.confidence < least for one in foreign])
    kept = f"{percent(known):.1f}" if unseen else ""
    return [f"{least:.3f}", kept, f"{refused:.1f}"]


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---", *["--:"] * (len(heads) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="+", metavar="NAME=MODEL,HELD[,UNSEEN]")
    parser.add_argument("--foreign", type=Path, nargs="*", default=[], help="further sentences")
    arguments = parser.parse_args()
    cases = [case_of(text) for text in arguments.cases]
    others = [one for path in arguments.foreign for one in sampled(read_examples(path))]
    typed, refused = [], []
    for case in cases:
        held, unseen = (
            asked(case.parser, [one.sentence for one in rows], rows)
            for rows in (case.held, case.unseen)
        )
        rest = [one for other in cases if other is not case for one in other.held]
        foreign = asked(case.parser, [one.sentence for one in sampled([*rest, *others])])
        typed.append([case.name, *typing(case, held, unseen)])
        refused.append([case.name, *refusal(held, unseen, foreign)])
    print(table(("", "like train", "unseen", "careless"), typed))
    print(table(("", "threshold", "unseen kept", "foreign refused"), refused))


if __name__ == "__main__":
    main()
