"""The site: sphinx-build -W docs site.

The pages are plain Markdown, which reads well without the site too. This module adds the list of
pages, and generates the reference of commands, settings and functions from the code.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import typer
from typer.testing import CliRunner

import amparser
from amparser.cli.main import app as commands
from amparser.learn.settings import describe_settings
from amparser.learn.system_registry import SYSTEMS

DOCS = Path(__file__).parent
GENERATED = DOCS / "reference"
NOTEBOOKS = DOCS / "notebooks"

project = "amparser"
author = "the amparser authors"
release = version = amparser.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = f"amparser {release}"
exclude_patterns = ["pictures"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
# Attributes in docstrings are fields, since the classes list them too.
napoleon_use_ivar = True
# Docstrings write code in single backticks.
default_role = "literal"
# Fences have words for the tests behind the language, and outputs are cut with "...".
suppress_warnings = ["misc.highlighting_failure"]

API = (
    "amparser",
    "amparser.api",
    "amparser.parser",
    "amparser.results",
    "amparser.explanation",
    "amparser.draw",
    "amparser.draw.sentences",
    "amparser.draw.boxes",
    "amparser.draw.svg",
    "amparser.algebra.fragment",
    "amparser.algebra.derivation",
    "amparser.algebra.expand",
    "amparser.algebra.tree",
    "amparser.graph.sgraph",
    "amparser.corpora.example",
    "amparser.notations.notation",
    "amparser.corpora.formats",
    "amparser.decode.decoder",
    "amparser.decode.scores",
    "amparser.decode.parse",
    "amparser.evaluation.metric",
    "amparser.learn.system",
    "amparser.evaluation.benchmark",
    "amparser.registry",
    "amparser.hub",
    "amparser.errors",
)
"""The modules of the reference: what users call, and the protocols of the seams."""


def write_reference() -> None:
    """Write the pages that come from the code."""
    GENERATED.mkdir(exist_ok=True)
    pages = {
        "readme": readme(),
        "commands": command_reference(),
        "settings": settings_reference(),
        "api": api_reference(),
        **{path.stem: notebook(path) for path in sorted(NOTEBOOKS.glob("*.ipynb"))},
    }
    for name, text in pages.items():
        path = GENERATED / f"{name}.md"
        # An equal page keeps its date, so that it is not built again.
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def readme() -> str:
    """Return the README with links relative to the reference, and none to files outside `docs`."""
    text = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"\[([^\]]+)\]\([A-Z]+(?:\.md)?\)", r"\1", text)
    return re.sub(r"\]\(docs/", "](../", text)


def notebook(path: Path) -> str:
    """The cells of a notebook as a page; it is as deep as the notebook, so links stay."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    parts = [
        f"```python\n{text}\n```" if cell["cell_type"] == "code" else text
        for cell, text in zip(cells, texts, strict=True)
    ]
    download = f"Take it along: {{download}}`{path.name} <../notebooks/{path.name}>`."
    return "\n\n".join([*parts[:1], download, *parts[1:]]) + "\n"


def command_reference() -> str:
    """The help of every command, as the command line prints it."""
    parts = ["# Every command\n"]
    for words in _commands(typer.main.get_command(commands), ()):
        found = CliRunner().invoke(
            commands, [*words, "--help"], env={"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
        )
        text = "\n".join(line.rstrip() for line in found.stdout.strip("\n").splitlines())
        parts.append(f"## amparser {' '.join(words)}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


def _commands(command: Any, words: tuple[str, ...]) -> list[tuple[str, ...]]:
    below = getattr(command, "commands", None)
    if below is None:
        return [words]
    return [found for name in below for found in _commands(below[name], (*words, name))]


def settings_reference() -> str:
    """The settings of every system."""
    parts = ["# Every setting\n"]
    for name in SYSTEMS:
        rows = [
            f"| `{one.key}` | `{one.default}` | {_cell(one.values)} | {_cell(one.about)} |"
            for one in describe_settings(SYSTEMS[name].settings)
        ]
        table = "\n".join(("| setting | default | values | meaning |", "|---|---|---|---|", *rows))
        parts.append(f"## {name}\n\n{SYSTEMS[name].about}\n\n{table}\n")
    return "\n".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def api_reference() -> str:
    """The functions and classes of `API`."""
    parts = ["# Functions and classes\n"]
    for name in API:
        parts.append(f"## {name}\n\n```{{eval-rst}}\n.. automodule:: {name}\n   :members:\n```\n")
    return "\n".join(parts)


def on_read(app: Any, name: str, source: list[str]) -> None:
    """Links out of `docs/` become links of the site; the index gets its list of pages."""
    depth = name.count("/")
    up = "../" * depth
    text = re.sub(r"\]\((?:\.\./)+README\.md", f"]({up}reference/readme.md", source[0])
    # Notebooks are pages of the reference.
    text = re.sub(r"\]\(((?:\.\./)*)notebooks/([\w-]+)\.ipynb", r"](\1reference/\2.md", text)
    if name == "index":
        text += _toctrees(text)
    source[0] = text


def _toctrees(index: str) -> str:
    """A hidden list of the pages below each heading of the index."""
    trees = []
    for part in index.split("\n## ")[1:]:
        pages = re.findall(r"\]\(([\w/-]+)\.md\)", part)
        trees.append((part.partition("\n")[0], pages))
    trees.append(
        ("Reference", [f"reference/{n}" for n in ("readme", "commands", "settings", "api")])
    )
    return "".join(
        f"\n\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(pages) + "\n```\n"
        for caption, pages in trees
    )


def on_docstring(
    app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """An indented block of a docstring keeps its lines."""
    shown: list[str] = []
    before = ""
    for line in lines:
        if line.startswith("    ") and not before.startswith(" ") and shown[-1:] != [before]:
            shown += ["::", ""]
        shown.append(line)
        before = line or before
    lines[:] = shown


def setup(app: Any) -> None:
    """Called by Sphinx."""
    write_reference()
    # Before napoleon, which reads the sections of a docstring.
    app.connect("autodoc-process-docstring", on_docstring, priority=400)
    app.connect("source-read", on_read)
