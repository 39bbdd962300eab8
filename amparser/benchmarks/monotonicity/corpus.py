"""The pairs of an aspect, in files as published, and the data sets of an experiment.

For each training file NAME there are sentences for the parser, with their forms and depths:
`forms/NAME/train.quantified.tsv` has up to 20,000 of the whole fragment at the depths of the
training file, none of them in a test file; `own-forms/NAME` has as many of the training file's
own sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from amparser import __version__
from amparser.benchmarks.fragments import vf
from amparser.benchmarks.generate import (
    CARD,
    announce,
    cached,
    checksums,
    grammar_checksum,
    prepare_corpus,
    write_card,
)
from amparser.benchmarks.monotonicity.pair_generator import PairGenerator
from amparser.benchmarks.monotonicity.pairs import LabelledPair
from amparser.benchmarks.monotonicity.protocol import (
    DEPTHS,
    TEST,
    TRAIN,
    Files,
    PairSet,
    is_test,
    own_tests,
    protocol,
)
from amparser.benchmarks.monotonicity.reading import derivation_of, form_of, fragment, joined
from amparser.corpora.tokens import tokenize
from amparser.errors import InputError
from amparser.experiments.dataset import DataSet
from amparser.files import prepare_folder, read_json, replacing
from amparser.grammar.generation import MAX_REPEATS, exhausted
from amparser.logic.vf import vf_to_str
from amparser.notations.quantified_graph import ordered

TRAIN_COUNT, TEST_COUNT = 300_000, 20_000
"""The published counts (section 3.1)."""
SENTENCES, OWN_SENTENCES = "forms", "own-forms"
"""The folders with sentences for the parser: of the whole fragment, and only of the pairs."""
FILE = f"{TRAIN}.quantified.tsv"
COUNT = 20_000
"""The number of sentences of a file, if the fragment or the pairs have so many."""
GENERATION = 2
"""The version of the files and of the drawing; it is raised when either changes."""
PARSER = "amparser"
"""The system that learns from sentences with forms; all others learn from pairs."""
_SEED_NAME = "forms"  # in the seeds of random numbers

Notice = Callable[[str], None]
"""Called with one line before files are generated."""


@dataclass(frozen=True)
class PairCorpus:
    """The training and test files of an aspect.

    Attributes:
        aspect, depth, permutation: see `protocol`.
        count: rows of the largest training file, 300,000 by default: an equal share from each
            of its sets, if the sets are large enough.
        test_count: rows of each test file, 20,000 by default, likewise.
    """

    aspect: str
    depth: int | None = None
    permutation: int = 0
    count: int | None = None
    test_count: int | None = None

    @property
    def own_depth(self) -> int | None:
        """The depth of train; None if the aspect has no choice."""
        return DEPTHS.get(self.aspect, [None])[0] if self.depth is None else self.depth

    def files(self) -> Files:
        """The sets of each file; raises InputError, see `protocol`."""
        return protocol(self.aspect, depth=self.depth, permutation=self.permutation)

    def generate(self, output: Path, seed: int = 0) -> dict[str, Any]:
        """Write the files into a folder; returns its card.

        A file has four columns: premise, hypothesis, label, genre. `card.json`, written last,
        describes the files.

        Raises:
            InputError: see `protocol`; or files cannot be written.
            GrammarError: the fragment has too few sentences of a depth.
        """
        count = TRAIN_COUNT if self.count is None else self.count
        test_count = TEST_COUNT if self.test_count is None else self.test_count
        if min(count, test_count) < 2:
            raise InputError("expected counts of 2 rows or more")
        files = self.files()
        inner = [f"{of}/{name}/{FILE}" for of in (SENTENCES, OWN_SENTENCES) for name in files]
        prepare_corpus(output, [*(f"{name}.tsv" for name in files), *inner])
        generator = PairGenerator()
        chosen = _chosen(files, _drawn(generator, files, seed, count, test_count), seed)
        paths = {name: output / f"{name}.tsv" for name in files}
        with ExitStack() as stack:
            opened = {name: stack.enter_context(replacing(path)) for name, path in paths.items()}
            for name, pairs in chosen.items():
                opened[name].writelines("\t".join(pair[:4]) + "\n" for pair in pairs)
            announce("monotonicity", opened.values(), output)
            sentences = _sentences(generator, files, chosen, seed, min(COUNT, count))
            for name, drawn in sentences.items():
                own = _own_sentences(chosen[name], min(COUNT, count))
                for folder, rows in ((SENTENCES, drawn.rows), (OWN_SENTENCES, own)):
                    path = output / folder / name / FILE
                    write_rows(rows, path)
                    paths[path.relative_to(output).as_posix()] = path
        card = {
            "benchmark": "monotonicity",
            "aspect": self.aspect,
            "depth": self.own_depth,
            "permutation": self.permutation,
            "grammar": {"version": __version__, "sha256": grammar_checksum(generator.library)},
            "seed": seed,
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
            "files": checksums(paths.values(), output),
        }
        write_card(card, output)
        return card

    def generated(self, notice: Notice | None = None) -> Path:
        """The folder of the files in the user's cache, generated at the first call."""
        self.files()
        amounts = (self.permutation, self.count, self.test_count)
        made_by = (__version__, GENERATION, self.own_depth, *amounts)
        return cached(
            "-".join(("monotonicity", self.aspect, *map(str, made_by))),
            fragment(),
            self.generate,
            notice,
            title=f"monotonicity, {self.aspect},",
        )

    def datasets(
        self,
        *,
        system: str = PARSER,
        own: bool = False,
        only: Sequence[str] = (),
        notice: Notice | None = None,
    ) -> list[DataSet]:
        """The training files, each with its test files; generated at the first call.

        The parser learns from sentences with forms, every other system from pairs.

        Args:
            own: the parser learns only from the sentences of the training pairs.

        Raises:
            InputError: see `generate`; an unknown training file; `own` without the parser.
        """
        if own and system != PARSER:
            raise InputError(f"own sentences: {system} learns from pairs")
        folder = self.generated(notice)
        rows = {name: sum(n.values()) for name, n in read_json(folder / CARD)["rows"].items()}
        # The first set of the embedding aspect leaves no tests.
        tests = {name: own_tests(name, rows) for name in rows if not is_test(name)}
        known = [name for name, found in tests.items() if found]
        if unknown := [name for name in only if name not in known]:
            expected = f"{self.aspect} has {', '.join(known)}"
            raise InputError(f"no training file {unknown[0]!r}, {expected}")
        found = []
        for name in known:
            if name not in (only or known):
                continue
            part = str(self.own_depth) if name == TRAIN else name
            source = folder / f"{name}.tsv"
            if system == PARSER:
                source = folder / (OWN_SENTENCES if own else SENTENCES) / name / FILE
            about = {
                "aspect": self.aspect,
                "permutation": self.permutation,
                "rows": {key: rows[key] for key in (name, *tests[name])},
            }
            found.append(
                DataSet(
                    f"{self.aspect}-{part}" + f"-p{self.permutation}" * (self.permutation > 0),
                    {TRAIN: source},
                    {t.removeprefix(f"{TEST}-"): folder / f"{t}.tsv" for t in tests[name]},
                    about=about,
                )
            )
        return found


