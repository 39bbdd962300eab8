"""Reasons for doubt, unseen parts of meanings, and sentences in other languages."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest
from command_line import ok
from tiny_folders import KINDS

from amparser.corpora.formats import FORMATS
from amparser.doubts import REASONS, reasons_in_words
from amparser.learn.confidence import Confidence
from amparser.lexicon.local_shapes import Attested, is_row, kind_of, local_shapes, parts_of
from amparser.nn.language import Language
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.notations.registry import NOTATIONS
from amparser.parser import Parser

TRAIN = [
    "book(table(two), noon)",
    "book(table(two), night)",
    "cancel(table(four))",
    "cancel(room(four))",
]


@pytest.mark.parametrize(
    ("meaning", "new"),
    [
        ("book(table(two), night)", 0),
        # The pair table-four is known; the triple below book and the row are new.
        ("book(table(four), noon)", 1),
        # New: the row, the pair and the triple of book and room, room-two, and room below book.
        ("book(room(two), noon)", 6),
    ],
)
def test_unseen_parts_of_a_meaning_are_counted(meaning, new) -> None:
    graphs = [NOTATIONS["term"].graph((), text) for text in TRAIN]
    shapes = local_shapes(graphs)
    attested = Attested.of(shapes, [((), graph) for graph in graphs], [])
    asked = parts_of(NOTATIONS["term"].graph((), meaning), shapes)
    assert len(attested.new_among(asked)) == new
    assert sum(map(is_row, asked)) == 2
    assert not any(attested.new_among(parts_of(graph, shapes)) for graph in graphs)


@pytest.mark.parametrize(
    ("sentence", "meaning", "kinds"),
    [
        ("clean it", "clean(named('rover'))", {}),
        ("it there", "open(named('rover'))", {"values": 1}),
        ("it there", "open(named('rare'))", {}),
        ("clean it", "open(named('blind'))", {"words": 1}),
        ("new it", "open(named('blind'))", {}),
        ("clean it", "rare(named('blind'))", {"new": 5, "values": 1}),
    ],
)
def test_frequent_values_at_new_places_and_words_with_new_roots_are_parts(
    sentence, meaning, kinds
) -> None:
    rows = [("clean", "rover"), ("clean", "blind"), ("open", "blind")] * 3 + [("clean", "rare")]
    pairs = [(f"{one} it", f"{one}(named('{name}'))") for one, name in rows]
    train = [(text.split(), NOTATIONS["term"].graph((), meaning)) for text, meaning in pairs]
    asked = NOTATIONS["term"].graph((), meaning)
    shapes = local_shapes([*(graph for _, graph in train), asked])
    held = parts_of(asked, shapes, sentence.split())
    parts = Attested.of(shapes, train, []).new_among(held)
    assert Counter(map(kind_of, parts)) == kinds


def test_an_answer_with_new_parts_gives_way_to_one_without(tmp_path: Path) -> None:
    folder, sentences = KINDS["tree"](tmp_path)
    parser = Parser.load(folder, "cpu")
    shapes = parser.head.shapes
    assert shapes is not None
    plain = Confidence([0.0] * 2, [1.0] * 2, [0.0] * 2, 0.0)
    changed = 0
    for best in parser.with_options(k_best=2).parse(sentences):
        [other] = best.alternatives
        parts, known = (
            parts_of(NOTATIONS["term"].graph(best.tokens, str(one.meaning)), shapes)
            for one in (best, other)
        )
        for penalty in (0.0, 1e-3, 100.0):
            head = replace(
                parser.head,
                attested=Attested(frozenset(known)),
                confidence=replace(plain, penalties={"new": penalty}),
            )
            [found] = Parser(head, parser.model).parse([best.tokens])
            if penalty < 1 or parts <= known:
                assert found.meaning == best.meaning
            elif found.meaning != best.meaning:
                assert "shape" not in found.reasons
                assert float(found.logp or 0) <= float(best.logp or 0)
                changed += 1
    assert changed


def test_words_that_train_ignores_are_collected() -> None:
    rows = [(("please", "Go"), (0, 4)), (("Please", "go", "now"), (0, 4, 5)), (("go",), (0,))]
    assert Attested.of(None, (), rows).ignored == {"please"}


NO_WORDS = "another language: train has none of its words"


def problem(
    sentence: str, train: Sequence[str], dictionary: str = "", encoder: object = None
) -> str | None:
    rows = [line.split() for line in train]
    vocabulary = vocabulary_from_sentences(rows)
    tokens = sentence.split()
    language = Language(vocabulary, dictionary, encoder)
    return language.problem(tokens, vocabulary.unknown(tokens))


def test_new_content_words_are_not_another_language() -> None:
    train = [f"the dog{i} sees a cat{i} in the park{i}" for i in range(20)]
    assert problem("a wug blickets the dax in the toma", train) is None
    assert problem("7 : 15", train) is None
    assert problem("der Hund sieht eine Katze", train) == NO_WORDS


def test_small_vocabulary_does_not_identify_a_language() -> None:
    train = [f"the dog{i} sees a cat{i} in the park{i}" for i in range(20)]
    sentence = "write das Buch von Anna Schmidt auf"
    assert problem(f"{sentence} a", train) is None
    many = [*train, *(f"word{i} other{i}" for i in range(2_000)), *["the of and to a"] * 10_000]
    assert "lacks 7 of its 8 words" in str(problem(f"{sentence} a", many))


ENGLISH = [*["the of and to a in is"] * 10_000, *(f"word{i} other{i}" for i in range(2_000))]
RARE = ["apple bridge carpet doctor engine"]


def test_words_of_the_dictionary_are_no_words_of_another_language() -> None:
    sentence = "discharged wound stalks seedless pus"
    assert problem(sentence, [*ENGLISH, *RARE]) == NO_WORDS
    assert problem(sentence, [*ENGLISH, *RARE], "en") is None
    words = "brücke teppich fenster wohnung straße löffel gabel messer tasse teller kissen decke"
    assert problem(sentence, [words], "en") == NO_WORDS, "train is not English"


def test_common_words_of_other_languages_count_more_than_rare_ones() -> None:
    class Common:
        def word_logp(self, word: str) -> float:
            return -9.0 if word == "hij" else -inf

    train, sentence = [*ENGLISH, *RARE], "Hij is the Tokio"
    assert problem(sentence, train, "en") is None
    assert "lacks 2 of its 4 words" in str(problem(sentence, train, "en", Common()))


def test_other_languages_are_rejected_on_request(parser) -> None:
    sentences = ["Guten Morgen alle zusammen .", "The wug blicketed a dax ."]
    strange, new = parser.with_options(allow_unknown=False).parse(sentences)
    assert strange.meaning is None
    assert "none of its words" in str(strange.failure)
    assert "other_language" in strange.reasons
    assert new.meaning is not None
    assert new.reasons == ("unknown_word",)
    [answered] = parser.parse(sentences[:1])
    assert answered.meaning is not None
    assert "other_language" in answered.reasons


AMBIGUOUS, CLEAR = "Old men and women left.", "The cat sleeps."


def test_ambiguous_sentences_tie() -> None:
    parser = Parser.load("eds", "cpu")
    tied, clear = parser.with_options(k_best=2).parse([AMBIGUOUS, CLEAR])
    assert "tie" in tied.reasons
    # Another sense of the verb is far less probable.
    assert "tie" not in clear.reasons
    assert clear.meaning == parser(CLEAR).meaning


@pytest.mark.parametrize("name", ["eds", "pmb"])
def test_simple_sentences_have_more_confidence_than_long_ones(name) -> None:
    long = "Visiting old men and women from Spain that we saw fish like an arrow on Monday."
    easy, hard = Parser.load(name, "cpu").parse([CLEAR, long])
    assert (easy.confidence or 0.0) > 0.5 > (hard.confidence or 1.0)


def test_ask_back_prints_both_meanings_of_a_tie() -> None:
    first, second, end, clear = ok(
        "parse", "--model", "eds", "--format", "ask-back", AMBIGUOUS, CLEAR
    ).splitlines()
    (rank, _, one), (next_rank, _, other) = (line.split("\t") for line in (first, second))
    assert (rank, next_rank, end) == ("1", "2", "")
    assert one != other
    assert clear == ok("parse", "--model", "eds", CLEAR).strip()


def test_reasons_and_ignored_words_are_kept_in_json(parser) -> None:
    [result] = parser.parse(["The wug slept ."])
    result = result.altered(ignored=("slept",), reasons=tuple(REASONS))
    example = FORMATS["json"].example(result.to_json())
    assert example.ignored == ("slept",)
    assert example.reasons == tuple(REASONS)


def test_reasons_are_written_in_words(parser) -> None:
    [result] = parser.parse(["The wug slept ."])
    result = result.altered(ignored=("slept",), reasons=tuple(REASONS))
    sentences = reasons_in_words(result)
    assert len(sentences) == len(REASONS) - 1
    assert sentences[0].endswith("a guess: wug.")
    assert sentences[1].endswith("usually matter: slept.")
    refused = result.altered(meaning=None, failure="no well-typed tree: the reason")
    assert reasons_in_words(refused)[0] == (
        "There is no meaning: the model learned no way to combine these words "
        "(no well-typed tree: the reason)."
    )
    assert len(reasons_in_words(refused)) == 3
    assert reasons_in_words(result.altered(reasons=())) == []
