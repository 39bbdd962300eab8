"""A batch job: python docs/examples/batch.py MODEL SENTENCES ANSWERS REFUSED

Reads a sentence a line, in bounded memory. ANSWERS gets a JSON object for each answer, and REFUSED
the line, the reason and the sentence of what the model is not sure of.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from amparser import Parser

SURE = 0.5


def run(parser: Parser, sentences: Path, answers: Path, refused: Path) -> Counter[str]:
    """Write both files; how many lines each has."""
    counts: Counter[str] = Counter()
    with (
        sentences.open(encoding="utf-8") as lines,
        answers.open("w", encoding="utf-8") as good,
        refused.open("w", encoding="utf-8") as bad,
    ):
        texts = (line.rstrip("\n") for line in lines)
        for number, result in enumerate(parser.stream(texts), 1):
            if result.failure is None:
                counts["answered"] += 1
                good.write(json.dumps({"line": number, **result.to_dict()}) + "\n")
            else:
                counts["refused"] += 1
                bad.write(f"{number}\t{result.failure}\t{result.sentence}\n")
    return counts


def main() -> None:
    """Run the job of the arguments."""
    model, *paths = sys.argv[1:]
    counts = run(Parser.load(model).with_options(min_confidence=SURE), *map(Path, paths))
    print(f"{counts['answered']} answered, {counts['refused']} refused")


if __name__ == "__main__":
    main()
