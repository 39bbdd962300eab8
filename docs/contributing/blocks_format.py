"""A corpus format: an example is a block of lines `key: value` that ends at a blank line."""

from __future__ import annotations

from pathlib import Path

from amparser.corpora.example import Example
from amparser.corpora.formats import FORMATS
from amparser.corpora.reading import examples_of, read_examples
from amparser.errors import CorpusError, InputError

KEYS = ("sentence", "meaning", "tags")


class BlocksFormat:
    """Blocks of lines `key: value`."""

    name = "blocks"
    suffixes = (".blocks",)
    in_blocks = True

    def example(self, text: str) -> Example:
        """Return the example of a block."""
        values: dict[str, str] = {}
        for number, line in enumerate(text.split("\n"), 1):
            key, colon, value = line.partition(": ")
            if not colon or key not in KEYS:
                expected = f"expected one of {', '.join(KEYS)}, a colon and a value"
                raise InputError(f"line {number}, {expected}")
            values[key] = value
        if not {"sentence", "meaning"} <= values.keys():
            raise InputError("expected a sentence and a meaning")
        return Example(
            tuple(values["sentence"].split()),
            values["meaning"],
            tags=tuple(values.get("tags", "").split()),
        )

    def write(self, example: Example) -> str:
        """Return the block of an example, with a blank line."""
        if example.meaning is None:
            raise InputError(example.failure or "the example has no meaning")
        lines = [f"sentence: {example.sentence}", f"meaning: {example.meaning}"]
        if example.tags:
            lines.append(f"tags: {' '.join(example.tags)}")
        return "\n".join(lines) + "\n\n"


BLOCKS = BlocksFormat()

PETS = """\
sentence: Emma slept .
meaning: sleep . agent ( x _ 1 , Emma )
tags: intransitive short

sentence: Liam slept .
meaning: sleep . agent ( x _ 1 , Liam )
"""


def main() -> None:
    """Read a file of two examples, write one, and read a damaged one."""
    path = Path("pets.blocks")
    path.write_text(PETS, encoding="utf-8")
    FORMATS.register("blocks", BLOCKS)
    first, second = read_examples(str(path))
    assert first.sentence == "Emma slept ."
    assert first.tags == ("intransitive", "short")
    assert second.line == 5

    text = BLOCKS.write(first)
    assert list(examples_of(BLOCKS, enumerate(text.splitlines(), 1), "copy")) == [first]

    try:
        lines = [(1, "sentence: Emma slept ."), (2, "colour: red")]
        list(examples_of(BLOCKS, lines, "pets.blocks"))
    except CorpusError as error:
        print(error)  # pets.blocks:2: expected one of sentence, meaning, tags ...


if __name__ == "__main__":
    main()
