"""`amparser models`: list available models."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from amparser.benchmarks.registry import BENCHMARKS
from amparser.errors import AMParserError
from amparser.hub import CARD
from amparser.resources import bundled_model, bundled_models

_PACKAGE = "Apache-2.0, as the package; NOTICE lists the sources and terms of their data"
_LICENCE = re.compile(r"^license: *(.+)$", re.MULTILINE)


def models(
    folders: Annotated[list[Path] | None, typer.Argument(metavar="DIR")] = None,
) -> None:
    """List the available models: the packaged ones and the folders that you name.

    Each entry says what the model reads and prints, and how accurate it is.

    Args:
        folders: Model folders of your own.
    """
    from rich.console import Console

    console = Console(markup=False, highlight=False)
    entries = [(path.name, path, _PACKAGE) for path in bundled_models()]
    entries += [(str(path), path, "") for path in folders or []]
    for name, path, licence in entries:
        console.print(name)
        for key, value in _about(path, licence):
            console.print(f"  {key:<13}{value}", soft_wrap=True)


def _about(folder: Path, licence: str) -> Iterator[tuple[str, str]]:
    from amparser.learn.model_folder import read_head

    try:
        head = read_head(folder)
    except AMParserError as error:
        if licence:  # a damaged packaged model is an error
            raise
        yield "damaged", str(error)
        return
    about = BENCHMARKS[head.benchmark].about if head.benchmark in BENCHMARKS else ""
    files = ", ".join(
        f"{name} ({file['file']})" if isinstance(file, dict) and "file" in file else name
        for name, file in head.data.items()
    )
    if folder == bundled_model():
        yield "default", "used if no model is named"
    preset = head.settings.get("preset")
    yield "system", f"{head.system}, preset {preset}" if preset else head.system
    yield "reads", about or "sentences like its training sentences"
    if languages := head.content.get("languages"):
        yield "languages", ", ".join(languages)
    yield "prints", head.notation or "graphs in PENMAN, or trees"
    yield "learned from", f"{head.benchmark or 'own data'}: {files or 'unknown files'}"
    number = head.metrics.get("best_epoch", 0)
    best = [e for e in head.metrics.get("epochs", []) if e.get("epoch") == number]
    right = [epoch["dev_accuracy"] for epoch in best if "dev_accuracy" in epoch]
    exact = [f"{100 * share:.1f} % of dev correct in every detail" for share in right]
    yield "figures", ", ".join(exact) or "none on dev"
    yield "confidence", "none" if head.confidence is None else "estimated for each answer"
    card = folder / CARD
    stated = _LICENCE.search(card.read_text(encoding="utf-8")) if card.is_file() else None
    yield "licence", licence or (stated[1].strip() if stated else "not stated")
