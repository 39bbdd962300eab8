"""Where the published benchmark files lie, for tests and for measurements.

They are not in the repository: `AMPARSER_DATA` names their folder, and without it they are looked
for beside the checkout.
"""

import os
from pathlib import Path

DATA = Path(os.environ.get("AMPARSER_DATA") or Path(__file__).parents[3] / "shared/data").resolve()


def missing(path: Path = DATA) -> str:
    """Why tests that need a file or folder are skipped."""
    return f"{path} is missing: set AMPARSER_DATA to the folder of benchmark files (README.md)"
