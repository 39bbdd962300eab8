"""Corpora from grammars, in the published layout of a benchmark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias, TypedDict

from amparser import __version__
from amparser.benchmarks.fragments import MEANINGS
from amparser.errors import CorpusError, InputError
from amparser.files import begins, checksum, prepare_folder, read_json, replacing, write_json
from amparser.grammar.generation import Generation, Row, amounts
from amparser.grammar.library import Library, load_library
from amparser.grammar.reader import grammar_to_str
from amparser.resources import cache_folder
from amparser.schema import from_json

CARD = "card.json"

OnRows: TypeAlias = Callable[[int], None]
"""Called from time to time with the number of rows generated since the last call."""


def _type_of(row: Row) -> str:
    return row.kind


@dataclass(frozen=True)
class GrammarCorpus:
    """A corpus that a grammar generates: its files by notation, such as `{split}.fol.tsv`.

    A row's third column is `tag`, by default its type.
    """

    name: str
    layout: Mapping[str, str]
    tag: Callable[[Row], str] = _type_of

    def generate(
        self,
        output: Path,
        *,
        variant: str | None = None,
        seed: int = 0,
        count: int | None = None,
        on_progress: OnRows | None = None,
    ) -> dict[str, Any]:
        """Write the corpus into a folder; returns its card.

        Each split (`train`, `dev`, `test`, `gen` and further splits of the benchmark) has a file
        for each notation, with three columns: sentence, meaning, tag. `card.json`, written
        last, documents the corpus.

        Args:
            seed: the same seed gives the same bytes.
            count: rows of `train`; other splits shrink or grow alike.

        Raises:
            InputError: an unknown variant, a count that is too small, or files that
                cannot be written.
        """
        library = load_library(self.name)
        plan = library.plan(variant)
        generation = Generation(library, plan, amounts(plan, count=count), seed)
        splits = dict.fromkeys(split for _, split in generation.wanted)
        rows: dict[str, Counter[str]] = {split: Counter() for split in splits}
        names = [name.format(split=split) for name in self.layout.values() for split in splits]
        with corpus_files(output, names, self.name) as write:
            for row in generation.rows():
                rows[row.split][row.kind] += 1
                for notation, name in self.layout.items():
                    meaning = MEANINGS[notation](library, row.derivation)
                    columns = (" ".join(row.tokens), meaning, self.tag(row))
                    write(name.format(split=row.split), columns)
                if on_progress is not None:
                    on_progress(1)
        drawn = dict(sorted(generation.drawn.items()))
        return write_card(
            output, names, library, self.name, variant, seed, rows, drawn_in_vain=drawn
        )

    def generated(
        self,
        variant: str | None = None,
        *,
        seed: int = 0,
        notice: Callable[[str], None] | None = None,
        on_progress: OnRows | None = None,
    ) -> Path:
        """The folder with the data files, generated at the first call.

        Raises:
            InputError: see `generate`.
        """
        library = load_library(self.name)
        library.plan(variant)
        name = self.name if variant is None else f"{self.name}_{variant}"
        make = partial(self.generate, variant=variant, seed=seed, on_progress=on_progress)
        return cached(f"{name}-{seed}", library, make, notice, title=name)


def cached(
    name: str,
    library: Library,
    make: Callable[[Path], object],
    notice: Callable[[str], None] | None,
    *,
    title: str,
) -> Path:
    """Return a folder in the user's cache; `make` fills it at the first call, after a `notice`."""
    folder = cache_folder() / f"{name}-{grammar_checksum(library)[:10]}"
    if not is_whole(folder):
        if notice is not None:
            notice(f"generating {title} into {folder}")
        make(folder)
    return folder


@contextmanager
def corpus_files(
    folder: Path, names: Sequence[str], benchmark: str
) -> Iterator[Callable[[str, Sequence[str]], object]]:
    """Yield a function that writes a row of columns to a file; files take their places at the end.

    Raises:
        InputError: files cannot be written there, or would replace somebody else's.
    """
    prepare_folder(folder, [CARD, *names], is_ours=begins(folder / CARD, '"benchmark"'))
    with ExitStack() as stack:
        files = {}
        for name in names:
            prepare_folder((folder / name).parent)
            files[name] = stack.enter_context(replacing(folder / name))
        yield lambda name, columns: files[name].write("\t".join(columns) + "\n")
        for file in files.values():
            file.flush()
        # The card says whose the files are before they take their places.
        write_json(folder / CARD, {"benchmark": benchmark})


def write_card(
    folder: Path,
    names: Iterable[str],
    library: Library,
    benchmark: str,
    variant: str | None,
    seed: int,
    rows: Mapping[str, Mapping[str, int]],
    **more: Any,
) -> dict[str, Any]:
    """Write and return the card of a corpus, given its files and its rows by split and tag."""
    card = {
        "benchmark": benchmark,
        "variant": variant,
        "grammar": {"version": __version__, "sha256": grammar_checksum(library)},
        "seed": seed,
        "rows": {name: dict(sorted(counts.items())) for name, counts in rows.items()},
        **more,
        "files": {name: checksum(folder / name) for name in names},
    }
    write_json(folder / CARD, card)
    return card


class CardJson(TypedDict):
    """What every card has."""

    rows: dict[str, Any]
    files: dict[str, str]


def is_whole(folder: Path) -> bool:
    """Whether a folder has a corpus, and its files are those that its card describes."""
    try:
        card = from_json(read_json(folder / CARD), CardJson, folder / CARD, error=InputError)
        return all(checksum(folder / name) == digest for name, digest in card["files"].items())
    except (InputError, CorpusError):
        return False


def grammar_checksum(library: Library) -> str:
    """The SHA-256 of a grammar with expanded templates and of its plan."""
    plans = sorted(library.folder.glob("*.toml"))
    texts = [grammar_to_str(library.grammar), *(p.read_text(encoding="utf-8") for p in plans)]
    return sha256("\0".join(texts).encode()).hexdigest()


def summary(card: Mapping[str, Any], output: Path) -> list[str]:
    """The summary of a corpus: one line per split, and one for the card."""
    lines = [
        f"{split}: {sum(types.values())} rows of {len(types)} types"
        for split, types in card["rows"].items()
    ]
    return [*lines, f"{output / CARD}: seed {card['seed']}, {len(card['files'])} files"]
