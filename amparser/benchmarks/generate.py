"""`amparser generate`: a benchmark from its grammar, in the layout in which it is published."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from amparser import __version__
from amparser.corpora.examples import checksum
from amparser.errors import InputError, located
from amparser.files import replacing
from amparser.grammar.generation import Generation, Row, amounts
from amparser.grammar.library import Library, load_library
from amparser.grammar.phenomena import phenomena
from amparser.grammar.reader import grammar_to_str
from amparser.logic.clf import clauses_from_drs, clauses_to_str
from amparser.logic.cogs import logical_form_to_str
from amparser.logic.drs import drs_from_fol
from amparser.logic.fol_equivalence import alpha_normal
from amparser.logic.varfree import varfree_to_str
from amparser.resources import cache_folder

CARD = "card.json"
_EVERY = 256
# How the files of a corpus are called, by the notation of their meanings.
_LAYOUTS: Mapping[str, Mapping[str, str]] = {
    "cogs": {"cogs": "{split}.tsv"},
    "slog": {"cogs": "cogs_lf/{split}.tsv", "varfree": "varfree_lf/{split}.tsv"},
    "sygns": {form: f"{{split}}.{form}.tsv" for form in ("fol", "vf", "clf")},
}


def generate(
    benchmark: str,
    output: Path,
    *,
    setting: str | None = None,
    seed: int = 0,
    count: int | None = None,
    kinds: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Write a corpus into a folder; returns its card.

    A file a split (`train`, `dev`, `test`, `gen` and what the benchmark calls them) has
    three columns: sentence, meaning, type. SLOG has its files twice, in `cogs_lf` and in
    `varfree_lf`; SyGNS three times, `train.fol.tsv` and so on, with tags for types.
    `card.json`, written last, says what they were made of.

    Args:
        benchmark: `slog`, `cogs` or `sygns`.
        output: the folder; made where it is missing.
        setting: which of a benchmark's corpora, where it has several.
        seed: the same seed gives the same bytes.
        count: rows of `train`; other splits shrink or grow alike.
        kinds: only these types.

    Raises:
        InputError: an unknown setting or type, a count that is too small, or files that
            cannot be written.
    """
    library = load_library(benchmark)
    plan = library.plan(setting)
    wanted = amounts(plan, count=count, kinds=kinds)
    generation = Generation(library, plan, wanted, seed)
    splits = list(dict.fromkeys(split for _, split in wanted))
    paths = {
        (form, split): output / name.format(split=split)
        for form, name in _LAYOUTS[benchmark].items()
        for split in splits
    }
    for folder in {path.parent for path in paths.values()}:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(located(error.strerror or str(error), path=folder)) from None
    rows_of: dict[str, Counter[str]] = {split: Counter() for split in splits}
    with ExitStack() as stack:
        files = {key: stack.enter_context(replacing(path)) for key, path in paths.items()}
        for row in _shown(generation, sum(wanted.values())):
            rows_of[row.split][row.kind] += 1
            kind = row.kind
            if benchmark == "sygns":
                kind = phenomena(row.derivation, depth="depth" in kind)
            for form in _LAYOUTS[benchmark]:
                columns = (" ".join(row.tokens), _meaning(library, row, form), kind)
                files[form, row.split].write("\t".join(columns) + "\n")
    card = {
        "benchmark": benchmark,
        "setting": setting,
        "grammar": {"version": __version__, "sha256": grammar_checksum(library)},
        "seed": seed,
        "rows": {split: dict(sorted(rows_of[split].items())) for split in splits},
        "drawn_in_vain": dict(sorted(generation.drawn.items())),
        "files": {p.relative_to(output).as_posix(): checksum(p) for p in paths.values()},
    }
    with replacing(output / CARD) as file:
        file.write(json.dumps(card, indent=1, ensure_ascii=False) + "\n")
    return card


def report(card: dict[str, Any], output: Path) -> None:
    """Print what a corpus consists of, a line a split."""
    for split, kinds in card["rows"].items():
        print(f"{split}: {sum(kinds.values())} rows of {len(kinds)} types")
    print(f"{output / CARD}: seed {card['seed']}, {len(card['files'])} files")


def generated(benchmark: str, *, setting: str | None = None, seed: int = 0) -> Path:
    """The folder with a benchmark's data files, generated when first asked for.

    It lies in the user's cache, under the checksum of the grammar.
    """
    library = load_library(benchmark)
    library.plan(setting)
    name = benchmark if setting is None else f"{benchmark}_{setting}"
    folder = cache_folder() / f"{name}-{seed}-{grammar_checksum(library)[:10]}"
    if not (folder / CARD).exists():
        print(f"generating {name} into {folder}", file=sys.stderr)
        generate(benchmark, folder, setting=setting, seed=seed)
    return folder


def grammar_checksum(library: Library) -> str:
    """The SHA-256 of a grammar without templates and of its plan."""
    plans = sorted(library.folder.glob("*.toml"))
    texts = [grammar_to_str(library.grammar), *(p.read_text(encoding="utf-8") for p in plans)]
    return sha256("\0".join(texts).encode()).hexdigest()


def _meaning(library: Library, row: Row, form: str) -> str:
    match form:
        case "cogs":
            return logical_form_to_str(library.logical_form(row.derivation))
        case "varfree":
            return varfree_to_str(library.varfree(row.derivation))
        case "vf":
            return str(library.vf(row.derivation))
    formula = alpha_normal(library.formula(row.derivation))
    if form == "fol":
        return str(formula)
    return clauses_to_str(clauses_from_drs(drs_from_fol(formula)))


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
