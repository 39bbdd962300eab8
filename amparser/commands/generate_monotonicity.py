"""`amparser generate monotonicity`: the pairs of an aspect, in files as published."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

from amparser import __version__
from amparser.commands.files import replacing
from amparser.commands.generate import CARD, grammar_checksum
from amparser.corpus import checksum, tokenize
from amparser.errors import InputError, located
from amparser.grammar.library import Library, load_library
from amparser.inference.fragment import Fragment
from amparser.inference.generate import OBJECT, TRAIN, Pair, PairGenerator, PairSet, protocol
from amparser.inference.multiword import Multiword
from amparser.logic.vf import vf_to_str
from amparser.resources import cache_folder
from amparser.translate.notation import QUANTIFIED
from amparser.translate.quantified import ordered

TRAIN_COUNT, TEST_COUNT = 300_000, 20_000
"""As published (section 3.1)."""
FORMS, FORM_COUNT = "forms", 20_000
MONOTONICITY = "monotonicity"
# Of depth 1, of depth 2, and with an object: as many pairs as have that many sentences.
_FORM_PAIRS = (5_000, 8_000, 2_000)


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
    For each training file there is `forms/NAME/train.quantified.tsv` for the parser: at most
    `FORM_COUNT` of its sentences, with their forms and depths.

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
    forms: dict[str, Path] = {}
    with ExitStack() as stack:
        opened = {name: stack.enter_context(replacing(output / f"{name}.tsv")) for name in files}
        for name, sets in files.items():
            union: dict[tuple[str, str], Pair] = {}
            for one in sets:
                union.update({pair[:2]: pair for pair in pairs[one]})
            chosen = list(union.values())
            Random(f"{seed} {name}").shuffle(chosen)
            rows[name] = Counter(pair.genre for pair in chosen)
            opened[name].writelines("\t".join(pair) + "\n" for pair in chosen)
            if not _is_test(name):
                folder = output / FORMS / name
                folder.mkdir(parents=True, exist_ok=True)
                path = folder / f"{TRAIN}.{QUANTIFIED}.tsv"
                forms[path.relative_to(output).as_posix()] = path
                stack.enter_context(replacing(path)).writelines(
                    "\t".join(row) + "\n" for row in _forms(generator.library, chosen)
                )
    card = {
        "benchmark": MONOTONICITY,
        "aspect": aspect,
        "depth": depth,
        "permutation": permutation,
        "grammar": {"version": __version__, "sha256": grammar_checksum(generator.library)},
        "seed": seed,
        "rows": {name: dict(sorted(counts.items())) for name, counts in rows.items()},
        "files": {
            **{f"{name}.tsv": checksum(output / f"{name}.tsv") for name in files},
            **{name: checksum(path) for name, path in forms.items()},
        },
    }
    with replacing(output / CARD) as file:
        file.write(json.dumps(card, indent=1, ensure_ascii=False) + "\n")
    return card


def generated_forms(*, seed: int = 0) -> Path:
    """The folder with sentences and forms for the package's parser, generated when first wanted.

    They are of depth 1 and 2 with all quantifiers of the grammar, and some have an object.
    The folder lies in the user's cache, under the checksum of the grammar.
    """
    library = load_library(MONOTONICITY)
    checksum_ = grammar_checksum(library)[:10]
    folder = cache_folder() / f"{MONOTONICITY}-{FORMS}-{seed}-{checksum_}"
    path = folder / f"{TRAIN}.{QUANTIFIED}.tsv"
    if not path.exists():
        print(f"generating {MONOTONICITY} into {folder}", file=sys.stderr)
        generator = PairGenerator(library)
        everything = generator.quantifiers
        sets = (
            PairSet(everything),
            PairSet(everything, depth=2),
            PairSet(everything, variant=OBJECT),
        )
        pairs = [
            pair
            for one, count in zip(sets, _FORM_PAIRS, strict=True)
            for pair in generator.pairs(one, count, Random(f"{seed} {one}"))
        ]
        Random(f"{seed} {FORMS}").shuffle(pairs)
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.writelines("\t".join(row) + "\n" for row in _forms(library, pairs))
    return folder


def _forms(library: Library, pairs: Sequence[Pair]) -> Iterator[tuple[str, str, str]]:
    """The first different sentences of some pairs as rows for the parser."""
    fragment, multiword = Fragment(), Multiword.of_grammar(library)
    depths: dict[str, int] = {}
    for pair in pairs:
        depth = int(pair.genre.partition(".")[0].removeprefix("depth")) + 1
        for sentence in pair[:2]:
            if len(depths) < FORM_COUNT:
                depths.setdefault(sentence, depth)
    for sentence, depth in depths.items():
        tokens = tokenize(sentence)
        form = vf_to_str(ordered(fragment(tokens).term))
        yield " ".join(multiword.joined(tokens)[0]), form, f"D{depth}"


def _is_test(name: str) -> bool:
    return name.startswith(("T", "test"))