def _drawn(
    generator: PairGenerator, files: Files, seed: int, count: int, test_count: int
) -> dict[PairSet, list[LabelledPair]]:
    """The pairs of each set; an equal share of a file from each of its sets.

    If a set has fewer pairs than its share, the later sets give more.
    """
    pairs: dict[PairSet, list[LabelledPair]] = {}

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
    files: Files, pairs: Mapping[PairSet, Sequence[LabelledPair]], seed: int
) -> dict[str, list[LabelledPair]]:
    """The rows of each file in random order, each pair once."""
    chosen: dict[str, list[LabelledPair]] = {}
    for name, sets in files.items():
        union = {pair[:2]: pair for one in sets for pair in pairs[one]}
        chosen[name] = list(union.values())
        Random(f"{seed} {name}").shuffle(chosen[name])
    return chosen


# Sentences with their forms, for the parser.


class FormRow(NamedTuple):
    """A row for the parser: joined tokens, a form, D1 to D5."""

    sentence: str
    form: str
    depth: str


class DrawnSentences(NamedTuple):
    """Rows for the parser, and how many draws were rejected because the sentence is tested."""

    rows: Sequence[FormRow]
    left_out: int


def _sentences(
    generator: PairGenerator,
    files: Files,
    chosen: Mapping[str, Sequence[LabelledPair]],
    seed: int,
    count: int,
) -> dict[str, DrawnSentences]:
    """Sentences of the whole fragment for each training file."""
    tests = filter(is_test, files)
    tested = {sentence for name in tests for pair in chosen[name] for sentence in pair[:2]}
    drawn: dict[tuple[int, ...], DrawnSentences] = {}
    found: dict[str, DrawnSentences] = {}
    for name, sets in files.items():
        if not is_test(name):
            depths = tuple(sorted({one.depth for one in sets}))
            if depths not in drawn:
                drawn[depths] = drawn_sentences(generator, depths, count, seed, tested)
            found[name] = drawn[depths]
    return found


