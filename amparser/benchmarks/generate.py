"""Corpora from grammars, in the published layout of a benchmark."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TextIO, TypeAlias, TypedDict

from amparser import __version__
from amparser.benchmarks.fragments import MEANINGS
from amparser.errors import CorpusError, InputError
from amparser.files import begins, checksum, prepare_folder, read_json, replacing
from amparser.grammar.generation import Generation, Row, amounts
from amparser.grammar.library import Library, load_library
from amparser.grammar.reader import grammar_to_str
from amparser.resources import cache_folder
from amparser.schema import from_json

CARD = "card.json"
_EVERY = 256

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
        wanted = amounts(plan, count=count)
        generation = Generation(library, plan, wanted, seed)
        splits = list(dict.fromkeys(split for _, split in wanted))
        paths = {
            (notation, split): output / name.format(split=split)
            for notation, name in self.layout.items()
            for split in splits
        }
        prepare_corpus(output, [path.relative_to(output) for path in paths.values()])
        for path in paths.values():
            prepare_folder(path.parent)
        rows = self._write(generation, paths, output, on_progress)
        card = {
            "benchmark": self.name,
            "variant": variant,
            "grammar": {"version": __version__, "sha256": grammar_checksum(library)},
            "seed": seed,
            "rows": {split: dict(sorted(rows[split].items())) for split in splits},
            "drawn_in_vain": dict(sorted(generation.drawn.items())),
            "files": checksums(paths.values(), output),
        }
        write_card(card, output)
        return card

    def _write(
        self,
        generation: Generation,
        paths: Mapping[tuple[str, str], Path],
        output: Path,
        on_progress: OnRows | None,
    ) -> dict[str, Counter[str]]:
        """Write the files; returns the number of rows of each type by split."""
        rows_of: dict[str, Counter[str]] = {split: Counter() for _, split in paths}
        total = sum(generation.wanted.values())
        with ExitStack() as stack:
            files = {key: stack.enter_context(replacing(path)) for key, path in paths.items()}
            for number, row in enumerate(generation.rows(), 1):
                rows_of[row.split][row.kind] += 1
                for notation in self.layout:
                    meaning = MEANINGS[notation](generation.library, row.derivation)
                    columns = (" ".join(row.tokens), meaning, self.tag(row))
                    files[notation, row.split].write("\t".join(columns) + "\n")
                if on_progress is not None and (number % _EVERY == 0 or number == total):
                    on_progress((number - 1) % _EVERY + 1)
            announce(self.name, files.values(), output)
        return rows_of

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
    holds: str | None = None,
) -> Path:
    """A folder in the user's cache, which is made at the first call.

    `notice` is called with one line before that. A whole folder has the file `holds`, or those of
    its card.
    """
    folder = cache_folder() / f"{name}-{grammar_checksum(library)[:10]}"
    if not (is_whole(folder) if holds is None else (folder / holds).exists()):
        if notice is not None:
            notice(f"generating {title} into {folder}")
        make(folder)
    return folder


def checksums(paths: Iterable[Path], folder: Path) -> dict[str, str]:
    """The SHA-256 of files by their names in a folder."""
    return {path.relative_to(folder).as_posix(): checksum(path) for path in paths}


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


def prepare_corpus(folder: Path, names: Iterable[str | Path]) -> None:
    """Make the folder of a corpus, and check that files of these names can be written there.

    Raises:
        InputError: they cannot, or would replace somebody else's.
    """
    chosen = [CARD, *map(str, names)]
    prepare_folder(folder, chosen, is_ours=begins(folder / CARD, '"benchmark"'))


def announce(benchmark: str, files: Iterable[TextIO], folder: Path) -> None:
    """Let the card of a corpus say whose its files are, before they take their places."""
    for file in files:
        file.flush()
    write_card({"benchmark": benchmark}, folder)


def write_card(card: Mapping[str, Any], folder: Path) -> None:
    """Write the card of a corpus."""
    with replacing(folder / CARD) as file:
        file.write(json.dumps(card, indent=1, ensure_ascii=False) + "\n")


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
