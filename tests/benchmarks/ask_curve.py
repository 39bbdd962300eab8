"""Compare questions chosen by `amparser ask` with random ones, by exact match on held-out rows.

    AMPARSER_PUBLIC=.. python tests/benchmarks/ask_curve.py ha-en jobs-funql --output runs/ask

A third of the sentences of train is held out. A model is trained on some of the other sentences and
parses the rest, which play the role of a program's log. Questions about the log are chosen by
`most_instructive` or at random and answered with gold meanings; `train --start` then continues on
the answers and the earlier rows.
"""

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random

import torch
from public import Row, folds, rows_of

from amparser import api
from amparser.misses import most_instructive
from amparser.notations.registry import NOTATIONS
from amparser.parser import Parser


def trained(rows: Sequence[Row], folder: Path, start: Path | None = None) -> tuple[Parser, float]:
    data = folder.with_suffix(".tsv")
    data.write_text("".join(f"{s}\t{m}\n" for s, m in rows), encoding="utf-8")
    begun = time.process_time()
    settings = ["train.device=cpu"] + ([f"train.start={start}"] if start else [])
    model = api.train(data, folder, overrides=settings, replace_model=True)
    return model, time.process_time() - begun


def exact(model: Parser, asked: Sequence[Row]) -> float:
    gold: dict[str, list[str]] = defaultdict(list)
    for sentence, meaning in asked:
        gold[sentence].append(meaning)
    notation = NOTATIONS[model.notation]
    right = 0
    for sentence, result in zip(gold, model.parse(gold), strict=True):
        tokens = tuple(model.tokenizer(sentence))
        readable = [*filter(notation.is_readable, gold[sentence])]
        right += any(notation.equality(tokens, one, result.meaning).graph for one in readable)
    return 100 * right / len(gold)


def measure(name: str, number: int, options: argparse.Namespace) -> str:
    """Return a line with exact match before and after training on the answers, for one fold."""
    rows = rows_of(Path(os.environ["AMPARSER_PUBLIC"]) / name / "train.tsv.gz")
    others, tested = list(folds(rows, options.of, 0))[number]
    Random(number).shuffle(others)
    known = others[: options.rows]
    seen = {sentence for sentence, _ in known}
    meanings = dict(row for row in others if row[0] not in seen)
    folder = options.output / f"{name}-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    model, seconds = trained(known, folder / "known")
    found = {"before": exact(model, tested)}
    taken = {
        "asked": most_instructive(
            model.with_options(k_best=3, allow_unknown=True).parse(meanings), options.budget
        )
    }
    sentences = {key: [str(one.text) for one in some] for key, some in taken.items()}
    for draw in range(options.draws):
        sentences[f"random {draw}"] = Random(draw).sample(list(meanings), options.budget)
    for key, some in sentences.items():
        more = [(sentence, meanings[sentence]) for sentence in some]
        later, took = trained([*known, *more], folder / key.replace(" ", "-"), folder / "known")
        found[key] = exact(later, tested)
    shown = ", ".join(f"{key} {share:.1f}" for key, share in found.items())
    return (
        f"{name} {number}: {shown} of {len(tested)} rows; {len(known)} rows known, "
        f"{len(meanings)} in the log; {seconds:.0f} s of CPU, then {took:.0f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="+", help="folders of AMPARSER_PUBLIC")
    parser.add_argument("--folds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--of", type=int, default=3, help="folds in all")
    parser.add_argument("--rows", type=int, default=100, help="rows that the model knows")
    parser.add_argument("--budget", type=int, default=20, help="questions")
    parser.add_argument("--draws", type=int, default=2, help="random choices")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    for number in options.folds:
        for name in options.corpora:
            print(measure(name, number, options), flush=True)


if __name__ == "__main__":
    main()
