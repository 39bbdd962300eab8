"""Registries: names without imports, entry points, and errors that list the known names."""

import sys
from importlib.metadata import EntryPoint

import pytest

from amparser.errors import InputError
from amparser.registry import Registry


@pytest.fixture
def registry() -> Registry[object]:
    return Registry("colour", "amparser.colours", {"red": "wave:Error", "blue": "math:pi"})


def test_names_import_nothing(registry) -> None:
    sys.modules.pop("wave", None)
    assert registry.names() == ("red", "blue")
    assert "red" in registry
    assert "wave" not in sys.modules
    assert registry["red"] is not None
    assert "wave" in sys.modules


def test_unknown_name_lists_the_known_ones(registry) -> None:
    with pytest.raises(InputError, match="unknown colour 'green', expected one of red, blue"):
        registry["green"]


def test_registered_entry_can_be_removed(registry) -> None:
    registry.register("green", 7)
    assert registry["green"] == 7
    assert registry.names() == ("red", "blue", "green")
    with pytest.raises(InputError, match="there is a colour 'green' already"):
        registry.register("green", 8)
    registry.unregister("green")
    registry.unregister("red")
    assert registry.names() == ("red", "blue")


def test_entry_points_are_found(registry, monkeypatch) -> None:
    entries = [
        EntryPoint("tau", "math:tau", "amparser.colours"),
        EntryPoint("broken", "no_such_module:x", "amparser.colours"),
        EntryPoint("red", "math:e", "amparser.colours"),
    ]
    monkeypatch.setattr("amparser.registry.entry_points", lambda group: entries)
    assert registry.names() == ("red", "blue", "tau", "broken")
    assert registry["tau"] == 2 * float(str(registry["blue"]))
    with pytest.raises(InputError, match="colour 'broken': cannot import no_such_module:x"):
        registry["broken"]
