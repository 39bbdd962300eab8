"""The pairs of an aspect, in files as published, and the data sets of an experiment.

For each training file NAME there are sentences for the parser, with their forms and depths:
`forms/NAME/train.quantified.tsv` has up to 20,000 of the whole fragment at the depths of the
training file, none of them in a test file; `own-forms/NAME` has as many of the training file's
own sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

from amparser import __version__
from amparser.benchmarks.generate import (
    CARD,
    checksums,
    grammar_checksum,
    is_whole,
    make_folder,
    write_card,
)
from amparser.benchmarks.monotonicity.pair_generator import Pair, PairGenerator
from amparser.benchmarks.monotonicity.protocol import (
    DEFAULT_DEPTHS,
    TEST,
    TRAIN,
    PairSet,
    is_test,
    own_tests,
    protocol,
)
from amparser.benchmarks.monotonicity.sentences import (
    COUNT,
    FILE,
    DrawnSentences,
    drawn_sentences,
    own_sentences,
    write_rows,
)
from amparser.errors import InputError
from amparser.experiments.dataset import DataSet
from amparser.files import read_json, replacing
from amparser.grammar.library import load_library
from amparser.resources import cache_folder

TRAIN_COUNT, TEST_COUNT = 300_000, 20_000
"""The published counts (section 3.1)."""
SENTENCES, OWN_SENTENCES = "forms", "own-forms"
"""The folders with sentences for the parser: of the whole fragment, and only of the pairs."""
GENERATION = 2
"""The version of the files and of the drawing; it is raised when either changes."""
PARSER = "amparser"
"""The system that learns from sentences with forms; all others learn from pairs."""


def generate(
    output: Path,
    *,
    aspect: str,
    depth: int | None = None,
    permutation: int = 0,
    seed: int = 0,
    count: int | None = None,
    test_count: int | None = None,
) -> dict[str, Any]:
    """Write the training and test files of an aspect into a folder; returns its card.

    A file has four columns: premise, hypothesis, label, genre. `protocol` defines the
    files; `card.json`, written last, describes them.

    Args:
        output: the folder; created if it is missing.
        aspect, depth, permutation: see `protocol`.
        seed: the same seed gives the same bytes.
        count: rows of the largest training file, 300,000 by default: an equal share from each
            of its sets, if the sets are large enough.
        test_count: rows of each test file, 20,000 by default, likewise.

    Raises:
        InputError: see `protocol`; or files cannot be written.
        GrammarError: the fragment has too few sentences of a depth.
    """
    count = TRAIN_COUNT if count is None else count
    test_count = TEST_COUNT if test_count is None else test_count
    if min(count, test_count) < 2:
        raise InputError("expected counts of 2 rows or more")
    files = protocol(aspect, depth=depth, permutation=permutation).files
    make_folder(output)
    generator = PairGenerator()
    chosen = _chosen(files, _drawn(generator, files, seed, count, test_count), seed)
    paths = {name: output / f"{name}.tsv" for name in files}
    with ExitStack() as stack:
        opened = {name: stack.enter_context(replacing(path)) for name, path in paths.items()}
        for name, pairs in chosen.items():
            opened[name].writelines("\t".join(pair) + "\n" for pair in pairs)
        sentences = _sentences(generator, files, chosen, seed, min(COUNT, count))
        for name, drawn in sentences.items():
            own = own_sentences(generator.library, chosen[name], min(COUNT, count))
            for folder, rows in ((SENTENCES, drawn.rows), (OWN_SENTENCES, own)):
                path = output / folder / name / FILE
                write_rows(rows, path)
                paths[path.relative_to(output).as_posix()] = path
    card = {
        "benchmark": "monotonicity",
        "aspect": aspect,
        "depth": DEFAULT_DEPTHS.get(aspect) if depth is None else depth,
        "permutation": permutation,
        "grammar": {"version": __version__, "sha256": grammar_checksum(generator.library)},
        "seed": seed,
        **_counted(chosen, sentences),
        "files": checksums(paths.values(), output),
    }
    write_card(card, output)
    return card


def _counted(
    chosen: Mapping[str, Sequence[Pair]], sentences: Mapping[str, DrawnSentences]
) -> dict[str, Any]:
    """The card's counts of the rows of all files."""
    return {
        "rows": {
            name: dict(sorted(Counter(pair.genre for pair in pairs).items()))
            for name, pairs in chosen.items()
        },
        SENTENCES: {
            name: {
                "rows": dict(sorted(Counter(row.depth for row in drawn.rows).items())),
                "left_out_as_tested": drawn.left_out,
            }
            for name, drawn in sentences.items()
        },
    }


_Files = Mapping[str, Sequence[PairSet]]


def _drawn(
    generator: PairGenerator, files: _Files, seed: int, count: int, test_count: int
) -> dict[PairSet, list[Pair]]:
    """The pairs of each set; an equal share of a file from each of its sets.

    If a set has fewer pairs than its share, the later sets give more.
    """
    pairs: dict[PairSet, list[Pair]] = {}

    def draw(sets: Sequence[PairSet], wanted: int) -> None:
        for number, one in enumerate(sets):
            rest = wanted - sum(len(pairs[other]) for other in sets[:number])
            share = rest // (len(sets) - number)
            pairs[one] = generator.pairs(one, share, Random(f"{seed} {one}"))

    draw(max((sets for name, sets in files.items() if not is_test(name)), key=len), count)
    for name, sets in files.items():
        if is_test(name):
            draw(sets, test_count)
    return pairs


