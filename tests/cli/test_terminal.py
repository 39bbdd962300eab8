"""Progress if stderr is not a terminal."""

import io
import time

from rich.console import Console

from amparser.cli import terminal
from amparser.learn.report import TrainingProgress

BATCH = TrainingProgress(2, 8, 5, 9, 0.1234, None, 2211.7, 75.4)


def test_piped_training_reports_progress(capsys, monkeypatch) -> None:
    monkeypatch.setattr(terminal, "PROGRESS", 0.05)
    with terminal.training_bar(Console(file=io.StringIO())) as on_progress:
        time.sleep(0.2)
        preparing = capsys.readouterr().err
        for _ in range(5):
            on_progress(BATCH)
            time.sleep(0.03)
        training = capsys.readouterr().err.splitlines()
    assert preparing.startswith("amparser: preparing data, ")
    assert 1 <= len(training) < 5
    assert training[0] == "amparser: epoch 2 of 8 · loss 0.123 · 2212 sentences/s · 1:15 left"
    time.sleep(0.1)
    assert not capsys.readouterr().err
