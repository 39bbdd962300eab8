"""Measure exact match on folds of public corpora, with the nearest training row as a baseline.

    AMPARSER_PUBLIC=.. python tests/benchmarks/public.py jobs-funql --folds 0 1 --output runs/jobs

Only rows of train are used. Rows with the same sentence are in one fold, and an answer is right if
it equals any meaning of its sentence. `--longest` holds out the rows with the longest meanings.
`exact` compares by value. `sets` also ignores the order of arguments of functions that occur with
both orders in train or are named by `--unordered`. Wrong answers are written to
FOLDER/wrong-FOLD.tsv.

Confidence is measured by the area under the ROC curve (right against wrong answers), by the
calibration error (ten bins of equal size), and by the share of wrong answers, and of every third
line of foreign.txt, refused at the threshold that keeps 95 % of the right answers. `--pool` prints
these figures for the folds of several output folders together.
"""

import argparse
import csv
import gzip
import os
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import log
from pathlib import Path
from random import Random

import numpy as np
import torch

from amparser import api
from amparser.notations.registry import NOTATIONS

Row = tuple[str, str]


def rows_of(path: Path) -> list[Row]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return [(line[0], line[1]) for line in csv.reader(file, "excel-tab", quoting=3)]


def folds(rows: Sequence[Row], count: int, seed: int) -> Iterator[tuple[list[Row], list[Row]]]:
    """Yield training and held-out rows of each fold; rows with the same sentence stay together."""
    sentences = sorted({sentence for sentence, _ in rows})
    Random(seed).shuffle(sentences)
    for number in range(count):
        held = set(sentences[number::count])
        yield [r for r in rows if r[0] not in held], [r for r in rows if r[0] in held]


