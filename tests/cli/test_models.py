"""`amparser models`: packaged models and folders."""

import shutil

from command_line import ok

from amparser.resources import bundled_model


def test_the_models_of_the_package_say_what_they_are() -> None:
    lines = ok("models").splitlines()
    at = lines.index("slog")
    about = {line[2:15].strip(): line[15:] for line in lines[at + 1 : at + 9]}
    assert about["system"] == "amparser, preset node"
    assert about["prints"] == "cogs"
    assert about["learned from"].startswith("slog: train (")
    assert "100.0 % of dev correct in every detail" in about["figures"]
    assert about["licence"].startswith("Apache-2.0")


def test_a_folder_is_described_or_is_damaged(tmp_path) -> None:
    shutil.copytree(bundled_model(), tmp_path / "mine")
    (tmp_path / "mine" / "README.md").write_text("---\nlicense: mit\n---\n", encoding="utf-8")
    (tmp_path / "broken").mkdir()
    text = ok("models", tmp_path / "mine", tmp_path / "broken")
    mine, broken = text.split(str(tmp_path / "mine"))[1].split(str(tmp_path / "broken"), 1)
    assert "licence      mit" in mine
    assert "damaged" in broken
