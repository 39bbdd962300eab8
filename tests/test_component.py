"""The component for spaCy pipelines."""

import pickle
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from command_line import ok

from amparser.errors import InputError, ModelError

ROOT = Path(__file__).resolve().parents[1]
spacy = pytest.importorskip("spacy")


def pipeline(**config: object) -> spacy.Language:
    import amparser.component  # noqa: F401  (an installed package registers by its entry point)

    nlp = spacy.blank("en")
    nlp.add_pipe("amparser", config={"device": "cpu", **config})
    return nlp


def test_component_and_parse_give_equal_meanings() -> None:
    nlp = pipeline(model="slog")
    nlp.add_pipe("sentencizer", first=True)
    texts = ["Emma slept. The cat saw a dog.", "", "Who did Emma give a cake to?"]
    docs = list(nlp.pipe(texts))
    printed = ok("parse", "Emma slept.", "The cat saw a dog.", texts[2], "--device", "cpu")
    assert [*docs[0]._.meanings, *docs[2]._.meanings] == printed.splitlines()
    assert docs[1]._.meanings == []
    assert docs[0]._.amparser[0].notation == "cogs"
    assert nlp(texts[2])._.meanings == docs[2]._.meanings


def test_document_without_sentences_is_one_sentence() -> None:
    [result] = pipeline(notation="varfree", k_best=2)("Emma slept.")._.amparser
    assert result.meaning == "sleep ( agent = Emma )"


def test_span_has_the_roles_of_its_predicates() -> None:
    nlp = pipeline()
    nlp.add_pipe("sentencizer", first=True)
    doc = nlp("Emma slept.  The\ncat saw a dog.")
    first, second = doc.sents
    assert [(r.predicate, r.role, r.phrase.text) for r in first._.roles] == [
        ("sleep", "agent", "Emma")
    ]
    for role in second._.roles:
        assert doc.char_span(role.phrase.start, role.phrase.end).text == role.phrase.text
    assert {role.phrase.text for role in second._.roles} == {"The\ncat", "dog"}
    assert [*first._.roles, *second._.roles] == doc[:]._.roles
    assert doc[0:1]._.roles == []


def test_documents_of_other_pipelines_have_no_meanings() -> None:
    pipeline()
    assert spacy.blank("en")("Emma slept.")._.meanings == []


def test_results_survive_bytes_files_and_processes() -> None:
    from spacy.tokens import Doc, DocBin

    nlp = pipeline(k_best=2)
    texts = ["Emma slept.", "", "  The\ncat saw a dog."]
    docs = list(nlp.pipe(texts))
    kept = DocBin(docs=docs, store_user_data=True).to_bytes()
    for others in (
        [Doc(nlp.vocab).from_bytes(doc.to_bytes()) for doc in docs],
        list(DocBin().from_bytes(kept).get_docs(nlp.vocab)),
        list(nlp.pipe(texts, n_process=2)),
        list(pickle.loads(pickle.dumps(nlp)).pipe(texts)),
    ):
        for other, doc in zip(others, docs, strict=True):
            assert other._.meanings == doc._.meanings
            assert other[:]._.roles == doc[:]._.roles
            for one, expected in zip(other._.amparser, doc._.amparser, strict=True):
                assert (one.to_json(), one.places) == (expected.to_json(), expected.places)


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        ({"model": "nosuch"}, ModelError, "nosuch: no such model folder"),
        ({"decoder": "nosuch"}, InputError, "unknown decoder 'nosuch', expected one of astar-gap"),
        ({"min_confidence": 2.0}, InputError, "expected 0 to 1"),
    ],
)
def test_invalid_config_is_an_error_of_this_package(config, error, message) -> None:
    with pytest.raises(error, match=message):
        pipeline(**config)


def test_entry_point_names_the_factory() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    entry = tomllib.loads(text)["project"]["entry-points"]["spacy_factories"]["amparser"]
    module, _, name = entry.partition(":")
    assert getattr(import_module(module), name).__name__ == "create"