def drawn_sentences(
    generator: PairGenerator,
    depths: Sequence[int],
    count: int,
    seed: int,
    tested: Collection[str] = (),
) -> DrawnSentences:
    """Different sentences of some depths, equally many of each, in random order, none tested.

    A sentence of the fragment has one derivation, so none is parsed here.

    Raises:
        GrammarError: a depth has too few sentences.
    """
    library = generator.library
    plan = library.plan()
    rows: list[FormRow] = []
    left_out = repeated = 0
    seen: set[str] = set()
    for number, depth in enumerate(depths, 1):
        kind = plan.type_of(f"D{depth}")
        random = Random(f"{seed} {_SEED_NAME} {depth}")
        while len(rows) < count * number // len(depths):
            derivation = kind.sample(random)
            sentence = generator.written(derivation)
            if sentence in seen:
                repeated += 1
                if repeated > MAX_REPEATS:
                    raise exhausted(kind.name, count)
                continue
            repeated = 0
            seen.add(sentence)
            if sentence in tested:
                left_out += 1
                continue
            words = " ".join(joined(library.tokens(derivation))[0])
            rows.append(FormRow(words, vf_to_str(ordered(vf(derivation))), kind.name))
    Random(f"{seed} {_SEED_NAME}").shuffle(rows)
    return DrawnSentences(rows, left_out)


def _own_sentences(pairs: Sequence[LabelledPair], count: int) -> list[FormRow]:
    """The first different sentences of pairs."""
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


def write_rows(rows: Sequence[FormRow], path: Path) -> None:
    """Write a file for the parser; its folder is created if it is missing."""
    prepare_folder(path.parent)
    with replacing(path) as file:
        file.writelines("\t".join(row) + "\n" for row in rows)


def generated_sentences(
    variant: str | None = None,
    *,
    seed: int = 0,
    notice: Notice | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Path:
    """The folder with sentences and forms for the package's parser, generated at the first call.

    The sentences are drawn from the whole fragment at depths 1 and 2.
    """

    def make(folder: Path) -> None:
        drawn = drawn_sentences(PairGenerator(), (1, 2), COUNT, seed)
        write_rows(drawn.rows, folder / FILE)
        if on_progress is not None:
            on_progress(len(drawn.rows))

    name = f"monotonicity-forms-{seed}"
    return cached(name, fragment(), make, notice, title="monotonicity", holds=FILE)
