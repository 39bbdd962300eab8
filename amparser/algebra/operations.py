"""Names of the AM algebra's operations, as written on the edges of AM trees."""

from __future__ import annotations

ROOT = "ROOT"
IGNORE = "IGNORE"
APP = "APP_"
MOD = "MOD_"


def source_of(operation: str) -> str:
    """The source that an `APP_s` or `MOD_s` operation names.

    >>> source_of("APP_L1")
    'L1'
    """
    return operation.split("_", 1)[1]
