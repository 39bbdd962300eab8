"""What fills a slot of a word that train does not have with it."""

import gzip
from pathlib import Path

import pytest

from amparser.errors import ConfigError
from amparser.lexicon import bilingual
from amparser.lexicon.analysis import SLOT
from amparser.lexicon.bilingual import Bilingual, translations
from amparser.lexicon.graph_inventory import Inventory, Slot, Spelling
from amparser.lexicon.offers import Offers

NOUN = f'/"{SLOT}.n."'
ENTRIES = {
    "Esel": "Esel /x/ <masc, n, sg>\n [zool.] donkey <n>, ass <n> [coll.]\n   Synonym: {Tier}\n",
    "Boot": 'Boot /bo:t/\n1. row boat\n2. to sail\n      "im Boot" - in a boat\n see: {Schiff}\n',
}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dictionary of two words, and a WordNet of three nouns."""
    digits = "".join(bilingual._DIGITS)
    index, text = "", b""
    for head, entry in ENTRIES.items():
        size = len(entry.encode())
        index += f"{head.lower()}\t{_number(len(text), digits)}\t{_number(size, digits)}\n"
        text += entry.encode()
    (tmp_path / "freedict-deu-eng.index").write_text(index, encoding="utf-8")
    (tmp_path / "freedict-deu-eng.dict.dz").write_bytes(gzip.compress(text))
    rows = ["  1 a licence", "donkey n 2 0 2 1 1 2", "ass n 3 0 3 0 1 2 3", "boat n 1 0 1 0 1"]
    (tmp_path / "index.noun").write_text("\n".join(rows) + "\n", encoding="utf-8")
    monkeypatch.setattr(bilingual, "DICTIONARIES", tmp_path)
    monkeypatch.setattr(bilingual, "WORDNET", tmp_path)
    for cached in (translations, bilingual._dictionary, bilingual._backwards, bilingual._senses):
        cached.cache_clear()


def _number(value: int, digits: str) -> str:
    return (_number(value // 64, digits) if value >= 64 else "") + digits[value % 64]


def inventory() -> Inventory:
    forms = {"hund": {"dog.n.01": 3}, "esel": {"ass.n.02": 1}, "tier": {"ass.n.02": 2}}
    senses = {"dog": {"dog.n.01": 3}, "ass": {"ass.n.02": 3}}
    slot = Slot(Spelling(True, "_"), forms, senses, "01", ".n.")
    return Inventory([], [], [()], ["dog.n.01", "ass.n.02"], [("", "")], {NOUN: slot})


@pytest.mark.usefixtures("installed")
def test_words_have_the_senses_of_their_translations() -> None:
    assert translations("de", "Esel") == ["donkey", "ass"]
    assert translations("de", "Boot") == ["row_boat", "sail"]
    assert [(text, sense) for text, sense, _ in Bilingual("de").offers("Boot", "n")] == [
        ("boat", 1)
    ]
    assert Bilingual("de").offers("Boot", "x") == []


@pytest.mark.usefixtures("installed")
def test_an_offer_says_how_good_it_is_without_the_word_itself() -> None:
    offers = Offers(inventory(), ["de"], bilingual=True)
    found = {one.filler: one for one in offers.of(NOUN, "esel", "de")}
    assert found.keys() == {"ass.n.01", "ass.n.02", "ass.n.03", "donkey.n.01", "donkey.n.02"}
    assert found["ass.n.02"].number == 2
    assert found["donkey.n.01"].number == offers.unknown == 3
    assert found["ass.n.02"].good[0] == pytest.approx(1.0986, abs=1e-4)  # log(1 + 2)


def test_another_form_of_the_lemma_has_the_concept() -> None:
    offers = Offers(inventory(), ["de"], bilingual=False)
    assert [one.filler for one in offers.of(NOUN, "hunde", "de")] == ["dog.n.01"]
    assert offers.of(NOUN, "hund", "de") == offers.of(NOUN, "katze", "de") == ()


def test_what_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bilingual, "DICTIONARIES", tmp_path)
    monkeypatch.setattr(bilingual, "WORDNET", tmp_path)
    with pytest.raises(ConfigError, match="install dict-freedict-deu-eng and wordnet-base"):
        Offers(inventory(), ["de"], bilingual=True)


def test_a_sentence_is_in_the_language_that_has_most_of_its_words() -> None:
    offers = Offers(inventory(), ["de", "en", "it", "nl"], bilingual=False)
    for language, sentence in {
        "de": "Der Hund schläft nicht .",
        "en": "The dog does not sleep .",
        "it": "Il cane non dorme .",
        "nl": "De hond slaapt niet .",
    }.items():
        assert offers.language_of(sentence.split()) == language
