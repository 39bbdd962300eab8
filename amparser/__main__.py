"""`python -m amparser`."""

from __future__ import annotations

from amparser.cli.main import main

if __name__ == "__main__":
    main()
