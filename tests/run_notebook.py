"""Run a notebook like Jupyter, but without it: python tests/run_notebook.py FILE.

The code cells run in order and share their names. An expression at the end of a cell is printed as
its `repr`, followed by the output of its `_repr_*_` methods.
"""

import ast
import json
import sys
from pathlib import Path
from typing import Any

KINDS = ("svg", "html", "latex", "markdown")


def code_of(notebook: Path) -> list[str]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def run(notebook: Path) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, source in enumerate(code_of(notebook), 1):
        file = f"{notebook.name}, code cell {number}"
        body = ast.parse(source, file)
        last = body.body.pop() if body.body and isinstance(body.body[-1], ast.Expr) else None
        exec(compile(body, file, "exec"), names)
        if isinstance(last, ast.Expr):
            show(eval(compile(ast.Expression(last.value), file, "eval"), names))


def show(value: object) -> None:
    if value is None:
        return
    print(repr(value))
    for kind in KINDS:
        if (method := getattr(value, f"_repr_{kind}_", None)) is not None:
            print(f"[{kind}]", method())


if __name__ == "__main__":
    run(Path(sys.argv[1]))
