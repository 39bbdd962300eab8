"""Tables of tests: a TOML file beside a test file, with its name."""

import tomllib
from pathlib import Path
from typing import Any


def tables(test: str) -> dict[str, Any]:
    return tomllib.loads(Path(test).with_suffix(".toml").read_text(encoding="utf-8"))
