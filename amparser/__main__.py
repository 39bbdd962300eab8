"""`python -m amparser`, and the console script `amparser`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; an interrupt while its modules are loaded is one line too."""
    try:
        from amparser.cli.main import main as run
    except KeyboardInterrupt:
        print("amparser: error: interrupted", file=sys.stderr)
        raise SystemExit(130) from None
    run()


if __name__ == "__main__":
    main()
