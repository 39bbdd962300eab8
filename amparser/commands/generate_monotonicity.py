"""`amparser generate monotonicity`: the pairs of an aspect, in files as published."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

from amparser import __version__
from amparser.commands.files import replacing
from amparser.commands.generate import CARD, grammar_checksum
from amparser.corpus import checksum
from amparser.errors import InputError, located
from amparser.inference.generate import Pair, PairGenerator, PairSet, protocol

TRAIN_COUNT, TEST_COUNT = 300_000, 20_000
"""As published (section 3.1)."""


def generate_monotonicity(
    output: Path,
    *,
    aspect: str,
    depth: int | None = None,
    permutation: int = 0,
    seed: int = 0,
    train_count: int | None = None,
    test_count: int | None = None,
) -> dict[str, Any]:
    """Write the training and test files of an aspect into a folder; returns its card.

    A file has four columns: premise, hypothesis, label, genre. Which there are is said by
    `amparser.inference.generate.protocol`; `card.json`, written last, says what they hold.

    Args:
        depth, permutation: as of the protocol.
        seed: the same seed gives the same bytes.
        train_count: rows of the largest training file, `TRAIN_COUNT` by default, an equal
            share from each of its sets as far as they have so many.
        test_count: rows of each test file, `TEST_COUNT` by default, likewise.

    Raises:
        InputError: as of the protocol, or files that cannot be written.
    """
    train_count = TRAIN_COUNT if train_count is None else train_count
    test_count = TEST_COUNT if test_count is None else test_count
    if min(train_count, test_count) < 2:
        raise InputError("expected counts of 2 rows or more")
    files = protocol(aspect, depth=depth, permutation=permutation).files
    generator = PairGenerator()
    pairs: dict[PairSet, list[Pair]] = {}

    def draw(sets: Sequence[PairSet], count: int) -> None:
        """So many pairs, as many from each set; where one has fewer, the later ones give more."""
        for number, one in enumerate(sets):
            share = (count - sum(len(pairs[other]) for other in sets[:number])) // (
                len(sets) - number
            )
            pairs[one] = generator.pairs(one, share, Random(f"{seed} {one}"))

    draw(max((sets for name, sets in files.items() if not _is_test(name)), key=len), train_count)
    for name, sets in files.items():
        if _is_test(name):
            draw(sets, test_count)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(located(error.strerror or str(error), path=output)) from None
    rows: dict[str, Counter[str]] = {}
    with ExitStack() as stack:
        opened = {name: stack.enter_context(replacing(output / f"{name}.tsv")) for name in files}
        for name, sets in files.items():
            union: dict[tuple[str, str], Pair] = {}
            for one in sets:
                union.update({pair[:2]: pair for pair in pairs[one]})
            ordered = list(union.values())
            Random(f"{seed} {name}").shuffle(ordered)
            rows[name] = Counter(pair.genre for pair in ordered)
            opened[name].writelines("\t".join(pair) + "\n" for pair in ordered)
    card = {
        "benchmark": "monotonicity",
        "aspect": aspect,
        "depth": depth,
        "permutation": permutation,
        "grammar": {"version": __version__, "sha256": grammar_checksum(generator.library)},
        "seed": seed,
        "rows": {name: dict(sorted(counts.items())) for name, counts in rows.items()},
        "files": {f"{name}.tsv": checksum(output / f"{name}.tsv") for name in files},
    }
    with replacing(output / CARD) as file:
        file.write(json.dumps(card, indent=1, ensure_ascii=False) + "\n")
    return card


def _is_test(name: str) -> bool:
    return name.startswith(("T", "test"))
