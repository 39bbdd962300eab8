"""Sentences with their forms: the training data of the fragment's parser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

from amparser.benchmarks.fragments import vf
from amparser.benchmarks.generate import grammar_checksum, make_folder
from amparser.benchmarks.monotonicity.fragment import Fragment
from amparser.benchmarks.monotonicity.multiword import Multiword
from amparser.benchmarks.monotonicity.pair_generator import Pair, PairGenerator
from amparser.benchmarks.monotonicity.protocol import TRAIN
from amparser.corpora.tokens import tokenize
from amparser.errors import GrammarError
from amparser.files import replacing
from amparser.grammar.generation import MAX_REPEATS
from amparser.grammar.library import Library, load_library
from amparser.logic.vf import vf_to_str
from amparser.notations.quantified_graph import ordered
from amparser.resources import cache_folder

FILE = f"{TRAIN}.quantified.tsv"
COUNT = 20_000
"""The number of sentences of a file, if the fragment or the pairs have so many."""
_DEPTHS = (1, 2)
_SEED_NAME = "forms"  # in the seeds of random numbers


class FormRow(NamedTuple):
    """A row for the parser: joined tokens, a form, D1 to D5."""

    sentence: str
    form: str
    depth: str


@dataclass(frozen=True)
class DrawnSentences:
    """Rows for the parser, and how many draws were rejected because the sentence is tested."""

    rows: Sequence[FormRow]
    left_out: int


def drawn_sentences(
    generator: PairGenerator, depths: Sequence[int], count: int, seed: int, tested: AbstractSet[str]
) -> DrawnSentences:
    """Different sentences of some depths, equally many of each depth, in random order.

    A sentence of the fragment has one derivation, so none is parsed here.

    Args:
        generator: the generator, which has the grammar.
        depths: depths from D1 to D5.
        count: the number of all sentences.
        seed: the same seed gives the same sentences.
        tested: sentences as files have them; none of them is drawn.

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
        random = Random(f"{seed} {_SEED_NAME} {depth}")
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
            rows.append(FormRow(" ".join(joined), vf_to_str(ordered(vf(derivation))), kind.name))
    Random(f"{seed} {_SEED_NAME}").shuffle(rows)
    return DrawnSentences(rows, left_out)


def own_sentences(library: Library, pairs: Sequence[Pair], count: int) -> list[FormRow]:
    """The first different sentences of pairs."""
    fragment, multiword = Fragment(), Multiword.of_grammar(library)
    depths: dict[str, int] = {}
    for pair in pairs:
        depth = int(pair.genre.partition(".")[0].removeprefix("depth")) + 1
        for sentence in pair[:2]:
            if len(depths) < count:
                depths.setdefault(sentence, depth)
    rows = []
    for sentence, depth in depths.items():
        tokens = tokenize(sentence)
        form = vf_to_str(ordered(fragment(tokens).term))
        rows.append(FormRow(" ".join(multiword.joined(tokens)[0]), form, f"D{depth}"))
    return rows


def write_rows(rows: Sequence[FormRow], path: Path) -> None:
    """Write a file for the parser; its folder is created if it is missing."""
    make_folder(path.parent)
    with replacing(path) as file:
        file.writelines("\t".join(row) + "\n" for row in rows)


def generated_sentences(
    variant: str | None = None,
    *,
    seed: int = 0,
    notice: Callable[[str], None] | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Path:
    """The folder with sentences and forms for the package's parser, generated at the first call.

    The sentences are drawn from the whole fragment at depths 1 and 2. The folder is in the
    user's cache, under the checksum of the grammar.

    Args:
        variant: there are no variants.
        seed: the same seed gives the same sentences.
        notice: called with one line before the file is generated.
        on_progress: called with the number of rows generated.
    """
    checksum = grammar_checksum(load_library("monotonicity"))[:10]
    folder = cache_folder() / f"monotonicity-forms-{seed}-{checksum}"
    if not (folder / FILE).exists():
        if notice is not None:
            notice(f"generating monotonicity into {folder}")
        drawn = drawn_sentences(PairGenerator(), _DEPTHS, COUNT, seed, frozenset())
        write_rows(drawn.rows, folder / FILE)
        if on_progress is not None:
            on_progress(len(drawn.rows))
    return folder
