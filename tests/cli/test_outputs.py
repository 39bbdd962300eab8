"""Outputs of each command, by option.

The tests take commands and options from the application. An option that names a path is listed in
`READ`, or in the application's `OUTPUTS` and in `RUNS`. A new command fails until it is listed.
"""

import os
import re
import resource
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import EnumType
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, get_type_hints

import pytest
import tiny_model
from command_line import SMALL, refused, run
from killed import files_below
from typer.main import get_command

from amparser.cli.application import OUTPUTS
from amparser.cli.main import app

READ = frozenset(
    {"input_", "text_file", "inputs", "file", "files", "data", "model", "models", "folder"}
    | {"folders", "config", "predictions", "settings", "start", "from_", "also", "schema"}
)
"""Parameters that name inputs."""
ADDED = ("log", "rows")
"""Parameters of files to which lines are appended; `test_ask` covers them."""


class Known(NamedTuple):
    words: tuple[str, ...]
    parameters: Sequence[Any]
    paths: frozenset[str]

    def line(self, **given: Path) -> list[str | Path]:
        found: list[str | Path] = [*self.words]
        for one in self.parameters:
            if one.name in given or one.required:
                kind = one.bare_type
                some = next(iter(kind)).value if isinstance(kind, EnumType) else "1"
                option = [name for name in one.opts if name[:2] == "--"][:1]
                found += [*option, given.get(one.name, some)]
        return found


def commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[Known]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*words, name))
            continue
        hints = get_type_hints(command.callback)
        paths = {
            one.name
            for one in command.params
            if "Path" in repr(hints.get(one.name))
            or (one.metavar or "").startswith(("FILE", "DIR"))
        }
        yield Known((*words, name), command.params, frozenset(paths))


COMMANDS = {" ".join(one.words): one for one in commands(get_command(app))}
WRITES = [
    (name, one)
    for name, command in COMMANDS.items()
    for one in sorted(command.paths)
    if one in OUTPUTS
]


def test_each_path_is_known_to_be_read_or_written() -> None:
    paths = {path for command in COMMANDS.values() for path in command.paths}
    assert paths - READ - set(OUTPUTS) == set()
    assert not READ & set(OUTPUTS)
    assert len(WRITES) >= 8


@pytest.mark.parametrize(("name", "output"), WRITES)
def test_output_must_differ_from_inputs_and_other_outputs(name, output, tmp_path) -> None:
    command = COMMANDS[name]
    for number, other in enumerate(sorted(command.paths - {output})):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "model.json").write_text("mine", encoding="utf-8")
        victim, link = folder / "model.json", tmp_path / f"link{number}"
        link.symlink_to(victim)
        hard = tmp_path / f"hard{number}"
        hard.hardlink_to(victim)
        for written in (victim, link, hard):
            # An output replaces the hard link itself, so the file in the folder stays.
            whole = other in READ and written is not hard
            for read in (victim, folder) if whole else (victim,):
                message = refused(*command.line(**{output: written, other: read}))
                assert "would replace the file of" in message
        assert [path.name for path in folder.iterdir()] == ["model.json"]
        assert victim.read_text(encoding="utf-8") == "mine"


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    folder = tiny_model.write_corpus(tmp_path_factory.mktemp("data"))
    (folder / "text.txt").write_text("Emma ran .\n" * 3, encoding="utf-8")
    (folder / "few.tsv").write_text("Emma ran .\trun . agent ( x _ 1 , Emma )\n" * 3, "utf-8")
    (folder / "parser.toml").write_text(tiny_model.SETTINGS, encoding="utf-8")
    return folder


_GRU = " ".join(
    f"--set {one}" for one in (*SMALL, "train.device=cpu", "max_steps=4", "validate_every=2")
)
_TOY = f"slog --data {{data}} --set data.notation=cogs --system gru --seeds 1 --name toy {_GRU}"
RUNS: dict[tuple[str, str], str] = {
    ("parse", "output"): "parse -i {data}/text.txt -o {out}/x",
    ("convert", "output"): "convert --from cogs --to json {data}/few.tsv -o {out}/x",
    ("evaluate", "output"): "evaluate --data {data}/few.tsv -o {out}/x",
    ("evaluate", "html"): "evaluate --data {data}/few.tsv --html {out}/x",
    ("bulk", "output"): "bulk {data}/text.txt -o {out}/d",
    ("train", "output"): f"train --data {{data}} --notation cogs --system gru {_GRU} -o {{out}}/d",
    ("generate", "output"): "generate cogs --count 200 -o {out}/d",
    ("experiment", "output"): f"experiment {_TOY} --output {{out}}/d",
}
"""Arguments of a run of each command that writes to a path in `{out}`."""


def arguments(name: tuple[str, str], data: Path, out: Path) -> list[str]:
    return [part.format(data=data, out=out) for part in RUNS[name].split(" ")]


@contextmanager
def full_disk() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def closed(folder: Path) -> Iterator[None]:
    if os.geteuid():
        folder.chmod(0o500)
    elif shutil.which("chattr") is None or subprocess.run(["chattr", "+i", folder]).returncode:
        pytest.skip("root may write everywhere here")
    try:
        yield
    finally:
        folder.chmod(0o700) if os.geteuid() else subprocess.run(["chattr", "-i", folder])


def test_each_output_has_a_run() -> None:
    assert set(RUNS) == {one for one in WRITES if one[1] not in ADDED}


@pytest.mark.parametrize("name", RUNS, ids=" ".join)
def test_unwritable_folder_is_one_line(name, data, tmp_path, monkeypatch) -> None:
    # Generating a corpus is announced on stderr: it must not begin.
    monkeypatch.setattr("amparser.benchmarks.generate.cache_folder", lambda: data / "cache")
    with closed(tmp_path):
        message = refused(*arguments(name, data, tmp_path))
    assert str(tmp_path) in message
    refusal = "cannot be written|cannot write|Operation not permitted|Permission denied"
    assert re.search(refusal, message)
    assert files_below(tmp_path) == {}


@pytest.mark.parametrize("name", RUNS, ids=" ".join)
def test_a_full_disk_leaves_nothing_and_a_file_that_is_not_ours_stays(name, data, tmp_path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    line = arguments(name, data, out)
    with full_disk():
        result = run(*line)
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr
    error = "amparser: error: /.*(File too large|training failed.*)"
    assert re.fullmatch(error, result.stderr.splitlines()[-1])
    assert files_below(out) == {}
    result = run(*line)
    assert result.exit_code in (0, 1), result.output
    written = files_below(out)
    assert written
    if (out / "x").exists():  # one file, which the command line names
        (out / "x").write_text("mine", encoding="utf-8")
        with full_disk():
            refused(*line)
        assert files_below(out) == {"x": b"mine"}
        return
    some = Random(str(name)).sample(sorted(written), min(3, len(written)))
    if name[0] == "experiment":  # the folders of runs are named by checksums
        some = [name for name in written if re.fullmatch(r"d/[\w-]+\.json", name)]
    for file in some:
        shutil.rmtree(out)
        (out / file).parent.mkdir(parents=True)
        (out / file).write_text("mine", encoding="utf-8")
        message = refused(*line)
        assert files_below(out) == {file: b"mine"}, message
