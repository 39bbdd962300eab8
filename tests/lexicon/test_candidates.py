"""Candidate lexical labels of unseen words."""

from collections import Counter, defaultdict
from math import log

import pytest

from amparser.algebra.fragment import SLOT
from amparser.lexicon.candidates import CandidateLabels
from amparser.lexicon.dictionary import lemma_in
from amparser.lexicon.graph_inventory import Inventory, Slot, Spelling

NOUN = f'/"{SLOT}.n."'


FORMS = {"hund": {"dog.n.01": 3}, "esel": {"ass.n.02": 1}, "tier": {"ass.n.02": 2}}


def inventory(forms: dict[str, dict[str, int]] = FORMS) -> Inventory:
    senses: dict[str, Counter[str]] = defaultdict(Counter)
    for labels in forms.values():
        for label, count in labels.items():
            senses[label.partition(".")[0]][label] += count
    slot = Slot(Spelling(True, "_"), forms, senses, "01", ".n.")
    return Inventory([], [], [()], ["dog.n.01", "ass.n.01", "ass.n.02"], [("", "")], {NOUN: slot})


def test_lemmas_of_wordnet() -> None:
    forms = ("thought", "longed", "hoped", "donkeys", "thinks", "boat", "flooshed")
    lemmas = ["think", "long", "hope", "donkey", "think", "boat", None]
    assert [lemma_in("wordnet", form) for form in forms] == lemmas


def test_another_form_of_the_lemma_has_the_concept() -> None:
    labels = CandidateLabels(inventory(), ["de"])
    [dog] = labels.of(NOUN, "hunde", "de")
    assert (dog.filler, dog.number) == ("dog.n.01", 1)
    assert dog.good == pytest.approx((log(1 + 3), log(1 + 3), 1))
    assert labels.of(NOUN, "hund", "de") == labels.of(NOUN, "katze", "de") == ()


def test_features_of_a_candidate_leave_out_the_word_itself() -> None:
    forms = {"esel": {"ass.n.02": 1}, "esels": {"ass.n.02": 2}, "eseln": {"ass.n.01": 1}}
    [often, once] = CandidateLabels(inventory(forms), ["de"]).of(NOUN, "esels", "de")
    assert (often.filler, once.filler) == ("ass.n.02", "ass.n.01")
    assert often.good == once.good == pytest.approx((log(1 + 1), log(1 + 2), 1))


def test_a_sentence_is_in_the_language_that_has_most_of_its_words() -> None:
    offers = CandidateLabels(inventory(), ["de", "en", "it", "nl"])
    for language, sentence in {
        "de": "Der Hund schläft nicht .",
        "en": "The dog does not sleep .",
        "it": "Il cane non dorme .",
        "nl": "De hond slaapt niet .",
    }.items():
        assert offers.language_of(sentence.split()) == language
