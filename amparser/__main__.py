"""`python -m amparser`, and the console script `amparser`."""

from __future__ import annotations

import atexit
import gc
import sys


def main() -> None:
    """Run the command line; an interrupt while its modules are loaded is one line too."""
    # New objects between two collections of garbage; modules make many that stay.
    gc.set_threshold(50_000)
    # Nothing is collected at the end of the process, which takes as long as loading torch.
    atexit.register(gc.freeze)
    try:
        from amparser.cli.main import main as run
    except KeyboardInterrupt:
        print("amparser: error: interrupted", file=sys.stderr)
        raise SystemExit(130) from None
    run()


if __name__ == "__main__":
    main()
