"""What the package has of WordNet."""

from amparser.lexicon import dictionary as wordnet


def test_words_have_senses() -> None:
    assert [wordnet.senses(part).get("mustard") for part in wordnet.PARTS] == [None, 3, None, None]
    assert all(min(wordnet.senses(part).values()) > 0 for part in wordnet.PARTS)


def test_words_that_belong_together_and_irregular_forms() -> None:
    assert "armed_forces" in wordnet.senses("n")
    assert [*wordnet.lemmas_of("n", "mice")] == ["mouse"]
    assert [*wordnet.lemmas_of("v", "thought")] == ["think"]
    assert [*wordnet.lemmas_of("v", "flooshed")] == []
