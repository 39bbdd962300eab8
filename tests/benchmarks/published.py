"""Location of the published benchmark files for tests and measurements.

They are not part of the repository. `AMPARSER_DATA` names their folder; the default is
`shared/data`, next to the checkout.
"""

import os
from pathlib import Path

DATA = Path(os.environ.get("AMPARSER_DATA") or Path(__file__).parents[3] / "shared/data").resolve()


def missing(path: Path = DATA) -> str:
    return f"{path} is missing: set AMPARSER_DATA to the folder of benchmark files (README.md)"
