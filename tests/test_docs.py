"""README and docs: examples run, links and file names resolve, commands and options exist.

The first word of a fenced block is its language; further words say how it is tested:

    console             each line `$ amparser ...` runs, and its output follows (`...` for any);
                        `$ python docs/NAME.py ...` runs a script of the repository
    console exit-1      each command ends with this exit code
    python              runs; all blocks of a page share their names
    text file=NAME      is written to a file, for the commands of the page
    ... no-test         does not run, since it takes minutes or needs a missing file
    sh                  never runs
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from command_line import python, run
from markdown_it import MarkdownIt

from amparser.benchmarks.registry import BENCHMARKS
from amparser.cli.main import app
from amparser.corpora.formats import FORMATS
from amparser.decode.decoders import DECODERS
from amparser.evaluation.metric_registry import METRICS
from amparser.learn.settings import describe_settings
from amparser.learn.system_registry import SYSTEMS
from amparser.notations.registry import NOTATIONS

ROOT = Path(__file__).resolve().parents[1]
# Building the site writes pages to docs/reference.
PAGES = [
    ROOT / "README.md",
    *sorted(p for p in (ROOT / "docs").rglob("*.md") if "reference" not in p.parts),
]
REGISTRIES = (NOTATIONS, FORMATS, DECODERS, METRICS, BENCHMARKS, SYSTEMS)

README_LINES = 140
PATH = re.compile(r"(?<![\w./-])(?:amparser|tests|training|grammars|docs)/[\w./-]*\w")
PLACEHOLDER = re.compile(r"NAME|BENCHMARK|SYSTEM|SETTING|RECORD")

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


class Block(NamedTuple):
    """A fenced block: words of its first line, text, and line number of the text."""

    words: tuple[str, ...]
    text: str
    line: int

    @property
    def language(self) -> str:
        return self.words[0] if self.words else ""

    def value(self, prefix: str) -> str | None:
        return next((w.removeprefix(prefix) for w in self.words if w.startswith(prefix)), None)


def blocks(page: Path) -> Iterator[Block]:
    for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        if token.type == "fence":
            yield Block(tuple(token.info.split()), token.content, token.map[0] + 2)


def commands(block: Block) -> Iterator[tuple[int, str, str]]:
    r"""Yield line, command and expected output of each `$ ` line; `\` continues a command."""
    text = re.sub(r"\\\n\s*", "", block.text)
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield block.line, command, output


@pytest.fixture
def _registries() -> Iterator[None]:
    """Undo the registrations of a page."""
    names = [set(registry) for registry in REGISTRIES]
    yield
    for registry, before in zip(REGISTRIES, names, strict=True):
        for name in set(registry) - before:
            registry.unregister(name)


@every_page
@pytest.mark.usefixtures("_registries")
def test_examples_run(page, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page):
        if "no-test" in block.words:
            continue
        if name := block.value("file="):
            file = Path(name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            exec(compile("\n" * (block.line - 1) + block.text, str(page), "exec"), names)
        elif block.language == "console":
            for line, command, expected in commands(block):
                check(f"{page.name}:{line}", command, expected, int(block.value("exit-") or 0))


def check(place: str, command: str, expected: str, exit_code: int) -> None:
    program, *arguments = shlex.split(command)
    if program == "python":
        python(ROOT / arguments[0], *arguments[1:])
        return
    assert program == "amparser", f"{place}: expected amparser, found {command}"
    result = run(*arguments)
    assert result.exit_code == exit_code, f"{place}: {command}\n{result.output}"
    if not expected.strip():
        return
    found = result.stdout if exit_code == 0 else result.output
    flags = ELLIPSIS | NORMALIZE_WHITESPACE
    same = OutputChecker().check_output(expected.strip() + "\n", found.strip() + "\n", flags)
    assert same, f"{place}: {command}\nexpected:\n{expected}\nfound:\n{found}"


@every_page
def test_links_point_to_files(page) -> None:
    tokens = MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8"))
    targets = [
        str(child.attrs.get("href") or child.attrs.get("src"))
        for token in tokens
        for child in token.children or ()
        if child.type in ("link_open", "image")
    ]
    files = [target.partition("#")[0] for target in targets if "://" not in target]
    assert [name for name in files if name and not (page.parent / name).exists()] == []


@every_page
def test_named_files_exist(page) -> None:
    named = set(PATH.findall(page.read_text(encoding="utf-8")))
    assert sorted(n for n in named if not PLACEHOLDER.search(n) and not (ROOT / n).exists()) == []


@every_page
def test_commands_and_options_exist(page) -> None:
    tokens = MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8"))
    texts = [block.text.replace("\\\n", " ") for block in blocks(page)]
    for token in tokens:
        texts += [c.content for c in token.children or () if c.type == "code_inline"]
    lines = [line.strip().removeprefix("$ ") for text in texts for line in text.splitlines()]
    unknown = [
        f"{line}: {problem}"
        for line in lines
        for part in re.split(r"&&| \| ", line)
        if part.strip().startswith("amparser ") and (problem := unknown_part(part.split()[1:]))
    ]
    assert unknown == []


def unknown_part(words: Sequence[str]) -> str | None:
    command = typer.main.get_command(app)
    # A group of commands; typer bundles its own copy of click's classes.
    while (below := getattr(command, "commands", None)) and words and words[0][0] != "-":
        if words[0].isupper():
            return None
        # `amparser a|b` stands for two commands.
        for name in words[0].split("|"):
            if name not in below:
                return name
        command, words = below[words[0].split("|")[0]], words[1:]
    known = {name for p in command.params for name in (*p.opts, *p.secondary_opts)}
    known |= {"--help", "-h"}
    options = [word.split("=")[0] for word in words if re.match(r"--?[a-z]", word)]
    return next((option for option in options if option not in known), None)


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= README_LINES


def test_index_names_every_page() -> None:
    folder = ROOT / "docs"
    text = (folder / "index.md").read_text(encoding="utf-8")
    pages = [page.relative_to(folder).as_posix() for page in PAGES[1:]]
    assert [page for page in pages if page != "index.md" and f"({page})" not in text] == []


def test_architecture_names_every_part_of_the_package() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    package = ROOT / "amparser"
    parts = {p.name for p in package.iterdir() if (p / "__init__.py").is_file()}
    parts |= {p.stem for p in package.glob("*.py") if not p.stem.startswith("__")}
    assert sorted(part for part in parts if f"`{part}`" not in text) == []


def test_commands_page_names_every_metric() -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert [name for name in METRICS if f"`{name}`" not in text] == []


def test_settings_page_states_the_true_defaults() -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `([\w.]+)` \| `(.*?)` \|", text, re.MULTILINE))
    settings = describe_settings(SYSTEMS["amparser"].settings)
    assert listed.items() <= {setting.key: setting.default for setting in settings}.items()
