"""`amparser push`: pass a model on, with a card that says what it is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def push(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The model folder.")],
    repository: Annotated[
        str, typer.Argument(metavar="USER/NAME", help="Repository on Hugging Face's hub.")
    ],
    licence: Annotated[
        str | None,
        typer.Option("--licence", metavar="NAME", help="Licence of the model, such as mit."),
    ] = None,
    figures: Annotated[
        Path | None,
        typer.Option(
            "--figures", metavar="FILE.json", help="Figures that evaluate --output wrote."
        ),
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="Make a new repository private.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the card, and upload nothing.")
    ] = False,
) -> None:
    """Upload a model folder with a generated model card.

    The hub's own login is used: run `hf auth login` first.
    """
    from amparser.hub import model_folder, upload
    from amparser.learn.card import model_card

    folder = model_folder(model)
    card = model_card(folder, repository, licence=licence, figures=figures)
    if dry_run:
        print(card, end="")
        return
    print(upload(folder, repository, card, private=private))
