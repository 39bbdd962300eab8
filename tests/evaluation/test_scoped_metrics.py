"""Which figures of scoped meanings are taken."""

from __future__ import annotations

from typing import NoReturn

import pytest

from amparser.errors import ConfigError, InputError
from amparser.evaluation import scoped_metrics
from amparser.evaluation.scoped_metrics import metrics_for


def test_each_notation_has_its_own() -> None:
    assert metrics_for(None, "clf") == ("counter",)
    assert metrics_for(None, "cogs") == ()
    assert metrics_for(["polarity", "counter", "polarity"], "vf") == ("polarity", "counter")
    with pytest.raises(InputError, match="no metric 'bleu' for fol forms, expected entailment"):
        metrics_for(["bleu"], "fol")


def test_what_is_not_installed_is_told_before_any_sentence_is_parsed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> NoReturn:
        raise ConfigError("z3 is not installed")

    monkeypatch.setitem(scoped_metrics._COMPARISONS, "entailment", missing)
    assert metrics_for(None, "fol") == ("polarity",)
    assert capsys.readouterr().err == "entailment is not measured: z3 is not installed\n"
    with pytest.raises(ConfigError, match="z3 is not installed"):
        metrics_for(["entailment"], "fol")