def longest(rows: Sequence[Row], count: int) -> tuple[list[Row], list[Row]]:
    """Return the other rows, and the `1 / count` of the rows with the longest meanings."""
    lengths = sorted((len(meaning.split()), sentence) for sentence, meaning in rows)
    held = {sentence for _, sentence in lengths[-len(rows) // count :]}
    return [r for r in rows if r[0] not in held], [r for r in rows if r[0] in held]


def nearest(learned: Sequence[Row], asked: Sequence[str]) -> list[str]:
    """Return the meaning of the training row most similar (tf-idf cosine) to each sentence."""
    bags = [Counter(sentence.lower().split()) for sentence, _ in learned]
    often = Counter(word for bag in bags for word in bag)

    def vector(bag: Counter[str]) -> dict[str, float]:
        weights = {w: n * log((1 + len(bags)) / (1 + often[w])) for w, n in bag.items()}
        size = sum(weight**2 for weight in weights.values()) ** 0.5
        return {word: weight / (size or 1.0) for word, weight in weights.items()}

    rows: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for number, bag in enumerate(bags):
        for word, weight in vector(bag).items():
            rows[word].append((number, weight))
    found = []
    for sentence in asked:
        likeness = Counter({0: 0.0})
        for word, weight in vector(Counter(sentence.lower().split())).items():
            for number, other in rows[word]:
                likeness[number] += weight * other
        found.append(learned[max(likeness, key=likeness.__getitem__)][1])
    return found


def confidence(found: Sequence[tuple[float, bool]], foreign: Sequence[float]) -> str:
    """Return the figures of confidence.

    Args:
        found: confidence of each answer, and True if it is right.
        foreign: confidences of the answers to foreign sentences.
    """
    given = np.array([p for p, _ in found])
    right = np.array([is_right for _, is_right in found])
    kept, wrong = given[right], given[~right]
    pairs = kept[:, None] - wrong[None, :]
    bins = np.array_split(np.argsort(given), 10)
    error = sum(abs(given[i].mean() - right[i].mean()) * len(i) for i in bins if len(i))
    least = np.quantile(kept, 0.05)
    return (
        f"AUROC {np.mean((pairs > 0) + 0.5 * (pairs == 0)):.3f}, "
        f"calibration error {error / len(given):.3f}, refused: wrong {np.mean(wrong < least):.2f}, "
        f"foreign {np.mean(np.array(foreign) < least):.2f}"
    )


def measure(
    learned: Sequence[Row],
    asked: Sequence[Row],
    folder: Path,
    name: str,
    settings: Sequence[str],
    unordered: Sequence[str],
) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    data = folder / f"train-{name}.tsv"
    data.write_text("".join(f"{s}\t{m}\n" for s, m in learned), encoding="utf-8")
    started = time.process_time()
    model = api.train(data, folder / f"model-{name}", overrides=["train.device=cpu", *settings])
    trained = time.process_time()
    gold: dict[str, list[str]] = defaultdict(list)
    for sentence, meaning in asked:
        gold[sentence].append(meaning)
    sentences = list(gold)
    results = model.parse(sentences)
    seconds = time.process_time() - trained
    known = [(model.tokenizer(sentence), meaning) for sentence, meaning in learned]
    notation = NOTATIONS[model.notation].comparing(known, unordered)
    guesses = nearest(learned, sentences)
    judged: list[tuple[float, bool]] = []
    right = dict.fromkeys(("exact", "sets", "nearest", "none"), 0)
    with (folder / f"wrong-{name}.tsv").open("w", encoding="utf-8") as file:
        for sentence, result, guess in zip(sentences, results, guesses, strict=True):
            answer = result.meaning
            tokens = model.tokenizer(sentence)
            meanings = [m for m in gold[sentence] if notation.is_readable(m)]
            weight = len(gold[sentence])
            found = [notation.equality(tokens, meaning, answer) for meaning in meanings]
            exact = any(one.reformatted for one in found)
            equal = any(one.graph for one in found)
            equal |= any(notation.same_sets(meaning, answer) for meaning in meanings)
            judged.append((result.confidence or 0.0, equal))
            right["exact"] += weight * exact
            right["sets"] += weight * equal
            right["nearest"] += weight * (guess in meanings)
            right["none"] += weight * (answer is None)
            if not equal:
                file.write("\t".join([sentence, *meanings[:1], str(answer)]) + "\n")
    strange = (Path(os.environ["AMPARSER_PUBLIC"]) / "foreign.txt").read_text().splitlines()[::3]
    foreign = [result.confidence or 0.0 for result in model.parse(strange)]
    table = np.array([*judged, *((p, 2) for p in foreign)], float)  # 2: foreign
    np.savetxt(folder / f"confidence-{name}.tsv", table, delimiter="\t")
    shares = ", ".join(f"{key} {100 * count / len(asked):.1f}" for key, count in right.items())
    return (
        f"{shares} of {len(asked)} rows; {len(learned)} rows in {trained - started:.0f} s of CPU, "
        f"{len(sentences) / seconds:.0f} sentences a second; {confidence(judged, foreign)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", nargs="?", help="a folder of AMPARSER_PUBLIC")
    parser.add_argument("--pool", nargs="+", type=Path, metavar="OUTPUT", help="folders to pool")
    parser.add_argument("--folds", nargs="+", type=int, default=[0])
    parser.add_argument("--of", type=int, default=5, help="folds in all")
    parser.add_argument("--longest", action="store_true", help="ask the longest meanings")
    parser.add_argument(
        "--rows", type=int, default=0, help="maximum number of training rows, drawn at random"
    )
    parser.add_argument("--output", type=Path)
    parser.add_argument("--unordered", nargs="*", default=[], help="functions without order")
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE", help="settings")
    options = parser.parse_args()
    if options.pool:
        files = [file for folder in options.pool for file in folder.glob("confidence-*.tsv")]
        table = np.concatenate([np.loadtxt(file) for file in files])
        answers = [(p, bool(kind)) for p, kind in table if kind < 2]
        print(f"{len(files)} folds:", confidence(answers, [p for p, kind in table if kind == 2]))
        return
    torch.set_num_threads(1)
    rows = rows_of(Path(os.environ["AMPARSER_PUBLIC"]) / options.corpus / "train.tsv.gz")
    parts = dict(enumerate(folds(rows, options.of, 0)))
    chosen = (
        {"longest": longest(rows, options.of)}
        if options.longest
        else {str(number): parts[number] for number in options.folds}
    )
    for name, (learned, asked) in chosen.items():
        kept = learned
        if options.rows:
            kept = Random(0).sample(learned, min(options.rows, len(learned)))
        found = measure(kept, asked, options.output, name, options.set, options.unordered)
        print(f"{options.corpus} {name}: {found}", flush=True)


if __name__ == "__main__":
    main()
