"""What fills a slot of a word that train does not have with it."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from amparser.algebra.fragment import SLOT
from amparser.errors import ConfigError
from amparser.lexicon import bilingual
from amparser.lexicon.bilingual import Bilingual, translations
from amparser.lexicon.candidates import CandidateLabels
from amparser.lexicon.dictionary import lemma_in
from amparser.lexicon.graph_inventory import Inventory, Slot, Spelling

NOUN = f'/"{SLOT}.n."'
ENTRIES = {
    "Esel": "Esel /x/ <masc, n, sg>\n [zool.] donkey <n>, ass <n> [coll.]\n   Synonym: {Tier}\n",
    "Boot": 'Boot /bo:t/\n1. row boat\n2. to sail\n      "im Boot" - in a boat\n see: {Schiff}\n',
    "Bĳl": "Bĳl /x/\nax\n",
    **{f"{stem}isch": f"{stem}isch\n{stem}ic\n" for stem in ("com", "magnet", "mus", "top")},
}


def clear() -> None:
    """Forget what was read."""
    translations.cache_clear()
    for name in ("translated", "endings", "dictionary", "backwards"):
        getattr(bilingual, f"_{name}").cache_clear()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A dictionary of some words."""
    clear()
    digits = "".join(bilingual._DIGITS)
    index, text = "", b""
    for head, entry in ENTRIES.items():
        size = len(entry.encode())
        index += f"{head.lower()}\t{_number(len(text), digits)}\t{_number(size, digits)}\n"
        text += entry.encode()
    (tmp_path / "freedict-deu-eng.index").write_text(index, encoding="utf-8")
    (tmp_path / "freedict-deu-eng.dict.dz").write_bytes(gzip.compress(text))
    monkeypatch.setattr(bilingual, "DICTIONARIES", tmp_path)
    yield
    clear()


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
    offers = Bilingual("de").offers("Boot", "n")
    assert [text for text, sense, _ in offers if sense == 1] == ["sail", "boat", "boot"]
    assert [sense for text, sense, _ in offers if text == "boat"] == [1, 2]
    assert Bilingual("de").offers("Boot", "x") == []


def test_an_english_word_has_the_senses_of_its_lemma_as_a_part_of_speech() -> None:
    assert {text for text, _, _ in Bilingual("en").offers("thought", "v")} == {"think"}
    senses = [(text, sense) for text, sense, _ in Bilingual("en").offers("thought", "n")]
    assert senses == [("thought", sense) for sense in (1, 2, 3, 4)]


@pytest.mark.usefixtures("installed")
def test_a_compound_means_its_two_parts() -> None:
    joined = ["donkey_row_boat", "ass_row_boat", "donkey_sail", "ass_sail"]
    assert translations("de", "Eselsboot") == joined
    texts = [text for text, sense, _ in Bilingual("de").offers("Eselsboot", "n") if sense == 1]
    assert texts == ["boat", "sail"]


@pytest.mark.usefixtures("installed")
def test_a_cognate_is_found_by_its_letters() -> None:
    assert translations("de", "logisch") == ["logic"]
    assert translations("de", "Gebüsch") == []


@pytest.mark.usefixtures("installed")
def test_ligatures_of_a_dictionary_are_letters() -> None:
    assert translations("de", "Bĳl") == translations("de", "Bijl") == ["ax"]


def test_lemmas_of_wordnet() -> None:
    forms = ("thought", "longed", "hoped", "donkeys", "thinks", "boat", "flooshed")
    lemmas = ["think", "long", "hope", "donkey", "think", "boat", None]
    assert [lemma_in("wordnet", form) for form in forms] == lemmas


@pytest.mark.usefixtures("installed")
def test_an_offer_says_how_good_it_is_without_the_word_itself() -> None:
    offers = CandidateLabels(inventory(), ["de"], bilingual=True)
    found = {one.filler: one for one in offers.of(NOUN, "esel", "de")}
    donkeys, asses = (f"donkey.n.0{n}" for n in (1, 2)), (f"ass.n.0{n}" for n in (1, 2, 3, 4))
    assert found.keys() == {*donkeys, *asses}
    assert found["ass.n.02"].number == 2
    assert found["donkey.n.01"].number == offers.unknown == 3
    assert found["ass.n.02"].good[0] == pytest.approx(1.0986, abs=1e-4)  # log(1 + 2)


def test_another_form_of_the_lemma_has_the_concept() -> None:
    offers = CandidateLabels(inventory(), ["de"], bilingual=False)
    assert [one.filler for one in offers.of(NOUN, "hunde", "de")] == ["dog.n.01"]
    assert offers.of(NOUN, "hund", "de") == offers.of(NOUN, "katze", "de") == ()


def test_what_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bilingual, "DICTIONARIES", tmp_path)
    clear()
    with pytest.raises(ConfigError, match="install dict-freedict-deu-eng"):
        CandidateLabels(inventory(), ["de"], bilingual=True)
    clear()


def test_a_sentence_is_in_the_language_that_has_most_of_its_words() -> None:
    offers = CandidateLabels(inventory(), ["de", "en", "it", "nl"], bilingual=False)
    for language, sentence in {
        "de": "Der Hund schläft nicht .",
        "en": "The dog does not sleep .",
        "it": "Il cane non dorme .",
        "nl": "De hond slaapt niet .",
    }.items():
        assert offers.language_of(sentence.split()) == language
