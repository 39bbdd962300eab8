"""`amparser generate monotonicity`: the pairs of an aspect, in files as published."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from amparser import __version__
from amparser.benchmarks.generate import CARD, grammar_checksum
from amparser.benchmarks.monotonicity.fragment import Fragment
from amparser.benchmarks.monotonicity.generate import TRAIN, Pair, PairGenerator, PairSet, protocol
from amparser.benchmarks.monotonicity.multiword import Multiword
from amparser.corpora.examples import checksum, tokenize
from amparser.errors import GrammarError, InputError, located
from amparser.files import replacing
from amparser.grammar.generation import MAX_REPEATS
from amparser.grammar.library import Library
from amparser.logic.vf import vf_to_str
from amparser.notations.quantified_graph import ordered
from amparser.resources import cache_folder

TRAIN_COUNT, TEST_COUNT = 300_000, 20_000
"""As published (section 3.1)."""
FORMS, OWN_FORMS, FORM_COUNT = "forms", "own-forms", 20_000
MONOTONICITY = "monotonicity"
GENERATION = 2
"""Which files there are and what is drawn; one more where that changes."""
_FORM_DEPTHS = (1, 2)


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
    `generate.protocol`; `card.json`, written last, says what they hold.
    For each training file there are sentences with their forms and depths for the parser:
    `forms/NAME/train.quantified.tsv` has `FORM_COUNT`, or as many as the largest training file
    has rows, if these are fewer. They are drawn from the whole fragment at the depths of the
    training file, and none is in a test file. `own-forms/NAME` has so many of the training
    file's own sentences.

    Args:
        aspect, depth, permutation: as of the protocol.
        seed: the same seed gives the same bytes.
        train_count: rows of the largest training file, `TRAIN_COUNT` by default, an equal
            share from each of its sets as far as they have so many.
        test_count: rows of each test file, `TEST_COUNT` by default, likewise.

    Raises:
        InputError: as of the protocol, or files that cannot be written.
        GrammarError: the fragment has too few sentences of a depth.
    """
    train_count = TRAIN_COUNT if train_count is None else train_count
    test_count = TEST_COUNT if test_count is None else test_count
    if min(train_count, test_count) < 2:
        raise InputError("expected counts of 2 rows or more")
    files = protocol(aspect, depth=depth, permutation=permutation).files
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(located(error.strerror or str(error), path=output)) from None
    generator = PairGenerator()
    pairs: dict[PairSet, list[Pair]] = {}

    def draw(sets: Sequence[PairSet], count: int) -> None:
        """So many pairs, as many from each set; where one has fewer, the later ones give more."""
        for number, one in enumerate(sets):
            share = (count - sum(len(pairs[other]) for other in sets[:number])) // (
                len(sets) - number
            )
            pairs[one] = generator.pairs(one, share, Random(f"{seed} {one}"))

    draw(max((sets for name, sets in files.items() if not is_test(name)), key=len), train_count)
    for name, sets in files.items():
        if is_test(name):
            draw(sets, test_count)
    rows: dict[str, Counter[str]] = {}
    forms: dict[str, Forms] = {}
    paths = {name: output / f"{name}.tsv" for name in files}
    form_count = min(FORM_COUNT, train_count)
    with ExitStack() as stack:
        opened = {name: stack.enter_context(replacing(path)) for name, path in paths.items()}
        chosen: dict[str, list[Pair]] = {}
        for name, sets in files.items():
            union: dict[tuple[str, str], Pair] = {}
            for one in sets:
                union.update({pair[:2]: pair for pair in pairs[one]})
            chosen[name] = list(union.values())
            Random(f"{seed} {name}").shuffle(chosen[name])
            rows[name] = Counter(pair.genre for pair in chosen[name])
            opened[name].writelines("\t".join(pair) + "\n" for pair in chosen[name])
        tested = {
            sentence
            for name in filter(is_test, files)
            for pair in chosen[name]
            for sentence in pair[:2]
        }
        drawn: dict[tuple[int, ...], Forms] = {}
        for name in files:
            if is_test(name):
                continue
            depths = tuple(sorted({one.depth for one in files[name]}))
            if depths not in drawn:
                drawn[depths] = drawn_forms(generator, depths, form_count, seed, tested)
            forms[name] = drawn[depths]
            own = _own_forms(generator.library, chosen[name], form_count)
            for kind, found in ((FORMS, forms[name].rows), (OWN_FORMS, own)):
                path = output / kind / name / f"{TRAIN}.{'quantified'}.tsv"
                path.parent.mkdir(parents=True, exist_ok=True)
                paths[path.relative_to(output).as_posix()] = path
                stack.enter_context(replacing(path)).writelines(map(_line, found))
    card = {
        "benchmark": MONOTONICITY,
        "aspect": aspect,
        "depth": depth,
        "permutation": permutation,
        "grammar": {"version": __version__, "sha256": grammar_checksum(generator.library)},
        "seed": seed,
        "rows": {name: dict(sorted(counts.items())) for name, counts in rows.items()},
        FORMS: {
            name: {
                "rows": dict(sorted(Counter(row[-1] for row in found.rows).items())),
                "left_out_as_tested": found.left_out,
            }
            for name, found in forms.items()
        },
        "files": {p.relative_to(output).as_posix(): checksum(p) for p in paths.values()},
    }
    with replacing(output / CARD) as file:
        file.write(json.dumps(card, indent=1, ensure_ascii=False) + "\n")
    return card