def _chosen(
    files: _Files, pairs: Mapping[PairSet, Sequence[Pair]], seed: int
) -> dict[str, list[Pair]]:
    """The rows of each file in random order, each pair once."""
    chosen: dict[str, list[Pair]] = {}
    for name, sets in files.items():
        union: dict[tuple[str, str], Pair] = {}
        for one in sets:
            union.update({pair[:2]: pair for pair in pairs[one]})
        chosen[name] = list(union.values())
        Random(f"{seed} {name}").shuffle(chosen[name])
    return chosen


def _sentences(
    generator: PairGenerator,
    files: _Files,
    chosen: Mapping[str, Sequence[Pair]],
    seed: int,
    count: int,
) -> dict[str, DrawnSentences]:
    """Sentences of the whole fragment for each training file."""
    tested = {
        sentence
        for name in filter(is_test, files)
        for pair in chosen[name]
        for sentence in pair[:2]
    }
    drawn: dict[tuple[int, ...], DrawnSentences] = {}
    found: dict[str, DrawnSentences] = {}
    for name, sets in files.items():
        if not is_test(name):
            depths = tuple(sorted({one.depth for one in sets}))
            if depths not in drawn:
                drawn[depths] = drawn_sentences(generator, depths, count, seed, tested)
            found[name] = drawn[depths]
    return found


def generated(
    *,
    aspect: str,
    depth: int | None = None,
    permutation: int = 0,
    count: int | None = None,
    test_count: int | None = None,
    notice: Callable[[str], None] | None = None,
) -> Path:
    """The folder of an aspect's pairs in the user's cache, generated at the first call.

    Arguments are those of `generate`; `notice` is called with one line before files are generated.
    """
    depth = DEFAULT_DEPTHS.get(aspect) if depth is None else depth
    grammar = grammar_checksum(load_library("monotonicity"))[:10]
    made_by = (__version__, GENERATION, depth, permutation, count, test_count, grammar)
    folder = cache_folder() / "-".join(("monotonicity", aspect, *map(str, made_by)))
    if not is_whole(folder):
        protocol(aspect, depth=depth, permutation=permutation)
        if notice is not None:
            notice(f"generating monotonicity, {aspect}, into {folder}")
        generate(
            folder,
            aspect=aspect,
            depth=depth,
            permutation=permutation,
            count=count,
            test_count=test_count,
        )
    return folder


def datasets(
    *,
    aspect: str,
    depth: int | None = None,
    permutation: int = 0,
    count: int | None = None,
    test_count: int | None = None,
    system: str = PARSER,
    own: bool = False,
    only: Sequence[str] = (),
    notice: Callable[[str], None] | None = None,
) -> list[DataSet]:
    """The training files of an aspect, each with its test files; generated at the first call.

    The parser learns from sentences with forms, every other system from pairs.

    Args:
        aspect, depth, permutation: see `protocol`.
        count, test_count: see `generate`.
        system: the name of the system to train.
        own: the parser learns only from the sentences of the training pairs.
        only: the names of the training files, such as `S1`; all by default.
        notice: called with one line before files are generated.

    Raises:
        InputError: see `generate`; an unknown training file; `own` without the parser.
    """
    if own and system != PARSER:
        raise InputError(f"own sentences: {system} learns from pairs")
    folder = generated(
        aspect=aspect,
        depth=depth,
        permutation=permutation,
        count=count,
        test_count=test_count,
        notice=notice,
    )
    card = read_json(folder / CARD)
    # The first set of the embedding aspect leaves no tests.
    tests = {name: own_tests(name, card["rows"]) for name in card["rows"] if not is_test(name)}
    known = [name for name, found in tests.items() if found]
    if unknown := [name for name in only if name not in known]:
        raise InputError(f"no training file {unknown[0]!r}, {aspect} has {', '.join(known)}")
    return [
        _dataset(folder, card, name, tests[name], system=system, own=own)
        for name in known
        if name in (only or known)
    ]


def _dataset(
    folder: Path,
    card: Mapping[str, Any],
    name: str,
    tests: Sequence[str],
    *,
    system: str,
    own: bool,
) -> DataSet:
    """A training file with its tests."""
    part = str(card["depth"]) if name == TRAIN else name
    if card["permutation"]:
        part += f"-p{card['permutation']}"
    source = folder / f"{name}.tsv"
    if system == PARSER:
        source = folder / (OWN_SENTENCES if own else SENTENCES) / name / FILE
    rows = {key: sum(card["rows"][key].values()) for key in (name, *tests)}
    return DataSet(
        f"{card['aspect']}-{part}",
        {TRAIN: source},
        {test.removeprefix(f"{TEST}-"): folder / f"{test}.tsv" for test in tests},
        about={"aspect": card["aspect"], "permutation": card["permutation"], "rows": rows},
    )
