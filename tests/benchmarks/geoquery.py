"""Cross-validation inside GeoQuery's train splits, with which settings are chosen.

    python tests/benchmarks/geoquery.py DIR --splits standard length --folds 4 --repeat 2 \
        --set train.epochs=50 heads.dropout=0.2

`--words 9` learns from the questions of up to nine tokens and asks for the longer ones instead;
`--diverge` asks for a third with other pairs of functions than the rest has (`diverging`);
`--rare` asks for functions that are left with one question each (`once_each`);
`--mixed` folds have forms of meanings in common, which else keep together;
`--language endings` asks as another language might, made of English by rules, without alignments:
`words` writes all words but names in another alphabet; `alphabet` writes names in it, too, so
that none can be copied; `backwards` turns the order around; `endings` makes prepositions endings
of what follows and drops articles.

DIR has a folder for each split with `train.jsonl`. The test files stay closed: a model is
trained on all folds but one and asked for the rest, with several shufflings. Figures on test
come from `amparser experiment --benchmark geoquery`.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import mean, stdev
from tempfile import TemporaryDirectory

import torch

from amparser.compositions.settings import TreeSettings
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.reading import read_examples
from amparser.graph.sgraph import SGraph
from amparser.learn.settings import with_overrides
from amparser.notations.term import TERM
from amparser.parser_system import AMPARSER
from amparser.results import Result

_SWAPS = 20_000
_SOME = range(4, 46)
"""A function in so many questions may be left with one."""


_LATIN = "abcdefghijklmnopqrstuvwxyz"
_GREEK = str.maketrans(
    _LATIN + _LATIN.upper(), "αβγδεζηθικλμνξοπρστυφχψωϋϊ" + "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΫΪ"
)
_ENDINGS = {"in": "da", "of": "in", "through": "dan", "the": ""}


def _is_name(tokens: Sequence[str], token: int) -> bool:
    """Whether a token inside a sentence has a capital."""
    return 0 < token < len(tokens) and tokens[token][0].isupper()


def _words(tokens: Sequence[str]) -> list[str]:
    return [t if _is_name(tokens, i) else t.translate(_GREEK) for i, t in enumerate(tokens)]


def _alphabet(tokens: Sequence[str]) -> list[str]:
    return [token.translate(_GREEK) for token in tokens]


def _backwards(tokens: Sequence[str]) -> list[str]:
    parts: list[list[str]] = []
    for i, token in enumerate(tokens[:-1]):
        if _is_name(tokens, i) and _is_name(tokens, i - 1):
            parts[-1].append(token)
        else:
            parts.append([token])
    return [*(token for part in reversed(parts) for token in part), *tokens[-1:]]


def _endings(tokens: Sequence[str]) -> list[str]:
    found: list[str] = []
    ending = ""
    for i, token in enumerate(tokens):
        if token.lower() in _ENDINGS:
            ending = _ENDINGS[token.lower()] or ending
        elif (_is_name(tokens, i) and _is_name(tokens, i + 1)) or not token.isalnum():
            found.append(token)
        else:
            found.append(token + ending)
            ending = ""
    return found


LANGUAGES: dict[str, Callable[[Sequence[str]], list[str]]] = {
    "words": _words,
    "alphabet": _alphabet,
    "backwards": _backwards,
    "endings": _endings,
}


def spoken(row: Example, language: str) -> Example:
    """A question in one of the `LANGUAGES`, without its alignment."""
    tokens = tuple(LANGUAGES[language](row.tokens))
    return replace(row, tokens=tokens, alignment=None)


def folds(
    rows: Sequence[Example], count: int, seed: int, mixed: bool = False
) -> list[tuple[list[Example], list[Example]]]:
    """Folds in which the forms of meanings (literals left out) keep together, or none do."""
    groups: dict[str, list[Example]] = {}
    for number, row in enumerate(rows):
        key = " ".join(names_of(TERM.graph(row.tokens, row.meaning or "")).values())
        groups.setdefault(str(number) if mixed else key, []).append(row)
    order = sorted(groups)
    Random(seed).shuffle(order)
    parts: list[list[Example]] = [[] for _ in range(count)]
    for key in order:
        min(parts, key=len).extend(groups[key])
    return [
        ([row for j, part in enumerate(parts) if j != i for row in part], parts[i])
        for i in range(count)
    ]


def names_of(graph: SGraph) -> dict[int, str]:
    """The labels of nodes; all literals have the same."""
    labels = {number: node.label or "" for number, node in graph.nodes.items()}
    return {number: "'" if label[:1] == "'" else label for number, label in labels.items()}


def by_length(rows: Sequence[Example], most: int) -> tuple[list[Example], list[Example]]:
    """The rows of at most so many tokens, and the longer ones."""
    short = [row for row in rows if len(row.tokens) <= most]
    return short, [row for row in rows if len(row.tokens) > most]


def diverging(
    rows: Sequence[Example], seed: int, share: float = 1 / 3, enough: float = 0.3
) -> tuple[list[Example], list[Example]]:
    """Two parts whose pairs of functions differ much, while one has all functions of the other.

    Swaps rows while that makes the divergence of compounds grow, up to `enough` (Keysers et al.
    2020: one less the Chernoff coefficient with alpha 0.1); atoms of what is asked keep
    occurring in what is learned (Shaw et al. 2021). Literals are one atom. The published split
    of TMCD has 0.17.
    """
    random = Random(seed)
    pairs = [compounds(row) for row in rows]
    atoms = [{atom for pair in found for atom in pair} for found in pairs]
    order = list(range(len(rows)))
    random.shuffle(order)
    cut = round(share * len(rows))
    test, learn = order[:cut], order[cut:]
    counts = [sum((pairs[i] for i in part), Counter()) for part in (learn, test)]
    known = Counter(atom for i in learn for atom in atoms[i])
    best = (-len({atom for k in test for atom in atoms[k]} - known.keys()), divergence(*counts))
    for _ in range(_SWAPS):
        if best[0] == 0 and best[1] >= enough:
            break
        a, b = random.randrange(len(learn)), random.randrange(len(test))
        i, j = learn[a], test[b]
        after = known + Counter(atoms[j]) - Counter(atoms[i])
        needed = {atom for k in test if k != j for atom in atoms[k]} | atoms[i]
        moved = [counts[0] - pairs[i] + pairs[j], counts[1] - pairs[j] + pairs[i]]
        value = (-len(needed - after.keys()), divergence(*moved))
        if value > best:
            best, counts, known = value, moved, after
            learn[a], test[b] = j, i
    return [rows[i] for i in learn], [rows[i] for i in test]


def once_each(rows: Sequence[Example], seed: int) -> tuple[list[Example], list[Example]]:
    """A part that has one row of each of some functions, and the other rows with these."""
    random = Random(seed)
    functions = [
        set(names_of(TERM.graph(row.tokens, row.meaning or "")).values()) - {"'", "_", "all"}
        for row in rows
    ]
    counts = Counter(function for found in functions for function in found)
    some = sorted(function for function, count in counts.items() if count in _SOME)
    missing = set(random.sample(some, len(some) // 3))
    chosen = frozenset(missing)
    order = list(range(len(rows)))
    random.shuffle(order)
    asked = set()
    for i in order:
        if functions[i] & chosen and not functions[i] & missing:
            asked.add(i)
        missing -= functions[i]
    return (
        [row for i, row in enumerate(rows) if i not in asked],
        [row for i, row in enumerate(rows) if i in asked],
    )


def compounds(row: Example) -> Counter[tuple[str, str]]:
    """Each function with a function or literal below it, of a row's meaning."""
    graph = TERM.graph(row.tokens, row.meaning or "")
    names = names_of(graph)
    return Counter((names[edge.parent], names[edge.child]) for edge in graph.edges)


