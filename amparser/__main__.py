"""`python -m amparser`."""

from __future__ import annotations

from amparser.cli import main

if __name__ == "__main__":
    main()
