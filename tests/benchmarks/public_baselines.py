"""Measure two baselines on the folds of `public.py`: linear SVMs and a Transformer from scratch.

    pip install scikit-learn
    AMPARSER_PUBLIC=.. python tests/benchmarks/public_baselines.py jobs-funql --output runs/jobs

The SVMs predict the node at each path of the meaning's graph from word n-grams (n up to 3). The
Transformer is `amparser train --system transformer` with its defaults. Both are compared with gold
as `sets` of `public.py`.
"""

import argparse
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from public import Row, folds, longest, rows_of

from amparser import api
from amparser.corpora.tokens import tokenize
from amparser.graph.sgraph import SGraph
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS

Paths = dict[tuple[str, ...], str]


def paths(graph: SGraph) -> Paths:
    """Return the label at each path from the root; alike edges of a node are numbered."""
    below: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for edge in graph.edges:
        below[edge.parent].append((edge.label, edge.child))
    labels: Paths = {}

    def visit(node: int, path: tuple[str, ...]) -> None:
        labels[path] = graph.nodes[node].label or ""
        seen: Counter[str] = Counter()
        for label, child in sorted(below[node], key=lambda item: item[0]):
            seen[label] += 1
            visit(child, (*path, f"{label} {seen[label]}"))

    visit(graph.root, ())
    return labels


def svm_share(notation: Notation, learned: Sequence[Row], asked: Sequence[Row]) -> float:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.svm import LinearSVC

    def of(row: Row) -> Paths:
        return paths(notation.graph(tokenize(row[0]), row[1]))

    words = CountVectorizer(ngram_range=(1, 3), token_pattern=r"[^\s,]+", binary=True)
    readable = [row for row in learned if notation.is_readable(row[1])]
    known = [of(row) for row in readable]
    train = words.fit_transform([sentence.lower() for sentence, _ in readable])
    gold: dict[str, list[Paths]] = defaultdict(list)
    for row in asked:
        gold[row[0]] += [of(row)] if notation.is_readable(row[1]) else []
    test = words.transform([sentence.lower() for sentence in gold])
    guesses: list[Paths] = [{} for _ in gold]
    for path in sorted({path for labels in known for path in labels}):
        values = [labels.get(path, "-") for labels in known]
        answers = (
            [values[0]] * len(gold)
            if len(set(values)) == 1
            else LinearSVC().fit(train, values).predict(test)
        )
        for guess, value in zip(guesses, answers, strict=True):
            if value != "-":
                guess[path] = str(value)
    counts = Counter(sentence for sentence, _ in asked)
    right = [s for s, guess in zip(gold, guesses, strict=True) if guess in gold[s]]
    return sum(counts[sentence] for sentence in right) / len(asked)


def transformer_share(notation: Notation, data: Path, model: Path, asked: Sequence[Row]) -> float:
    trained = api.train(data, model, system="transformer", overrides=["train.device=cpu"])
    gold: dict[str, list[str]] = defaultdict(list)
    for sentence, meaning in asked:
        gold[sentence].append(meaning)
    [results] = trained.answers([tokenize(sentence) for sentence in gold]).values()

    def is_right(sentence: str, answer: str | None) -> bool:
        return any(
            notation.equality(tokenize(sentence), meaning, answer).graph
            or notation.same_sets(meaning, answer)
            for meaning in gold[sentence]
            if notation.is_readable(meaning)
        )

    answers = zip(gold, results, strict=True)
    return sum(len(gold[s]) * is_right(s, result.meaning) for s, result in answers) / len(asked)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", help="a folder of AMPARSER_PUBLIC")
    parser.add_argument("--longest", action="store_true", help="ask the longest meanings")
    parser.add_argument("--systems", nargs="+", default=["svm", "transformer"])
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows = rows_of(Path(os.environ["AMPARSER_PUBLIC"]) / options.corpus / "train.tsv.gz")
    learned, asked = longest(rows, 5) if options.longest else next(folds(rows, 5, 0))
    options.output.mkdir(parents=True, exist_ok=True)
    data = options.output / "train.tsv"
    data.write_text("".join(f"{s}\t{m}\n" for s, m in learned), encoding="utf-8")
    corpus = api.corpus_of(data, api.choose_settings(system="transformer")[1])
    known = [(tokenize(sentence), meaning) for sentence, meaning in learned]
    notation = NOTATIONS[corpus.notation].comparing(known)
    shares: dict[str, Callable[[], float]] = {
        "svm": lambda: svm_share(notation, learned, asked),
        "transformer": lambda: transformer_share(
            notation, data, options.output / "transformer", asked
        ),
    }
    for system in options.systems:
        print(f"{options.corpus}: {system} {100 * shares[system]():.1f}", flush=True)


if __name__ == "__main__":
    main()
