"""The pairs of a variant of the benchmark, in files as published, and the data sets of experiments.

For each training file NAME there are sentences for the parser, with their forms and depths:
`forms/NAME/train.quantified.tsv` has up to 20,000 of the training file's own sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from amparser.benchmarks.fragments import vf
from amparser.benchmarks.generate import CARD, OnRows, cached, corpus_files, write_card
from amparser.benchmarks.monotonicity.pair_generator import PairGenerator
from amparser.benchmarks.monotonicity.pairs import LabelledPair
from amparser.benchmarks.monotonicity.protocol import (
    TEST,
    TRAIN,
    Files,
    PairSet,
    files_of,
    is_test,
    own_tests,
)
from amparser.benchmarks.monotonicity.reading import derivation_of, form_of, fragment, joined
from amparser.corpora.tokens import tokenize
from amparser.errors import InputError
from amparser.experiments.dataset import DataSet
from amparser.files import read_json
from amparser.grammar.generation import MAX_REPEATS, exhausted
from amparser.logic.vf import vf_to_str
from amparser.notations.quantified_graph import ordered

NAME = "monotonicity"
TRAIN_COUNT, TEST_COUNT = 300_000, 20_000
"""The published counts (section 3.1)."""
SENTENCES = "forms"
"""The folder with sentences for the parser."""
FILE = f"{TRAIN}.quantified.tsv"
COUNT = 20_000
"""Maximum sentences of a file."""
PARSER = "amparser"
"""The system that learns from sentences with forms; all others learn from pairs."""


def generate(
    output: Path,
    *,
    variant: str | None = None,
    seed: int = 0,
    count: int | None = None,
    on_progress: OnRows | None = None,
) -> dict[str, Any]:
    """Write the pairs of a variant (see `protocol`) into a folder; returns its card.

    The largest training file has `count` rows, 300,000 by default: an equal share from each of its
    sets, if they are large enough. Test files have a tenth, 20,000 at most. Raises InputError.
    """
    files = files_of(variant)
    count = TRAIN_COUNT if count is None else count
    if count < 20:
        raise InputError(f"--count {count}: expected 20 rows or more; a tenth of them is tested")
    generator = PairGenerator()
    forms = {name: f"{SENTENCES}/{name}/{FILE}" for name in files if not is_test(name)}
    names = [*(f"{name}.tsv" for name in files), *forms.values()]
    with corpus_files(output, names, NAME) as write:
        chosen = _chosen(files, _drawn(generator, files, seed, count), seed)
        for name, rows in chosen.items():
            for pair in rows:
                write(f"{name}.tsv", pair[:4])
            if on_progress is not None:
                on_progress(len(rows))
        for name, form_file in forms.items():
            for row in _sentences(chosen[name], min(COUNT, count)):
                write(form_file, row)
    counts = {name: Counter(pair.genre for pair in rows) for name, rows in chosen.items()}
    return write_card(output, names, generator.library, NAME, variant, seed, counts)


def datasets(folder: Path, system: str) -> list[DataSet]:
    """Return the training files of a generated folder with their tests; raises InputError."""
    card = read_json(folder / CARD)
    variant, by_genre = card.get("variant"), card.get("rows")
    if not isinstance(variant, str) or not isinstance(by_genre, dict):
        raise InputError(
            f"{folder / CARD}: no card of pairs; `amparser generate monotonicity` makes them"
        )
    rows = {name: sum(genres.values()) for name, genres in by_genre.items()}
    aspect, *rest = variant.split("-")
    found = []
    for name in rows:
        tests = [] if is_test(name) else own_tests(name, rows)
        # The first set of the embedding aspect leaves no tests.
        if tests:
            source = folder / (f"{SENTENCES}/{name}/{FILE}" if system == PARSER else f"{name}.tsv")
            found.append(
                DataSet(
                    variant if name == TRAIN else "-".join((aspect, name, *rest)),
                    {TRAIN: source},
                    {test.removeprefix(f"{TEST}-"): folder / f"{test}.tsv" for test in tests},
                    about={"variant": variant, "rows": {one: rows[one] for one in (name, *tests)}},
                )
            )
    return found


def _drawn(
    generator: PairGenerator, files: Files, seed: int, count: int
) -> dict[PairSet, list[LabelledPair]]:
    """Return an equal share of a file from each of its sets; later sets make up for small ones."""
    pairs: dict[PairSet, list[LabelledPair]] = {}

    def draw(sets: Sequence[PairSet], wanted: int) -> None:
        for number, one in enumerate(sets):
            rest = wanted - sum(len(pairs[other]) for other in sets[:number])
            share = rest // (len(sets) - number)
            pairs[one] = generator.pairs(one, share, Random(f"{seed} {one}"))

    draw(max((sets for name, sets in files.items() if not is_test(name)), key=len), count)
    for name, sets in files.items():
        if is_test(name):
            draw(sets, min(TEST_COUNT, count // 10))
    return pairs


def _chosen(
    files: Files, pairs: Mapping[PairSet, Sequence[LabelledPair]], seed: int
) -> dict[str, list[LabelledPair]]:
    """Return the rows of each file in random order, each pair once."""
    chosen: dict[str, list[LabelledPair]] = {}
    for name, sets in files.items():
        union = {pair[:2]: pair for one in sets for pair in pairs[one]}
        chosen[name] = list(union.values())
        Random(f"{seed} {name}").shuffle(chosen[name])
    return chosen


class FormRow(NamedTuple):
    """A row for the parser: joined tokens, a form, D1 to D5."""

    sentence: str
    form: str
    depth: str


def _sentences(pairs: Sequence[LabelledPair], count: int) -> list[FormRow]:
    """Return the first different sentences of pairs with their forms."""
    depths: dict[str, int] = {}
    for pair in pairs:
        for sentence in pair[:2]:
            if len(depths) < count:
                depths.setdefault(sentence, pair.depth)
    rows = []
    for sentence, depth in depths.items():
        tokens = tokenize(sentence)
        form = vf_to_str(ordered(form_of(derivation_of(tokens)).term))
        rows.append(FormRow(" ".join(joined(tokens)[0]), form, f"D{depth}"))
    return rows


def drawn_sentences(depths: Sequence[int], count: int, seed: int) -> list[FormRow]:
    """Draw different sentences, equally many of each depth, in random order."""
    library = fragment()
    plan = library.plan()
    rows: dict[str, FormRow] = {}
    for number, depth in enumerate(depths, 1):
        kind = plan.type_of(f"D{depth}")
        random = Random(f"{seed} {SENTENCES} {depth}")
        repeated = 0
        while len(rows) < count * number // len(depths):
            derivation = kind.sample(random)
            words = " ".join(joined(library.tokens(derivation))[0])
            repeated = repeated + 1 if words in rows else 0
            if repeated > MAX_REPEATS:
                raise exhausted(kind.name, count)
            if not repeated:
                rows[words] = FormRow(words, vf_to_str(ordered(vf(derivation))), kind.name)
    found = list(rows.values())
    Random(f"{seed} {SENTENCES}").shuffle(found)
    return found


def generated_sentences(
    variant: str | None = None,
    *,
    seed: int = 0,
    notice: Callable[[str], None] | None = None,
    on_progress: OnRows | None = None,
) -> Path:
    """Return the folder with sentences for the package's parser, generated at the first call.

    They are drawn from the whole fragment at depths 1 and 2. Raises InputError for a variant.
    """
    if variant is not None:
        raise InputError(
            f"--variant {variant}: expected --data DIR, made by "
            f"`amparser generate monotonicity --variant {variant} -o DIR`"
        )

    def make(folder: Path) -> None:
        with corpus_files(folder, [FILE], NAME) as write:
            for row in (rows := drawn_sentences((1, 2), COUNT, seed)):
                write(FILE, row)
        if on_progress is not None:
            on_progress(len(rows))
        depths = Counter(row.depth for row in rows)
        write_card(folder, [FILE], fragment(), NAME, None, seed, {TRAIN: depths})

    return cached(f"monotonicity-forms-{seed}", fragment(), make, notice, title=NAME)
