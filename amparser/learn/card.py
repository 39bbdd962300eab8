"""Model cards: what a model was trained on, how good it is, and what it cannot do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from amparser.errors import ModelError
from amparser.files import read_json
from amparser.learn.model_folder import MODEL, read_head

UNSTATED = "other"
"""The licence of a card if none is stated."""


def model_card(
    folder: Path, repository: str, *, licence: str | None = None, figures: Path | None = None
) -> str:
    """The card of a model folder, in Markdown, with the header that the hub reads.

    Args:
        folder: the model folder.
        repository: `USER/NAME`, for the example.
        licence: the name of a licence as the hub has it, such as `mit`.
        figures: what `amparser evaluate --output` wrote.

    Raises:
        ModelError: the folder is missing or damaged.
        InputError: the figures cannot be read.
    """
    head = read_head(folder)
    content = read_json(folder / f"{MODEL}.json")
    train = head.settings.get("train", {})
    commit = content.get("commit") or "unknown (an installed package)"
    sections = [
        _header(head.system, licence),
        f"# {repository}\n\nA model of the system `{head.system}` of amparser.",
        _usage(repository),
        _section(
            "Data",
            [
                f"benchmark: {head.benchmark or 'none, own data'}",
                f"notation of the meanings: {head.notation or 'none, graphs'}",
                *(_file(name, file) for name, file in head.data.items()),
            ],
        ),
        _section(
            "Training",
            [
                f"package version {content.get('package_version', 'unknown')}, commit {commit}",
                f"seed {train.get('seed', 'unknown')}",
                *_best(head.metrics),
                *_outside(head.content.get("encoder")),
            ],
        ),
        _figures(figures),
        _section(
            "Limits",
            [
                "It reads the fragment of language that its training data contains. Words that "
                "it never saw are a guess, and the result names them.",
                "It gives one reading of an ambiguous sentence.",
                "An answer has the form of a meaning even where the sentence is outside the "
                "training data; it may be wrong.",
            ],
        ),
        _section("Licence", [licence or "not stated by whoever passed the model on"]),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _header(system: str, licence: str | None) -> str:
    lines = [
        "---",
        f"license: {licence or UNSTATED}",
        "library_name: amparser",
        "language: en",
        "tags:",
        "- semantic-parsing",
        f"- {system}",
        "---",
    ]
    return "\n".join(lines)


def _usage(repository: str) -> str:
    return (
        "```python\nfrom amparser import load\n\n"
        f'model = load("hf:{repository}")\n'
        '[[result]] = model.answers([["Emma", "slept", "."]]).values()\n'
        "print(result.meaning)\n```"
    )


def _section(title: str, lines: list[str]) -> str:
    return "\n".join([f"## {title}", "", *(f"- {line}" for line in lines)])


def _file(name: str, file: Any) -> str:
    if not isinstance(file, Mapping):
        return f"{name}: {file}"
    return f"{name}: `{file.get('file', '?')}`, SHA-256 `{file.get('sha256', '?')}`"


def _best(metrics: Mapping[str, Any]) -> list[str]:
    """The figures on dev of the epoch that was kept."""
    number = metrics.get("best_epoch")
    epochs = [e for e in metrics.get("epochs", []) if e.get("epoch") == number]
    lines = [] if number is None else [f"epoch {number} was kept"]
    for epoch in epochs:
        lines += [f"{key}: {value:.4f}" for key, value in epoch.items() if key.startswith("dev_")]
    return lines


def _outside(encoder: Any) -> list[str]:
    """What weights from elsewhere the encoder knows words by."""
    told = encoder if isinstance(encoder, Mapping) else {}
    origins = [*told.get("vectors", ()), told.get("pretrained", {}).get("origin")]
    return [
        f"frozen weights `{one['name']}`, not in this folder: {one['package']} {one['version']}, "
        f"{one['licence']}, SHA-256 `{one['sha256']}`"
        for one in origins
        if one
    ]


def _figures(path: Path | None) -> str:
    if path is None:
        return ""
    content = read_json(path)
    try:
        rows = [
            f"| {decoder} | {measure} | {count['share']:.4f} | {count['denominator']:g} |"
            for decoder, figures in content["decoders"].items()
            for measure, count in figures["overall"].items()
            if count["share"] is not None
        ]
        about = f"On `{Path(content['data']).name}`, SHA-256 `{content['data_sha256']}`:"
    except (KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path}: no figures of `amparser evaluate`: {error!r}") from None
    head = "| decoder | measure | share | count |\n|---|---|--:|--:|"
    return "\n".join(["## Figures", "", about, "", head, *rows])
