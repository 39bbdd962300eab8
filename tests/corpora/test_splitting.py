"""Tokenization of raw text in the style of the training sentences."""

import json
import pickle
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st
from toml_tables import tables

from amparser.characters import text_of
from amparser.corpora.splitting import Splitting
from amparser.corpora.tokens import tokenize
from amparser.errors import ModelError
from amparser.schema import from_json, to_json

TABLES = tables(__file__)


@pytest.mark.parametrize(("train", "text", "tokens"), TABLES["split"])
def test_raw_text_is_split_like_train(train, text, tokens) -> None:
    splitting = Splitting.of([sentence.split() for sentence in train])
    assert splitting(text) == tuple(tokens.split())
    stored = json.loads(json.dumps(to_json(splitting, Splitting)))
    again = from_json(stored, Splitting, "model.json", error=ModelError)
    assert again(text) == tuple(tokens.split())


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=30), max_size=4), st.text())
def test_splitting_keeps_all_text(train, text) -> None:
    splitting = Splitting.of([sentence.split() for sentence in train])
    found = splitting(text)
    bare = {ord(joint): None for joint in "_~ "}
    assert text_of(found).split() == text.split()
    assert "".join(t.written for t in found).translate(bare) == "".join(text.split()).translate(
        bare
    )
    assert all(token.strip() for token in found)


@given(st.text("ab.,?!;:'1 ", max_size=20))
def test_splitting_without_train_equals_tokenize(text) -> None:
    assert Splitting()(text) == tokenize(text)


def test_raw_sentences_are_cut_at_punctuation_but_not_in_abbreviations() -> None:
    raw = ["call Dr. Smith at 10:30.", "is it 2.5, or 3?", "call him."]
    splitting = Splitting.of_raw([sentence.split() for sentence in raw])
    assert splitting(raw[0]) == ("call", "Dr.", "Smith", "at", "10:30", ".")
    assert splitting(raw[1]) == ("is", "it", "2.5", ",", "or", "3", "?")
    assert Splitting.of([splitting(one) for one in raw])(raw[0]) == splitting(raw[0])


def test_words_get_the_case_of_train() -> None:
    train = ["The dog saw Emma Brown .", "Emma saw the UN .", "Dogs saw Liam ."] * 10
    splitting = Splitting.of([sentence.split() for sentence in train])
    assert splitting("emma brown saw the un.") == ("Emma", "Brown", "saw", "the", "UN", ".")
    assert splitting("the dogs saw liam") == ("The", "dogs", "saw", "Liam", ".")
    assert splitting("emma") == ("Emma",)
    assert splitting("dog") == ("dog",), "a word alone begins no sentence"
    low = Splitting.of([sentence.lower().split() for sentence in train])
    assert low("The DOG saw Emma") == ("the", "dog", "saw", "emma", ".")
    assert Splitting.of([train[0].split()])("emma") == ("emma",), "too few to tell"
    endless = Splitting.of([sentence.split()[:-1] for sentence in train])
    assert endless("the dogs saw liam.") == ("The", "dogs", "saw", "Liam")


def test_missing_final_punctuation_is_restored_from_train() -> None:
    train = ["Who saw Emma ?", "Liam saw Emma .", "Dogs saw who ?", "Emma ran ."] * 10
    splitting = Splitting.of([sentence.split() for sentence in [*train, "Cats slept ."]])
    assert splitting.last == {"": ".", "who": "?", "dogs": "?"}
    assert splitting("who saw liam")[-1] == "?"
    assert splitting("liam ran")[-1] == splitting("nobody ran")[-1] == "."
    assert splitting("Liam ran!")[-1] == "!"
    assert splitting("who") == ("who",), "a word alone is no sentence"
    cut = Splitting.of([row.split()[: 3 + i % 2] for i, row in enumerate(train)])
    assert "" not in cut.last, "some sentences end with no sign"
    commands = ["grab it", "grab it .", "where is it ?", "is it here ?"] * 10
    mixed = Splitting.of([sentence.split() for sentence in commands])
    assert mixed.last == {"where": "?", "is": "?"}, "commands end as people like"
    assert mixed("is it there")[-1] == "?"
    assert mixed("grab the ball")[-1] == "ball"
    stored = to_json(splitting, Splitting)
    assert from_json(stored, Splitting, "model.json", error=ModelError) == splitting
    older = {key: value for key, value in stored.items() if key != "last"}
    assert from_json(older, Splitting, "model.json", error=ModelError) == replace(
        splitting, last={}
    )


def test_tokens_keep_the_characters_of_the_text() -> None:
    splitting = Splitting.of_raw([["text", "anna:", "dinner", "is", "ready"]] * 20)
    splitting = splitting.with_cases([["text", "anna", ":", "dinner", "is", "ready"]] * 20)
    text = 'text anna: "No  worries", 5% o\ufb00'
    tokens = splitting(text)
    assert tokens[-1] == "off"
    assert text_of(tokens) == text
    assert text_of(pickle.loads(pickle.dumps(tokens[2:4]))) == ': "'
    assert splitting(f"{text}?") == tokens, "train has no last sign"
    assert splitting(f"{text}?")[-1].after == "?"


@pytest.mark.parametrize(
    ("sentence", "is_raw"),
    [("yes, call Dr. Smith", True), ("yes , call Dr. Smith .", False), ("he 's in", False)],
)
def test_raw_text_is_recognised_by_attached_punctuation(sentence, is_raw) -> None:
    assert Splitting.looks_raw([sentence.split()]) == is_raw


@pytest.mark.parametrize(("rows", "text", "tokens"), TABLES["numbers"])
def test_numbers_are_tokens_if_they_are_values_in_meanings(rows, text, tokens) -> None:
    splitting = Splitting.of_raw([sentence.split() for sentence, _ in rows])
    splitting = splitting.with_numbers((sentence.split(), meaning) for sentence, meaning in rows)
    assert splitting(text) == tuple(tokens.split())
    assert text_of(splitting(text)) == text
