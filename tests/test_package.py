"""The package as a whole: layers, cost of imports, packaged data."""

import ast
import re
from pathlib import Path

import networkx as nx
import pytest
from command_line import python
from count_code import modules

import amparser
from amparser.errors import ConfigError, InputError
from amparser.experiments.experiment import about_of
from amparser.learn.settings import read_toml
from amparser.resources import package_data, settings_path

_LAYERS = """
errors limits arguments remembered characters resources hub conditions schema working_folder files
provenance registry processes logic graph algebra decode notations corpora draw lexicon induction
explanation results nn learn presets doubts misses parser component calibration
parser_training parser_system evaluation grammar baselines experiments benchmarks api serve bulk cli
__main__
"""
LAYERS = tuple(_LAYERS.split())


MODULES = modules("amparser")


def imports_of(name: str) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: imports are absolute"
            base = node.module or ""
            for alias in node.names:
                below = f"{base}.{alias.name}"
                found.add(below if below in MODULES else base)
    return found & MODULES.keys()


def layer_of(name: str) -> int:
    return LAYERS.index(name.split(".")[1])


def test_every_module_belongs_to_a_layer() -> None:
    assert {name.split(".")[1] for name in MODULES if name != "amparser"} <= set(LAYERS)


def test_imports_point_to_lower_layers() -> None:
    above = {
        name: sorted(found)
        for name in MODULES
        if name != "amparser"
        and (
            found := {
                other
                for other in imports_of(name)
                if other != "amparser" and layer_of(other) > layer_of(name)
            }
        )
    }
    assert not above


PAPERS = ("grammar", "baselines", "experiments", "benchmarks")
"""Folders for papers only; registries name their content as `module:attribute`."""
MAY_IMPORT_PAPERS = (*PAPERS, "api", "serve", "cli")


def test_code_for_papers_is_separate() -> None:
    found = {
        name: sorted(papers)
        for name in MODULES
        if name != "amparser" and name.split(".")[1] not in MAY_IMPORT_PAPERS
        if (
            papers := {
                other
                for other in imports_of(name)
                if other != "amparser" and other.split(".")[1] in PAPERS
            }
        )
    }
    assert not found


BENCHMARK_NAMES = ("slog", "cogs", "sygns", "monotonicity", "geoquery", "pmb", "eds")
MAY_NAME_BENCHMARKS = ("benchmarks", "notations", "logic")
IN_A_REGISTRY = re.compile(r'^ +"[\w-]+": "amparser\.benchmarks\.[\w.]+:\w+",$', re.MULTILINE)
"""A registry entry `module:attribute`."""
MOST_LINES, MOST_FUNCTION_LINES, MOST_PARAMETERS = 450, 60, 10


def test_only_benchmark_folders_name_benchmarks() -> None:
    texts = {
        name: IN_A_REGISTRY.sub("", path.read_text(encoding="utf-8"))
        for name, path in MODULES.items()
        if name == "amparser" or name.split(".")[1] not in MAY_NAME_BENCHMARKS
    }
    found = {
        name: [word for word in BENCHMARK_NAMES if re.search(rf"(?<![a-z]){word}(?![a-z])", text)]
        for name, text in texts.items()
    }
    assert {name: words for name, words in found.items() if words} == {}


def test_modules_and_functions_are_short() -> None:
    """A longer function needs a comment above it, `# This function is long because ...`."""
    problems = []
    for name, path in MODULES.items():
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        if len(lines) > MOST_LINES:
            problems.append(f"{name}: {len(lines)} lines")
        if name.split(".")[1:2] == ["cli"]:
            continue
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.FunctionDef):
                continue
            first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
            if lines[first - 2].strip().startswith("# This function is long because"):
                continue
            size = (node.end_lineno or 0) - node.lineno + 1
            arguments = node.args
            count = len([*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs])
            if size > MOST_FUNCTION_LINES:
                problems.append(f"{name}.{node.name}: {size} lines")
            if count > MOST_PARAMETERS:
                problems.append(f"{name}.{node.name}: {count} parameters")
    assert problems == []


def test_graph_constructors_take_no_iterables() -> None:
    """Networkx's constructors catch whatever their argument raises, Ctrl-C too, and go on."""
    problems = [
        f"{name}:{node.lineno}: begin with an empty graph and add its edges"
        for name, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and re.fullmatch(r"nx\.(Multi)?(Di)?Graph", ast.unparse(node.func))
        and node.args
    ]
    assert problems == []


def test_imports_have_no_cycle() -> None:
    # The package's own module imports Parser for type checkers and on demand.
    graph = nx.DiGraph((n, other) for n in MODULES if n != "amparser" for other in imports_of(n))
    assert nx.is_directed_acyclic_graph(graph), nx.find_cycle(graph)


@pytest.mark.parametrize("statement", ["import amparser", "import amparser.cli.main"])
def test_importing_loads_no_heavy_library(statement) -> None:
    code = (
        f"{statement}; import sys; "
        "print(*{'torch', 'numba', 'numpy', 'networkx', 'penman'} & sys.modules.keys())"
    )
    assert python("-c", code).split() == []


@pytest.mark.parametrize("name", ["grammars", "training", "models"])
def test_data_folder_is_found(name) -> None:
    assert package_data(name).is_dir()


def test_missing_data_is_named() -> None:
    with pytest.raises(InputError, match=r"training/nothing\.toml"):
        package_data("training/nothing.toml")


def test_missing_settings_file_falls_back_to_the_packaged_file(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = "training/pmb/single.toml"
    assert settings_path(name) == package_data(name)
    assert read_toml(name)["train"] == {"members": 1}
    assert about_of(Path(name)).startswith("One network instead of three")
    for other in ("training/pmb/nothing.toml", "training/../pyproject.toml", "pmb/single.toml"):
        assert settings_path(other) == Path(other)
        with pytest.raises(ConfigError, match=rf"{other}: cannot read the settings"):
            read_toml(other)
    (tmp_path / "training/pmb").mkdir(parents=True)
    (tmp_path / name).write_text("[train]\nepochs = 1\n", encoding="utf-8")
    assert read_toml(name) == {"train": {"epochs": 1}}


def test_unknown_attribute_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        _ = amparser.nonsense


UNCLEAR = re.compile(
    r"(What|Those|That|Of|So|Whether|Where|Which|Such|Nothing|No|None|As|Than|Whose"
    r"|The same|The ones?)\b"
)
"""Beginnings of docstrings that hide their noun or verb."""


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    unclear = [
        f"{name}:{text.lineno}"
        for name, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(body := getattr(node, "body", None), list)
        for text in body
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        if isinstance(text.value.value, str) and UNCLEAR.match(text.value.value)
    ]
    assert unclear == []
