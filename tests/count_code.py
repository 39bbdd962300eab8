"""Print the size of the package: lines of code, imports of one parse, and import layers.

    python tests/count_code.py            # in the root of a checkout

Lines of code exclude blank lines, comments and docstrings. A layer is a module, or several that
import each other; the number of layers is the length of the longest chain of imports, including
imports inside functions.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import networkx as nx

ROOT = Path(__file__).parents[1]
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
_PARSE = """
import sys, amparser
amparser.load("slog").parse(["A cat slept."])
print(*(name for name in sys.modules if name.split(".")[0] == "amparser"))
"""


def code_lines(path: Path) -> int:
    with path.open("rb") as file:
        lines = {
            line
            for token in tokenize.tokenize(file.readline)
            if token.type not in _NO_CODE
            for line in range(token.start[0], token.end[0] + 1)
        }
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_text and isinstance(node.value.value, str):
            lines -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def modules(folder: str) -> dict[str, Path]:
    found = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each imported module, alone and with the imported name; skip type-only imports."""
    todo: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    for node in todo:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        todo += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            yield from ((alias.name, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, f"{node.module}.{alias.name}") for alias in node.names)


def layer_count(files: dict[str, Path]) -> int:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(files)
    for name, path in files.items():
        for module, inner in imports(path):
            other = inner if inner in files else module
            if other in files and other != name:
                graph.add_edge(name, other)
    return int(nx.dag_longest_path_length(nx.condensation(graph))) + 1


def main() -> None:
    package = modules("amparser")
    sizes = {name: code_lines(path) for name, path in package.items()}
    folders = Counter[str]()
    for name, size in sizes.items():
        folders[".".join(name.split(".")[:2])] += size
    for folder, size in folders.most_common():
        print(f"{size:7,} {folder}")
    tests = sum(map(code_lines, modules("tests").values()))
    print(f"{sum(sizes.values()):7,} lines of code in amparser, {tests:,} in tests")
    run = subprocess.run(
        [sys.executable, "-c", _PARSE], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = [name for name in run.stdout.split() if name in sizes]
    lines = sum(sizes[name] for name in loaded)
    print(f"{lines:7,} lines of code in {len(loaded)} modules are imported by one parse")
    print(f"{layer_count(package):7} layers of imports")


if __name__ == "__main__":
    main()
