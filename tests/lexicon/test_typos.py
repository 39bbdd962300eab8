"""Typing errors: what is read as a word of train, and where nothing is."""

from __future__ import annotations

import pytest

from amparser.lexicon.typos import Typos, are_likely

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
        ("ni", "in"),  # letters exchanged are likelier than one replaced
        ("bicicle", None),  # train has the word twice
        ("grba x", None),
        ("gra", "grab"),
        ("gr", None),
        ("un", None),  # `in` or `on`
        ("13", None),
        ("n", None),
        ("kichten", None),  # two errors
        ("grab" * 100_000, None),  # longer than any word of train
    ],
)
def test_one_error_is_read_if_one_word_alone_may_be_meant(typed: str, meant: str | None) -> None:
    assert TYPOS.read(typed) == meant


def test_a_word_of_the_dictionary_is_no_typing_error() -> None:
    typos = Typos({"walk": 9, "dog": 9}, {}, "en")
    assert typos.read("talk") is typos.read("log") is None
    assert [typos.read("wakl"), typos.read("dgo")] == ["walk", "dog"]
    german = Typos({"hund": 9, "garten": 9, "suche": 9, "walk": 9}, {}, "en")
    assert german.read("talk") == "walk", "a dictionary of another language is not asked"


def test_a_word_with_a_capital_may_be_a_name() -> None:
    typos = Typos({"to": 9, "grab": 9}, {})
    assert typos.read("Tod") is typos.read("Grub", first=False) is None
    assert [typos.read("tod"), typos.read("Grub")] == ["to", "Grab"]


def test_new_words_that_look_like_others_are_words_of_their_own() -> None:
    stems = ("walk", "jump", "follow", "garden", "lantern", "whistle", "borrow", "picture")
    assert are_likely(dict.fromkeys(stems, 1))
    inflected = {f"{stem}{ending}": 1 for stem in stems for ending in ("", "s")}
    assert not are_likely(inflected)
    assert are_likely(dict.fromkeys(inflected, 9)), "no word of train is new"
    assert are_likely(inflected | {"the": 10_000}), "few words of train are new"
    names = {f"{first}{last}": 1 for first in "abcdefgh" for last in ("ximuth", "lobeny", "rukaso")}
    assert not any(Typos(names, {}).alike(name) for name in names), "they have several"
    assert are_likely(names)