def divergence(one: Counter[tuple[str, str]], other: Counter[tuple[str, str]]) -> float:
    """One less the Chernoff coefficient (alpha 0.1) of two distributions."""
    n, m = one.total(), other.total()
    shared = (float((count / n) ** 0.1 * (other[key] / m) ** 0.9) for key, count in one.items())
    return 1 - sum(shared)


def trained_and_asked(
    learn: Sequence[Example], test: Sequence[Example], settings: TreeSettings
) -> list[Result]:
    """The answers to one fold."""
    with TemporaryDirectory() as folder:
        model = AMPARSER.train(Corpus(learn, (), "term"), settings, Path(folder))
        [answers] = model.answers([row.tokens for row in test]).values()
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--splits", nargs="+", default=["standard", "template", "length", "tmcd"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--mixed", action="store_true", help="folds with forms in common")
    parser.add_argument("--parts", type=int, default=0, help="only so many folds")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument(
        "--words", type=int, nargs="+", help="learn from rows of so many, ask longer"
    )
    parser.add_argument(
        "--diverge", type=int, nargs="+", metavar="SEED", help="ask for other pairs of functions"
    )
    parser.add_argument(
        "--rare", type=int, nargs="+", metavar="SEED", help="ask for functions left with one row"
    )
    parser.add_argument("--language", choices=sorted(LANGUAGES), help="ask in another language")
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE")
    parser.add_argument("--wrong", type=Path, help="write wrong answers to this file")
    options = parser.parse_args()
    torch.set_num_threads(1)
    for split in options.splits:
        rows = read_examples(options.folder / split / "train.jsonl")
        if options.words:
            parts = [by_length(rows, most) for most in options.words]
        elif options.diverge:
            parts = [diverging(rows, seed) for seed in options.diverge]
        elif options.rare:
            parts = [once_each(rows, seed) for seed in options.rare]
        else:
            parts = [
                p
                for r in range(options.repeat)
                for p in folds(rows, options.folds, r, options.mixed)
            ]
        if options.language:
            parts = [
                (
                    [spoken(row, options.language) for row in a],
                    [spoken(row, options.language) for row in b],
                )
                for a, b in parts
            ]
        figures = []
        for number, (learn, test) in enumerate(parts[: options.parts or None]):
            for seed in options.seeds:
                overrides = ["train.device=cpu", *options.set, f"train.seed={seed}"]
                started = time.perf_counter()
                settings = with_overrides(TreeSettings(), overrides)
                answers = trained_and_asked(learn, test, settings)
                pairs = list(zip(test, answers, strict=True))
                right = sum(result.meaning == row.meaning for row, result in pairs)
                figures.append(100 * right / len(test))
                seconds = time.perf_counter() - started
                none = sum(result.meaning is None for result in answers)
                print(
                    f"{split} part {number} seed {seed}: exact {figures[-1]:.1f} of {len(test)}"
                    f" ({seconds:.0f} s, none {none})",
                    flush=True,
                )
                if options.wrong:
                    with options.wrong.open("a", encoding="utf-8") as file:
                        for row, result in pairs:
                            if result.meaning != row.meaning:
                                file.write(f"{split}\t{seed}\t{row.sentence}\n")
                                file.write(f"  gold {row.meaning}\n  sys  {result.meaning}\n")
        spread = stdev(figures) if len(figures) > 1 else 0.0
        print(f"{split}: mean {mean(figures):.2f}, sd {spread:.2f}, {len(figures)} runs")


if __name__ == "__main__":
    main()
