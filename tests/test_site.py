"""The site builds without warnings and has every page, command and setting."""

import shutil
from pathlib import Path

import pytest
import typer
from command_line import python

from amparser.cli.main import app
from amparser.learn.settings import describe_settings
from amparser.learn.system_registry import SYSTEMS

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    for library in ("sphinx", "furo", "myst_parser"):
        pytest.importorskip(library, reason=f"{library} is not installed (extra docs)")
    folder = tmp_path_factory.mktemp("site")
    # The build writes a reference next to the pages.
    shutil.copytree(DOCS, folder / "docs", ignore=shutil.ignore_patterns("reference"))
    shutil.copy(DOCS.parent / "README.md", folder)
    options = ("-W", "--keep-going", "-q", "-b", "html")
    python("-m", "sphinx", *options, folder / "docs", folder / "site")
    return folder / "site"


def test_every_page_is_on_the_site(site) -> None:
    pages = [p.relative_to(DOCS).with_suffix(".html") for p in DOCS.rglob("*.md")]
    assert [str(page) for page in pages if not (site / page).is_file()] == []


def test_every_notebook_is_a_page_of_the_site(site) -> None:
    notebooks = sorted((DOCS / "notebooks").glob("*.ipynb"))
    assert notebooks
    index = (site / "index.html").read_text(encoding="utf-8")
    for path in notebooks:
        page = (site / "reference" / f"{path.stem}.html").read_text(encoding="utf-8")
        assert f'"reference/{path.stem}.html"' in index
        assert f'/{path.name}"' in page


def test_every_command_is_in_the_reference(site) -> None:
    text = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    names = getattr(typer.main.get_command(app), "commands", {})
    assert [name for name in names if f"amparser {name}" not in text] == []


def test_every_setting_is_in_the_reference(site) -> None:
    text = (site / "reference" / "settings.html").read_text(encoding="utf-8")
    missing = [
        one.key
        for name in SYSTEMS
        for one in describe_settings(SYSTEMS[name].settings)
        if f">{one.key}<" not in text
    ]
    assert missing == []


def test_pages_load_no_scripts_or_styles_from_other_hosts(site) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert '<script src="http' not in text
        assert 'rel="stylesheet" href="http' not in text
