"""`amparser generate monotonicity`: the pairs of an aspect, in files as published."""

from __future__ import annotations

import json
from collections import Counter
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
    train_count: int = TRAIN_COUNT,
    test_count: int = TEST_COUNT,
) -> dict[str, Any]:
    """Write the training and test files of an aspect into a folder; returns its card.

    A file has four columns: premise, hypothesis, label, genre. Which there are is said by
    `amparser.inference.generate.protocol`; `card.json`, written last, says what they hold.

    Args:
        depth, permutation: as of the protocol.
        seed: the same seed gives the same bytes.
        train_count: rows of the largest training file, an equal share from each of its
            sets; sets that have fewer give all.
        test_count: rows of each test file, likewise.

    Raises:
        InputError: as of the protocol, or files that cannot be written.
    """
    if min(train_count, test_count) < 2:
        raise InputError("expected counts of 2 rows or more")
    files = protocol(aspect, depth=depth, permutation=permutation).files
    generator = PairGenerator()
    most = max(len(sets) for sets in files.values())
    shares: dict[PairSet, int] = {}
    for name, sets in files.items():
        share = test_count // len(sets) if _is_test(name) else train_count // most
        for one in sets:
            shares[one] = max(share, shares.get(one, 0))
    pairs = {
        one: generator.pairs(one, share, Random(f"{seed} {one}")) for one, share in shares.items()
    }
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
