"""The release: equal wheels from a checkout and from the sdist, licences, metadata."""

import importlib.util
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from command_line import python

ROOT = Path(__file__).resolve().parents[1]
INSTALLED = importlib.util.find_spec("hatchling") is not None


def build(what: str, source: Path, target: Path) -> Path:
    target.mkdir()
    script = f"import sys, hatchling.build as b; print(b.build_{what}(sys.argv[1]))"
    python("-c", script, target, cwd=source)
    [made] = target.iterdir()
    return made


@pytest.mark.skipif(not INSTALLED, reason="hatchling is not installed")
def test_sdist_builds_an_equal_wheel(tmp_path) -> None:
    wheel = build("wheel", ROOT, tmp_path / "wheel")
    sdist = build("sdist", ROOT, tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    [source] = (tmp_path / "source").iterdir()
    again = build("wheel", source, tmp_path / "again")
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        names = one.namelist()
        assert names == other.namelist()
        assert all(one.read(name) == other.read(name) for name in names)
    assert wheel.name == again.name
    assert wheel.name.endswith("-py3-none-any.whl"), "no part of the package is compiled"
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert any(name.endswith("licenses/NOTICE") for name in names)
    assert {"tests", "docs", "LICENSE", "NOTICE", "CHANGELOG.md", "SECURITY.md"} <= {
        path.name for path in source.iterdir()
    }


def test_metadata_has_no_address() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license"] == "Apache-2.0"
    assert not any("email" in author for author in project["authors"])
    versions = [one.rpartition(" ")[2] for one in project["classifiers"] if ":: 3." in one]
    assert versions == ["3.11", "3.12", "3.13"]
