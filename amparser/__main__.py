"""Entry point of `python -m amparser` and of the console script `amparser`."""

from __future__ import annotations

import atexit
import gc
import sys


def main() -> None:
    """Run the command line; an interrupt during imports prints one line instead of a traceback."""
    # Imports create many long-lived objects, so less frequent garbage collection saves time.
    gc.set_threshold(50_000)
    # Skip the garbage collection at exit, which takes as long as loading torch.
    atexit.register(gc.freeze)
    try:
        from amparser.cli.main import main as run
    except KeyboardInterrupt:
        print("amparser: error: interrupted", file=sys.stderr)
        raise SystemExit(130) from None
    run()


if __name__ == "__main__":
    main()
