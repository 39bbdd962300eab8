from pathlib import Path

import pytest
from toy_terms import questions

from amparser.errors import ModelError
from amparser.learn.tagger_folder import load_tagger_parser, save_tagger_parser
from amparser.learn.tagging import TaggerParser, TaggerTraining, train_tagger_parser
from amparser.nn.tagger import TaggerSettings
from amparser.notations.term import text_from_graph

NETWORK = TaggerSettings(word_size=24, letter_size=24, buckets=256, hidden_size=32, arc_size=16)
SETTINGS = TaggerTraining(epochs=12, rate=5e-3, batch_size=16, members=2, network=NETWORK)


@pytest.fixture(scope="module")
def parser() -> TaggerParser:
    return train_tagger_parser([example for example, _ in questions(80)], SETTINGS)


def answers(parser: TaggerParser, sentences: list[tuple[str, ...]]) -> list[str]:
    return ["" if g is None else text_from_graph(g) for g in parser.graphs(sentences)]


def test_longer_questions_than_in_training(parser: TaggerParser) -> None:
    deeper = questions(40, seed=7, depth=4)
    found = answers(parser, [example.tokens for example, _ in deeper])
    assert sum(a == text for a, (_, text) in zip(found, deeper, strict=True)) >= 30


def test_names_that_training_had_not(parser: TaggerParser) -> None:
    (found,) = answers(parser, [("Which", "jars", "in", "Far", "Loft", "?")])
    assert "far" in found


def test_nonsense_gives_a_term_or_nothing(parser: TaggerParser) -> None:
    found = answers(parser, [("?",), (), ("Loft",) * 5, ("xyzzy", "in", "in")])
    assert found[1] == ""
    assert all(text == "" or text.startswith("ask(") for text in found)


def test_a_training_depends_on_its_seed_alone(parser: TaggerParser) -> None:
    corpus = [example for example, _ in questions(20)]
    short = TaggerTraining(epochs=1, network=NETWORK, seed=3)
    sentences = [example.tokens for example in corpus[:3]]
    first, second = (train_tagger_parser(corpus, short).scores(sentences) for _ in range(2))
    for a, b in zip(first, second, strict=True):
        assert all((x == y).all() for x, y in zip(a, b, strict=True))


def test_saved_and_loaded(parser: TaggerParser, tmp_path: Path) -> None:
    save_tagger_parser(parser, tmp_path / "model")
    loaded = load_tagger_parser(tmp_path / "model")
    sentences = [example.tokens for example, _ in questions(10, seed=3)]
    assert loaded.parse(sentences) == parser.parse(sentences)
    (tmp_path / "model" / "parser.json").write_text("{}")
    with pytest.raises(ModelError):
        load_tagger_parser(tmp_path / "model")
