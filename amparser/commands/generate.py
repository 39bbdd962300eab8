"""`amparser generate`: a benchmark from its grammar, in the layout in which it is published."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from amparser import __version__
from amparser.commands.files import replacing
from amparser.corpus import checksum
from amparser.errors import InputError, located
from amparser.grammar.generation import Generation, Row, amounts
from amparser.grammar.library import Library, load_library
from amparser.grammar.plan import SPLITS
from amparser.grammar.reader import grammar_to_str
from amparser.logic.cogs import logical_form_to_str
from amparser.logic.varfree import varfree_to_str
from amparser.resources import cache_folder

CARD = "card.json"
# In the folders of a corpus its logical forms are those of COGS, or variable-free.
_COGS, _VARFREE = "cogs", "varfree"
_FOLDERS = {"cogs": {".": _COGS}, "slog": {"cogs_lf": _COGS, "varfree_lf": _VARFREE}}
MAIN_FOLDER = {"cogs": ".", "slog": "cogs_lf"}
_EVERY = 256


def generate(
    benchmark: str,
    output: Path,
    *,
    seed: int = 0,
    count: int | None = None,
    kinds: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Write a corpus into a folder; returns its card.

    `train`, `dev`, `test` and `gen` have three columns: sentence, logical form, type.
    SLOG has them twice, in `cogs_lf` and in `varfree_lf`. `card.json`, written last,
    says what they were made of.

    Args:
        benchmark: `slog` or `cogs`.
        output: the folder; made where it is missing.
        seed: the same seed gives the same bytes.
        count: rows of `train`; other splits shrink or grow alike.
        kinds: only these types.

    Raises:
        InputError: an unknown type, a count that is too small, or files that cannot
            be written.
    """
    library = load_library(benchmark)
    wanted = amounts(library, count=count, kinds=kinds)
    generation = Generation(library, wanted, seed)
    folders = {output / name: form for name, form in _FOLDERS[benchmark].items()}
    splits = [split for split in SPLITS if any(s == split for _, s in wanted)]
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(located(error.strerror or str(error), path=folder)) from None
    rows_of: dict[str, Counter[str]] = {split: Counter() for split in splits}
    with ExitStack() as stack:
        files = {
            (folder, split): stack.enter_context(replacing(folder / f"{split}.tsv"))
            for folder in folders
            for split in splits
        }
        for row in _shown(generation, sum(wanted.values())):
            rows_of[row.split][row.kind] += 1
            for folder, form in folders.items():
                columns = (" ".join(row.tokens), _meaning(library, row, form), row.kind)
                files[folder, row.split].write("\t".join(columns) + "\n")
    paths = [folder / f"{split}.tsv" for folder in folders for split in splits]
    card = {
        "benchmark": benchmark,
        "grammar": {"version": __version__, "sha256": grammar_checksum(library)},
        "seed": seed,
        "rows": {split: dict(sorted(rows_of[split].items())) for split in splits},
        "drawn_in_vain": dict(sorted(generation.drawn.items())),
        "files": {path.relative_to(output).as_posix(): checksum(path) for path in paths},
    }
    with replacing(output / CARD) as file:
        file.write(json.dumps(card, indent=1, ensure_ascii=False) + "\n")
    return card


def report(card: dict[str, Any], output: Path) -> None:
    """Print what a corpus consists of, a line a split."""
    for split, kinds in card["rows"].items():
        print(f"{split}: {sum(kinds.values())} rows of {len(kinds)} types")
    print(f"{output / CARD}: seed {card['seed']}, {len(card['files'])} files")


def generated(benchmark: str, *, seed: int = 0) -> Path:
    """The folder with a benchmark's data files, generated when first asked for.

    It lies in the user's cache, under the checksum of the grammar.
    """
    library = load_library(benchmark)
    folder = cache_folder() / f"{benchmark}-{seed}-{grammar_checksum(library)[:10]}"
    if not (folder / CARD).exists():
        print(f"generating {benchmark} into {folder}", file=sys.stderr)
        generate(benchmark, folder, seed=seed)
    return folder / MAIN_FOLDER[benchmark]


def grammar_checksum(library: Library) -> str:
    """The SHA-256 of a grammar without templates and of its plan."""
    plans = sorted(library.folder.glob("*.toml"))
    texts = [grammar_to_str(library.grammar), *(p.read_text(encoding="utf-8") for p in plans)]
    return sha256("\0".join(texts).encode()).hexdigest()


def _meaning(library: Library, row: Row, form: str) -> str:
    if form == _VARFREE:
        return varfree_to_str(library.varfree(row.derivation))
    return logical_form_to_str(library.logical_form(row.derivation))


def _shown(generation: Generation, total: int) -> Iterator[Row]:
    """The rows, with a progress bar where stderr is a terminal."""
    with _bar(total) as advance:
        for number, row in enumerate(generation.rows(), 1):
            yield row
            if number % _EVERY == 0:
                advance(_EVERY)


@contextmanager
def _bar(total: int) -> Iterator[Any]:
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda count: None
        return
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("generating", total=total)
        yield lambda count: bar.advance(task, count)
