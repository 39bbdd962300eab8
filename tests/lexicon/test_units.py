"""Units: nothing of a text is lost, and annotated words end where units end."""

from hypothesis import given, strategies as st
from toy_bank import examples

from amparser.corpora.tokens import tokenize
from amparser.lexicon.units import Splitter, joined_text, splitter_of, words_to_units

SPLITTER = Splitter(("n't", "'s"))


@given(st.text(max_size=40))
def test_units_have_all_characters_of_the_tokens(text) -> None:
    tokens = tokenize(text)
    units = SPLITTER.units(tokens)
    assert "".join(unit.text for unit in units) == "".join(tokens)
    assert sorted({unit.token for unit in units}) == list(range(len(tokens)))


@given(st.lists(st.from_regex(r"[a-z]{1,5}(-[a-z]{1,3})?('s)?", fullmatch=True), min_size=1))
def test_units_rejoin_to_the_text(words) -> None:
    assert joined_text(SPLITTER.units(words), " ") == " ".join(words)


def test_endings_are_learned_from_annotated_words() -> None:
    rows = [(e.tokens, dict(e.layers)["tok"]) for e in examples(100)]
    assert splitter_of(rows).endings == ("n't",)
    units = [unit.text for unit in splitter_of(rows).units(("doesn't", "x."))]
    assert units == ["does", "n't", "x", "."]


def test_beginnings_are_learned_from_annotated_words() -> None:
    rows = [(("l'uomo", "e", "l'Ape."), ("l'", "uomo", "e", "l'", "Ape", "."))] * 2
    splitter = splitter_of(rows)
    assert splitter == Splitter((), ("l'",))
    units = [unit.text for unit in splitter.units(("L'anatra,", "l'"))]
    assert units == ["L'", "anatra", ",", "l'"]


def test_an_ending_that_is_a_token_stays_whole() -> None:
    units = [unit.text for unit in Splitter(("'s",)).units(("It", "'s", "Tom's", "'t"))]
    assert units == ["It", "'s", "Tom", "'s", "'", "t"]


def test_words_of_annotators_end_at_units() -> None:
    units = SPLITTER.units(tokenize("Ann doesn't like ice cream."))
    words = ("Ann", "does", "n't", "like", "ice cream", ".")
    assert words_to_units(words, units) == [0, 1, 2, 3, 5, 6]
    assert words_to_units(("Somebody", "else"), units) is None
