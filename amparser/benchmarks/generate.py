"""Generate corpora from grammars, with the same file names as the published benchmark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from operator import attrgetter
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
"""Function that is called with the number of rows generated since the last call."""


SETTINGS: Mapping[str, Any] = {
    "preset": "node",
    "encoder": {"vectors": "auto", "pretrained": "auto"},
    "lexicon": {"dictionary": "wordnet"},
}
"""Parser settings of COGS and SLOG."""


@dataclass(frozen=True)
class GrammarCorpus:
    """Corpus generated from a grammar.

    Attributes:
        layout: pattern of file names for each notation, such as `{split}.fol.tsv`.
        tag: function that returns the third column of a row (default: the row's type).
    """

    name: str
    layout: Mapping[str, str]
    tag: Callable[[Row], str] = attrgetter("kind")

    def generate(
        self,
        output: Path,
        *,
        variant: str | None = None,
        seed: int = 0,
        count: int | None = None,
        on_progress: OnRows | None = None,
    ) -> dict[str, Any]:
        """Write the corpus to a folder and return its card.

        Each split (`train`, `dev`, `test`, `gen` and the benchmark's other splits) has a file per
        notation with three columns: sentence, meaning, tag. `card.json` documents the corpus and is
        written last.

        Args:
            variant: variant of the corpus, if the benchmark has several.
            seed: random seed; equal seeds give identical files.
            count: number of `train` rows; other splits are scaled in proportion.
            on_progress: called with the number of newly generated rows.

        Raises:
            InputError: the variant is unknown, the count is too small, or files cannot be written.
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
        *,
        seed: int = 0,
        notice: Callable[[str], None] | None = None,
        on_progress: OnRows | None = None,
    ) -> Path:
        """Return the cached folder of data files; the first call generates it.

        Args:
            notice: called with a message before files are generated.
        """
        library = load_library(self.name)
        make = partial(self.generate, seed=seed, on_progress=on_progress)
        return cached(f"{self.name}-{seed}", library, make, notice, title=self.name)


def cached(
    name: str,
    library: Library,
    make: Callable[[Path], object],
    notice: Callable[[str], None] | None,
    *,
    title: str,
) -> Path:
    """Return a folder in the user's cache; the first call fills it by calling `make`.

    `notice` is called with a message before the folder is filled. The folder's name contains a
    checksum of the grammar.
    """
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
    """Yield a function that writes a row to a file; move the files into place at the end.

    Raises InputError if the files cannot be written, or would replace files of the user.
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
        # The card marks the folder as written by amparser before any file is moved there.
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
    """Write and return a corpus card, given file names and row counts by split and tag."""
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
    """The keys that every card has."""

    rows: dict[str, Any]
    files: dict[str, str]


def is_whole(folder: Path) -> bool:
    """Return True if the files in a corpus folder match the checksums in its card."""
    try:
        card = from_json(read_json(folder / CARD), CardJson, folder / CARD, error=InputError)
        return all(checksum(folder / name) == digest for name, digest in card["files"].items())
    except (InputError, CorpusError):
        return False


def grammar_checksum(library: Library) -> str:
    """Return the SHA-256 of a grammar and its corpus plans (`grammars/NAME.toml`)."""
    plans = sorted(library.folder.glob("*.toml"))
    texts = [grammar_to_str(library.grammar), *(p.read_text(encoding="utf-8") for p in plans)]
    return sha256("\0".join(texts).encode()).hexdigest()


def summary(card: Mapping[str, Any], output: Path) -> list[str]:
    """Return a summary of a corpus: one line for each split, and one for the card."""
    lines = [
        f"{split}: {sum(types.values())} rows of {len(types)} types"
        for split, types in card["rows"].items()
    ]
    return [*lines, f"{output / CARD}: seed {card['seed']}, {len(card['files'])} files"]
