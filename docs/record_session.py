"""Record a terminal session as a picture: `python docs/record_session.py` writes session.svg.

The commands run as they are shown, with the package that is installed.
"""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

SESSION = (
    'amparser parse --model eds --format roles "She told the police that her car was stolen."',
    'amparser parse --model pmb "I have never been to Paris."',
    'amparser parse "Who did Emma give a cake to?"',
    'amparser infer "Few dogs ran." "Few small dogs ran."',
)
PICTURE = Path(__file__).parent / "pictures" / "session.svg"
WIDTH = 100


def record(commands: tuple[str, ...]) -> str:
    """The session as SVG."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), highlight=False, markup=False)
    for command in commands:
        console.print(Text.assemble(("$ ", "bold green"), (command, "bold")))
        _, *arguments = shlex.split(command)
        done = subprocess.run(
            [sys.executable, "-m", "amparser", *arguments],
            capture_output=True,
            check=True,
            text=True,
        )
        console.print(done.stdout.rstrip() + "\n")
    svg = console.export_svg(title="amparser", theme=DIMMED_MONOKAI, unique_id="session")
    # Remove fonts and comments: they name other hosts.
    svg = re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code, ", "")


if __name__ == "__main__":
    PICTURE.write_text(record(SESSION), encoding="utf-8")
