"""Probes beyond the benchmark: words never seen, recursion to depth 30, sentences by hand.

    python tests/benchmarks/probes.py --data SLOG_DIR [--model DIR] [--seed 1] [--output JSON]

A probe is right when the analysis is isomorphic to the gold one, lemmas included;
the second figure leaves the nonce word's lemma out of account. Rows that end in
"agent or theme alone" are sentences like "The girl flooshed .", where nothing but the
verb could tell which of the two roles its one argument has: no target applies to them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from probe_nonce import nonce_probes
from probe_recursion import recursive_probes
from probe_sentences import hand_probes
from probe_words import Probe, Words, names_of, nouns_of, verbs_of, with_lemma, with_name

from amparser.corpora.reading import read_examples
from amparser.corpora.splits import split_files
from amparser.errors import LogicError
from amparser.logic.cogs import LogicalForm, logical_form_from_str
from amparser.logic.equivalence import equivalent
from amparser.parser import Parser

DEPTHS = (5, 10, 15, 20, 25, 30)


@dataclass(frozen=True)
class Answer:
    """What a parser made of a probe."""

    probe: Probe
    predicted: str | None
    failure: str | None

    @property
    def right(self) -> bool:
        """Whether the analysis is the gold one."""
        found = self._found()
        return found is not None and equivalent(self.probe.gold, found)

    @property
    def right_but_for_lemma(self) -> bool:
        """Whether it is, or would be with the nonce word's lemma put right."""
        found = self._found()
        if found is None or not self.probe.nonce:
            return self.right
        return equivalent(self.probe.gold, _with_nonce(found, self.probe))

    def _found(self) -> LogicalForm | None:
        try:
            return None if self.predicted is None else logical_form_from_str(self.predicted)
        except LogicError:
            return None


def answers(parser: Parser, probes: Sequence[Probe]) -> list[Answer]:
    """Parse the probes."""
    parsed = parser.parse([probe.tokens for probe in probes])
    return [
        Answer(probe, result.meaning, result.failure)
        for probe, result in zip(probes, parsed, strict=True)
    ]


def _with_nonce(found: LogicalForm, probe: Probe) -> LogicalForm:
    """A logical form with the nonce word at its place, whatever lemma stood there."""
    wanted = probe.gold
    if probe.nonce in names_of(wanted):
        place = probe.tokens.index(probe.nonce)
        strange = [name for name in names_of(found) if name not in names_of(wanted)]
        return with_name(found, strange[0], probe.tokens[place]) if strange else found
    for position, lemma in [*nouns_of(wanted), *((v.position, v.lemma) for v in verbs_of(wanted))]:
        if lemma == probe.nonce:
            return with_lemma(found, position, lemma)
    return found


def table(found: Iterable[Answer]) -> dict[str, dict[str, Any]]:
    """For each kind: how many, how many right, and the wrong ones."""
    rows: dict[str, dict[str, Any]] = {}
    for answer in found:
        row = rows.setdefault(
            answer.probe.kind, {"count": 0, "right": 0, "right_but_for_lemma": 0, "wrong": []}
        )
        row["count"] += 1
        row["right"] += answer.right
        row["right_but_for_lemma"] += answer.right_but_for_lemma
        if not answer.right:
            row["wrong"].append(
                {
                    "sentence": " ".join(answer.probe.tokens),
                    "gold": str(answer.probe.gold),
                    "predicted": answer.predicted,
                    "failure": answer.failure,
                }
            )
    return rows


def _show(title: str, rows: dict[str, dict[str, Any]]) -> None:
    print(f"\n{title:40}{'count':>7}{'right %':>9}{'but for lemma %':>17}")
    for kind, row in rows.items():
        count = row["count"]
        shares = [100 * row[key] / count for key in ("right", "right_but_for_lemma")]
        print(f"{kind:40}{count:7d}{shares[0]:9.1f}{shares[1]:17.1f}")


def main() -> None:
    """Print the tables."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--model", type=Path, help="the model inside the package by default")
    arguments.add_argument("--data", type=Path, required=True, help="SLOG's logical forms")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=1000, help="sentences for each nonce row")
    arguments.add_argument("--output", type=Path, help="figures and wrong parses as JSON")
    options = arguments.parse_args()
    parser = Parser.load(options.model)
    files = split_files(options.data)
    words = Words.from_examples(read_examples(files["train"]))
    sections = {
        f"words never seen, {name}": nonce_probes(
            read_examples(path), words, count=options.count, seed=options.seed
        )
        for name, path in files.items()
        if name not in ("train", "dev")
    }
    sections["recursion"] = recursive_probes(words, depths=DEPTHS, count=50, seed=options.seed)
    sections["by hand"] = hand_probes(words.lemmas)
    figures = {}
    for title, probes in sections.items():
        figures[title] = table(answers(parser, probes))
        _show(title, figures[title])
    for row in figures["by hand"].values():
        for wrong in row["wrong"]:
            print(f"\n{wrong['sentence']}\n  gold {wrong['gold']}")
            print(f"  read {wrong['predicted'] or wrong['failure']}")
    if options.output is not None:
        content = {"seed": options.seed, "figures": figures}
        options.output.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
