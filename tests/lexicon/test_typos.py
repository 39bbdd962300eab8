"""Typing errors: what is read as a word of train, and where nothing is."""

from __future__ import annotations

import pytest

from amparser.lexicon.typos import Typos, are_told_apart

WORDS = ("grab", "bring", "the", "garden", "in", "on", "emma", "12", "kitchen")
TYPOS = Typos(dict.fromkeys(WORDS, 5) | {"bicycle": 2}, {"emma": "Emma"})


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("grb", "grab"),
        ("graab", "grab"),
        ("grub", "grab"),
        ("garb", "grab"),
        ("Gardne", "Garden"),
        ("ema", None),  # a name
        ("te", "the"),
        ("bicicle", None),  # train has the word twice
        ("grba x", None),
        ("gra", "grab"),
        ("gr", None),
        ("un", None),  # `in` or `on`
        ("13", None),
        ("n", None),
        ("kichten", None),  # two errors
    ],
)
def test_one_error_is_read_if_one_word_alone_may_be_meant(typed: str, meant: str | None) -> None:
    assert TYPOS.read(typed) == meant


def test_a_word_of_the_dictionary_is_no_typing_error() -> None:
    typos = Typos({"walk": 9, "dog": 9}, {}, "en")
    assert typos.read("talk") is typos.read("log") is None
    assert [typos.read("wakl"), typos.read("dgo")] == ["walk", "dog"]


def test_inflected_words_are_words_of_their_own() -> None:
    stems = ("walk", "jump", "follow", "garden", "lantern", "whistle", "borrow", "picture")
    assert are_told_apart(dict.fromkeys(stems, 1))
    inflected = {f"{stem}{ending}": 1 for stem in stems for ending in ("", "s")}
    assert not are_told_apart(inflected)
    frequent = dict.fromkeys(inflected, 9)
    assert not are_told_apart(frequent), "without rare words the rarest ones tell"
    names = {f"{first}{last}": 1 for first in "abcdefgh" for last in ("ximuth", "lobeny", "rukaso")}
    assert not any(Typos(names, {}).alike(name) for name in names), "they have several"
    assert are_told_apart({**inflected, **names, "zeppelin": 1} | dict.fromkeys(_far(200), 1))


def _far(count: int) -> list[str]:
    """So many words without neighbours."""
    return [f"{chr(97 + i % 26) * 3}{chr(97 + i // 26) * 3}" for i in range(count)]
