"""Lemmas of words that were not seen, by rules counted on words that were."""

from random import Random

import pytest

from amparser.lexicon.lemmas import BackOff, LemmaTable

VERB, NOUN, OTHER_VERB = 1, 2, 3
NOUNS = ["cat", "bed", "weed", "box", "seed", "tree", "shed", "girl", "rose", "sled"]


def table() -> LemmaTable:
    pairs = "walked walk,helped help,touched touch,hunted hunt,painted paint,baked bake,liked like,"
    pairs += "poked poke,hated hate,stabbed stab,planned plan,jogged jog,missed miss,called call"
    verbs = [tuple(pair.split()) for pair in pairs.split(",")]
    return LemmaTable.from_observations(
        [
            *((form, VERB, lemma) for form, lemma in verbs),
            *((noun, NOUN, noun) for noun in NOUNS),
            ("wanted", OTHER_VERB, "want"),
        ]
    )


@pytest.mark.parametrize(
    ("form", "lemma"), [("flooshed", "floosh"), ("blated", "blate"), ("grabbed", "grab")]
)
def test_spelling_of_the_ending_follows_the_letters_before_it(form, lemma) -> None:
    assert table().lemma(form, VERB) == lemma


def test_words_that_are_their_own_lemmas_share_no_rules_with_others() -> None:
    assert table().lemma("breed", NOUN) == "breed"
    assert table().lemma("flooshed", NOUN) == "flooshed"
    assert table().lemma("flooshed", OTHER_VERB) == "floosh"


def test_supertag_never_seen_inflects_as_most_words_that_do() -> None:
    assert table().lemma("flooshed", 99) == "floosh"


def test_unseen_form_that_is_a_lemma_is_its_own() -> None:
    rent = [("sent", VERB, "send"), ("lent", VERB, "lend"), ("bent", VERB, "bend")]
    assert LemmaTable.from_observations(rent).lemma("went", VERB) == "wend"
    rent.append(("wented", OTHER_VERB, "went"))
    assert LemmaTable.from_observations(rent).lemma("went", VERB) == "went"


def test_renaming_letters_renames_the_lemma() -> None:
    """The induction knows only the places of letters."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    shuffled = "".join(Random(3).sample(letters, len(letters)))
    code = str.maketrans(letters, shuffled)
    seen = [(f, k, lemma) for (f, k), lemmas in table().counts.items() for lemma in lemmas]
    renamed = LemmaTable.from_observations(
        [(f.translate(code), k, lemma.translate(code)) for f, k, lemma in seen]
    )
    for form in ("flooshed", "blated", "grabbed", "dusted", "named"):
        expected = table().lemma(form, VERB).translate(code)
        assert renamed.lemma(form.translate(code), VERB) == expected


def test_probabilities_of_all_outcomes_add_up() -> None:
    seen = [(("", a, a + b), o) for a, b, o in ("xpA", "xpA", "xqB", "yqA", "zrC")]
    model = BackOff(seen)
    for contexts in (("", "x", "xp"), ("", "x", "new"), ("", "new", "new")):
        assert sum(model.probability(o, contexts) for o in "ABC") == pytest.approx(1)


VERBS = {"cooked": "cook", "baked": "bake", "grew": "grow", "dreamed": "dream", "said": "say"}


def test_a_dictionary_knows_what_no_rule_can() -> None:
    seen = [(form, 1, lemma) for form, lemma in VERBS.items()]
    rules, both = (LemmaTable.from_observations(seen, language) for language in ("", "en"))
    lemmas = [both.lemma(form, 1) for form in ("froze", "packed", "adored")]
    assert lemmas == ["freeze", "pack", "adore"]
    assert rules.lemma("froze", 1) != "freeze"
    assert both.lemma("flooshed", 1) == rules.lemma("flooshed", 1) == "floosh"
    assert both.likely_lemmas("froze") == {"freeze"}
    assert both.likely_lemmas("flooshed") == set()


def test_a_word_without_an_end_has_a_lemma_soon() -> None:
    table = LemmaTable.from_observations(((form, 1, lemma) for form, lemma in VERBS.items()), "en")
    asked: list[str] = []

    class Lemmas(set[str]):
        def __contains__(self, word: object) -> bool:
            asked.append(str(word))
            return super().__contains__(word)

    table._lemmas = Lemmas(table._lemmas)
    assert table.lemma("a" * 100_000, 1)
    assert sum(map(len, asked)) < 1_000_000


def test_a_dictionary_that_is_wrong_on_train_is_not_asked() -> None:
    """Meanings have another language, or lemmas of their own."""
    seen = [(form, 1, lemma + "-01") for form, lemma in VERBS.items()]
    table = LemmaTable.from_observations(seen, "en")
    assert table.lemma("packed", 1).endswith("-01")
    names = [(name, 2, name) for name in ("Rose", "Grace", "Faith", "Emma", "Will")]
    assert LemmaTable.from_observations(names, "en").lemma("Roses", 2) == "Roses"
