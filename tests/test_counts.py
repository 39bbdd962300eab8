"""The package has few settings and few numbers: each new one takes the place of another."""

from count_settings import all_constants, documented_keys


def test_at_most_120_settings_are_documented() -> None:
    assert len(documented_keys()) <= 120


def test_at_most_200_numeric_constants_stand_at_module_level() -> None:
    assert sum(map(len, all_constants().values())) <= 200
