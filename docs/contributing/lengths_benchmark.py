"""A benchmark: short sentences to learn from, long ones to test.

A sentence is counted under its length and under its own tag.
"""

from __future__ import annotations

from pathlib import Path

from amparser.benchmarks.registry import BENCHMARKS
from amparser.corpora.example import Example
from amparser.corpora.reading import read_examples
from amparser.evaluation.benchmark import Benchmark


def tags(example: Example) -> tuple[str, ...]:
    """Return the tags of the row, and `short` or `long`."""
    return (*example.tags, "short" if len(example.tokens) <= 5 else "long")


LENGTHS = Benchmark(
    name="lengths",
    about="short sentences to learn from, long ones to test",
    notations=("cogs", "varfree"),
    measure="reformatted",
    tags=tags,
)

TRAIN = "Emma slept .\tsleep . agent ( x _ 1 , Emma )\tintransitive\n"
TEST = (
    "Emma said that Liam slept .\t"
    "say . agent ( x _ 1 , Emma ) AND "
    "say . ccomp ( x _ 1 , x _ 4 ) AND "
    "sleep . agent ( x _ 4 , Liam )\tclause\n"
)


def main() -> None:
    """Write a file of each split and read them."""
    folder = Path("lengths")
    folder.mkdir(exist_ok=True)
    (folder / "train.tsv").write_text(TRAIN, encoding="utf-8")
    (folder / "test_long.tsv").write_text(TEST, encoding="utf-8")
    files = LENGTHS.files(folder, "cogs")
    assert list(files) == ["train", "test_long"]
    [example] = read_examples(files["test_long"])
    assert LENGTHS.tags(example) == ("clause", "long")

    BENCHMARKS.register("lengths", LENGTHS)
    assert BENCHMARKS["lengths"].notations[0] == "cogs"


if __name__ == "__main__":
    main()
