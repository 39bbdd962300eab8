"""Count the documented settings and the numeric constants of the package.

    python tests/count_settings.py

A setting of several systems counts once. A constant is a module-level name whose value consists of
numbers, also in a tuple or list. Names of enumerations (`LEFT, RIGHT = range(2)`) do not count.
"""

import ast
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from amparser.learn.settings import known_keys
from amparser.learn.system_registry import SYSTEMS
from amparser.presets.registry import PRESETS

PACKAGE = Path(__file__).parents[1] / "amparser"


def documented_keys() -> list[str]:
    systems: list[Any] = [*SYSTEMS.values(), *PRESETS.values()]
    return sorted({key for system in systems for key in known_keys(system.settings)})


def numeric_constants(path: Path) -> Iterator[tuple[str, str]]:
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets = [statement.target]
        else:
            continue
        for target in targets:
            pairs = [(target, statement.value)]
            if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
                pairs = list(zip(target.elts, statement.value.elts, strict=True))
            for name, value in pairs:
                if isinstance(name, ast.Name) and value is not None and _is_numeric(value):
                    yield name.id, ast.unparse(value)


def _is_numeric(node: ast.expr) -> bool:
    try:
        value = eval(ast.unparse(node), {"__builtins__": {}, "math": math})
    except (NameError, TypeError, AttributeError):
        return False
    return _has_numbers(value)


def _has_numbers(value: object) -> bool:
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, tuple | list):
        return bool(value) and all(map(_has_numbers, value))
    return type(value) in (int, float)


def all_constants() -> dict[str, list[tuple[str, str]]]:
    found = {
        path.relative_to(PACKAGE).as_posix(): list(numeric_constants(path))
        for path in sorted(PACKAGE.rglob("*.py"))
    }
    return {path: constants for path, constants in found.items() if constants}


def main() -> None:
    keys, constants = documented_keys(), all_constants()
    print(*keys, sep="\n")
    for path, pairs in constants.items():
        print(f"{path}: {', '.join(f'{name} = {value}' for name, value in pairs)}")
    count = sum(map(len, constants.values()))
    print(f"{len(keys)} settings, {count} numeric constants at module level")


if __name__ == "__main__":
    main()
