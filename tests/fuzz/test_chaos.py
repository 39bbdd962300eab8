"""Some kills of two commands; `python tests/fuzz/chaos.py` is the long run.

They run in a process of their own, which forks: forks of one that has threads may hang.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

KILLS = os.environ.get("AMPARSER_KILLS", "4")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("command", ["train --system gru", "generate"])
def test_a_command_that_was_killed_ends_as_one_that_was_not(command: str) -> None:
    script = Path(__file__).parent / "chaos.py"
    done = subprocess.run(
        [sys.executable, script, "--kills", KILLS, command],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"| `{command}` |" in done.stdout
