"""Limits on the number of settings and of numeric constants."""

from count_settings import all_constants, documented_keys


def test_at_most_120_settings_are_documented() -> None:
    assert len(documented_keys()) <= 120


def test_at_most_200_numeric_constants_are_at_module_level() -> None:
    assert sum(map(len, all_constants().values())) <= 200
