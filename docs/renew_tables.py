"""Renew tables of the documentation from training/results: python docs/renew_tables.py [PAGE...].

A page (default: README.md and docs/*.md) names a table between two comments, and the table is
written between them:

    <!-- table: types NAME OTHER:DECODER -->
    <!-- end -->

`amparser.experiments.tables` describes the kinds `types` and `overall`. Figures are taken on the
generalization sample, or else on the first split, unless `@SPLIT` follows the kind.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from amparser.benchmarks.registry import BENCHMARKS
from amparser.experiments.tables import table_of

ROOT = Path(__file__).resolve().parents[1]
RECORDS = ROOT / "training/results"
TABLE = re.compile(r"(<!-- table: (.*?) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(text: str) -> str:
    """Return the text of a page with its tables as the records give them. Raises InputError."""

    def renewed(match: re.Match[str]) -> str:
        kind, *names = match[2].split()
        kind, _, split = kind.partition("@")
        return f"{match[1]}\n{table_of(kind, names, split, RECORDS, BENCHMARKS)}\n\n{match[3]}"

    return TABLE.sub(renewed, text)


def pages() -> list[Path]:
    """Return README.md and the pages of docs/."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def main() -> None:
    """Renew the given pages, or all."""
    for page in [Path(name) for name in sys.argv[1:]] or pages():
        text = page.read_text(encoding="utf-8")
        page.write_text(filled(text), encoding="utf-8")


if __name__ == "__main__":
    main()
