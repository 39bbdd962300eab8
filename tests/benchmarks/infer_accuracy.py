"""How often inference over a trained parser's forms gives the gold label.

    python tests/benchmarks/infer_accuracy.py --model DIR FILE.tsv [FILE.tsv.gz ...]

Files are those of `amparser generate monotonicity`, or the published ones: premise,
hypothesis, label, genre. A row a file, then a row a direction and a replacement function
over all files. A pair with a sentence that has no form is wrong, and counted.
"""

from __future__ import annotations

import argparse
import gzip
import time
from collections import defaultdict
from pathlib import Path

from amparser.commands.infer import method_of
from amparser.commands.reading import model_reading
from amparser.corpus import tokenize
from amparser.errors import InputError
from amparser.inference.infer import read_sentences


def rows_of(path: Path) -> list[list[str]]:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    return [line.split("\t") for line in text.splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--model", type=Path, default=None)
    parser.add_argument("files", type=Path, nargs="+")
    arguments = parser.parse_args()
    reading, method = model_reading(arguments.model), method_of(prover=False)
    by: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for path in arguments.files:
        rows = rows_of(path)
        started = time.perf_counter()
        tokens = [tokenize(text) for row in rows for text in row[:2]]
        sentences = read_sentences(reading, tokens)
        for number, (_, _, label, genre) in enumerate(rows):
            pair = sentences[2 * number : 2 * number + 2]
            name, direction = genre.removesuffix(".empty").split(".", 1)[1].rsplit(".", 1)
            right = missing = 0
            if any(isinstance(sentence, InputError) for sentence in pair):
                missing = 1
            else:
                right = method(*pair).label == label  # type: ignore[arg-type]
            for key in (path.name, direction, name.replace("rc.n", "rc"), "all"):
                for place, value in enumerate((1, right, missing)):
                    by[key][place] += value
        count, right, missing = by[path.name]
        seconds = time.perf_counter() - started
        print(
            f"{path.name:24} {count:6} pairs {100 * right / count:6.2f} %, "
            f"{missing} without a form, {seconds:.1f} s"
        )
    for key, (count, right, missing) in by.items():
        if key not in {path.name for path in arguments.files}:
            print(f"  {key:22} {count:6} pairs {100 * right / count:6.2f} %, {missing} without")


if __name__ == "__main__":
    main()