def generated_forms(*, seed: int = 0) -> Path:
    """The folder with sentences and forms for the package's parser, generated when first wanted.

    They are drawn from the whole fragment at depths 1 and 2. The folder lies in the user's
    cache, under the checksum of the grammar.
    """
    generator = PairGenerator()
    checksum_ = grammar_checksum(generator.library)[:10]
    folder = cache_folder() / f"{MONOTONICITY}-{FORMS}-{seed}-{checksum_}"
    path = folder / f"{TRAIN}.{'quantified'}.tsv"
    if not path.exists():
        print(f"generating {MONOTONICITY} into {folder}", file=sys.stderr)
        found = drawn_forms(generator, _FORM_DEPTHS, FORM_COUNT, seed, frozenset())
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.writelines(map(_line, found.rows))
    return folder


class FormRow(NamedTuple):
    """A row for the parser: joined tokens, a form, D1 to D5."""

    sentence: str
    form: str
    kind: str


@dataclass(frozen=True)
class Forms:
    """Rows for the parser, and how many sentences were drawn in vain since they are tested."""

    rows: Sequence[FormRow]
    left_out: int


def drawn_forms(
    generator: PairGenerator, depths: Sequence[int], count: int, seed: int, tested: AbstractSet[str]
) -> Forms:
    """Different sentences of some depths, as many of each, in random order.

    A sentence of the fragment has one derivation: that is why none is parsed here.

    Args:
        depths: of D1 to D5.
        count: of all sentences.
        seed: the same seed gives the same sentences.
        tested: sentences as they stand in files; none of them is drawn.

    Raises:
        GrammarError: a depth has too few sentences.
    """
    library = generator.library
    multiword, plan = Multiword.of_grammar(library), library.plan()
    rows: list[FormRow] = []
    left_out = repeated = 0
    seen: set[str] = set()
    for number, depth in enumerate(depths, 1):
        kind = plan.type_of(f"D{depth}")
        random = Random(f"{seed} {FORMS} {depth}")
        while len(rows) < count * number // len(depths):
            derivation = kind.sample(random)
            sentence = generator.written(derivation)
            if sentence in seen:
                repeated += 1
                if repeated > MAX_REPEATS:
                    raise GrammarError(
                        f"type {kind.name!r}: {count} rows are wanted, but no further sentence "
                        "is found"
                    )
                continue
            repeated = 0
            seen.add(sentence)
            if sentence in tested:
                left_out += 1
                continue
            joined, _ = multiword.joined(library.tokens(derivation))
            form = vf_to_str(ordered(library.vf(derivation)))
            rows.append(FormRow(" ".join(joined), form, kind.name))
    Random(f"{seed} {FORMS}").shuffle(rows)
    return Forms(rows, left_out)


def _own_forms(library: Library, pairs: Sequence[Pair], count: int) -> Iterator[FormRow]:
    """The first different sentences of some pairs."""
    fragment, multiword = Fragment(), Multiword.of_grammar(library)
    depths: dict[str, int] = {}
    for pair in pairs:
        depth = int(pair.genre.partition(".")[0].removeprefix("depth")) + 1
        for sentence in pair[:2]:
            if len(depths) < count:
                depths.setdefault(sentence, depth)
    for sentence, depth in depths.items():
        tokens = tokenize(sentence)
        form = vf_to_str(ordered(fragment(tokens).term))
        yield FormRow(" ".join(multiword.joined(tokens)[0]), form, f"D{depth}")


def _line(row: FormRow) -> str:
    return "\t".join(row) + "\n"


def is_test(name: str) -> bool:
    """Whether a file of a protocol is a test set, and no training file."""
    return name.startswith(("T", "test"))
