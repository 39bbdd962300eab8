"""One `Parser` for all presets: each corpus gets its preset, and all commands work with it."""

import json
import pickle
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import tiny_model
import toy_bank
from command_line import ok, refused, run
from killed import KilledError, Killer, content
from small_settings import LETTERS, NODES
from toy_terms import questions

import amparser
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.formats import FORMATS
from amparser.decode.decoders import DECODERS
from amparser.errors import ConfigError, CorpusError, InputError, ModelError
from amparser.learn.settings import with_overrides
from amparser.parser import Parser
from amparser.presets.source import choose
from amparser.serve.service import Service

pytestmark = pytest.mark.slow  # three trainings


class Kind(NamedTuple):
    file: str
    text: str
    settings: tuple[str, ...]
    sentence: str
    decoders: tuple[str, ...]
    decided: tuple[str, ...]
    titles: tuple[str, ...]


def _nodes() -> str:
    return "".join(f"{sentence}\t{meaning}\n" for sentence, meaning, _ in tiny_model.rows())


def _trees() -> str:
    return "".join(f"{' '.join(item.tokens)}\t{text}\n" for item, text in questions(60))


def _graphs() -> str:
    write = FORMATS["penman"].write
    return "".join(map(write, toy_bank.examples(100)))


_SMALL = (*LETTERS, "arc_size=16")
KINDS = {
    "node": Kind(
        "train.tsv",
        _nodes(),
        (
            *(*NODES, "encoder.word_size=24", "encoder.hidden_size=32", "supertag.hidden_size=32"),
            *("epoch_sentences=0", "batch_tokens=64", "train.epochs=6"),
        ),
        "The cat saw a dog .",
        ("astar-gap", "astar", "fixed-tree"),
        ("re-entrant edges: none", "search: astar-gap, the best well-typed tree"),
        ("frames: the source of each role", "supertags, most frequent first"),
    ),
    "tree": Kind(
        "train.tsv",
        _trees(),
        (*_SMALL, "train.epochs=8"),
        "Which heavy jars in Old Attic ?",
        ("projective", "wrap"),
        ("re-entrant edges: none", "search: projective, the best projective tree"),
        ("fragments, most frequent first", "lexical labels"),
    ),
    "graph": Kind(
        "train.penman",
        _graphs(),
        (
            *(*_SMALL, "encoder.layers=1", "heads.hidden_size=32"),
            *("encoder.dropout=0.1", "train.epochs=6"),
        ),
        "Tom sees a dog.",
        ("tree",),
        ("re-entrant edges: in", "search: tree, the best"),
        ("constants, most frequent first", "lexical labels of constants"),
    ),
}


class Trained(NamedTuple):
    name: str
    kind: Kind
    data: Path
    model: Path
    told: str
    parser: Parser


@pytest.fixture(scope="module", params=KINDS)
def trained(request, tmp_path_factory) -> Trained:
    kind = KINDS[request.param]
    data, model = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("model") / "model"
    (data / kind.file).write_text(kind.text, encoding="utf-8")
    settings = [
        part
        for one in (*kind.settings, "train.select=last", "learning_rate=1e-2")
        for part in ("--set", one)
    ]
    result = run("train", "--data", data, "--output", model, "--device", "cpu", *settings)
    assert result.exit_code == 0, result.stderr
    return Trained(request.param, kind, data, model, result.stderr, Parser.load(model, "cpu"))


def test_train_and_check_choose_one_preset_and_report_why(trained) -> None:
    checked = ok("check", trained.data)
    assert f"preset: {trained.name}; of" in checked
    assert f"preset: {trained.name}" in trained.told
    for decided in (*trained.kind.decided, " constants: ", "boxes", "markers: "):
        assert decided in trained.told
        assert decided in checked
    assert f"{amparser.check(trained.data).train_count} training examples" in checked
    assert trained.parser.settings.preset == trained.name
    assert trained.parser.system == "amparser"


def test_undecomposable_rows_keep_the_default_preset() -> None:
    rows = [Example(("a",), failure="nothing")]
    assert choose(Corpus(rows, (), "term")).preset == "node"


def test_fault_while_choosing_a_preset_names_the_file(tmp_path) -> None:
    path = tmp_path / "train.tsv"
    path.write_text("a b\tf(g\tq\n" * 12)
    with pytest.raises(CorpusError, match=r"train\.tsv"):
        amparser.check(path, notation="term")


def test_all_presets_parse_alike(trained) -> None:
    parser, sentence = trained.parser, trained.kind.sentence
    assert isinstance(amparser.load(trained.model, device="cpu"), Parser)
    results = parser.parse([sentence, "", sentence.split(), "xyzzy " * 450])
    assert [result.failure for result in results[:3]] == [None, "empty line", None]
    assert results[3].failure is not None
    assert results[0].meaning == parser.answers([results[0].tokens])[parser.decoders[0]][0].meaning
    assert results[0].graph is not None
    assert results[0].logp is not None
    assert (results[0].tree is not None) == parser.has_trees == (trained.name != "graph")
    assert len(results[0].explain().choices) >= len(results[0].tokens)
    assert json.loads(results[0].to_json())["meaning"] == results[0].meaning
    with pytest.raises(InputError, match="got one text"):
        parser.parse(sentence)
    with pytest.raises(InputError, match="expected a text or a list of tokens, got 3"):
        parser.parse([3])  # type: ignore[list-item]


def test_pickled_parser_gives_equal_answers(trained) -> None:
    """Pickles are sent by joblib, Spark and spawned processes, before and after the first use."""
    fresh = amparser.load(trained.model, device="cpu")
    sent = pickle.loads(pickle.dumps(fresh))
    result = fresh(trained.kind.sentence)  # type: ignore[operator]
    assert sent(trained.kind.sentence) == result
    used = pickle.loads(pickle.dumps(fresh))
    assert used(trained.kind.sentence).explain() == result.explain()
    assert repr(used) == repr(fresh)
    assert f"of {trained.kind.file}: notation {fresh.notation}" in repr(used)


def test_killed_training_resumes_to_the_same_folder(trained, tmp_path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    overrides = [*trained.kind.settings, "train.epochs=2", "members=2", "train.device=cpu"]
    train = partial(amparser.train, trained.data, overrides=overrides)
    model = train(whole)
    with pytest.raises(KilledError):
        train(cut, on_progress=Killer(2, 2))
    with pytest.raises(InputError, match="stopped after epoch 1; --resume continues it"):
        train(cut)
    train(cut, resume=True)
    assert content(cut) == content(whole)
    loaded = amparser.load(cut, device="cpu")
    sentences = [tuple(trained.kind.sentence.split()[first:]) for first in range(3)]
    assert loaded.answers(sentences) == model.answers(sentences)
    assert loaded.inventory_tables() == model.inventory_tables()
    head = json.loads((cut / "model.json").read_text())
    key = next(iter(head["content"]))
    del head["content"][key]
    (cut / "model.json").write_text(json.dumps(head))
    with pytest.raises(ModelError, match=r"model\.json: content\..* was changed"):
        amparser.load(cut)
    del head["checksums"]
    (cut / "model.json").write_text(json.dumps(head))
    with pytest.raises(ModelError, match=rf"'content\.{key}' is missing"):
        amparser.load(cut)


def test_training_starts_from_a_model_of_fewer_rows(trained, tmp_path) -> None:
    overrides = [*trained.kind.settings, "train.select=last", "train.device=cpu"]
    epochs = next(int(one.rpartition("=")[2]) for one in overrides if "epochs" in one)
    more = tmp_path / trained.kind.file
    before, rows = "\n\n" if trained.name == "graph" else "\n", trained.kind.text
    more.write_text(rows + before.join([*rows.split(before)[:3], ""]), encoding="utf-8")

    def learned(model: Any) -> tuple[float, int]:
        told = model.metrics["epochs"]
        return told[0]["loss"], len(told)

    def train(*changed: str) -> Any:
        return amparser.train(more, tmp_path / "model", overrides=[*overrides, *changed])

    fresh, all_epochs = learned(trained.parser)
    begun, some = learned(train(f"train.start={trained.model}"))
    assert (all_epochs, some) == (epochs, -(-epochs // 6))
    assert begun < fresh / 2
    other = next(name for name in ("slog", "eds") if (name == "eds") == (trained.name != "graph"))
    with pytest.raises(ConfigError, match=f"expected {trained.name}, which this corpus needs"):
        train(f"train.start={other}")
    with pytest.raises(ConfigError, match=r"of the weights of .* fit, expected at least 50%"):
        train(f"train.start={trained.model}", "encoder.hidden_size=48", "encoder.word_size=12")
    with pytest.raises(ModelError, match="no such model folder"):
        train(f"train.start={tmp_path / 'none'}")


def test_two_processes_and_custom_tokenizer_give_equal_answers(trained) -> None:
    parser, sentence = trained.parser, trained.kind.sentence
    sentences = [sentence, "", "the the the", sentence] * 70
    one = list(parser.stream(sentences))
    two = list(parser.stream(sentences, processes=2))
    assert [r.meaning for r in one] == [r.meaning for r in two]
    assert [r.failure for r in one] == [r.failure for r in two]
    assert one[0].tree == two[0].tree
    assert one[0].explain() == two[0].explain()
    assert repr(one[0].graph) == repr(two[0].graph)
    joined = "_".join(one[0].tokens)
    [found] = parser.parse([joined], tokenizer=lambda text: iter(text.split("_")))
    assert found.meaning == one[0].meaning


def test_k_best_meanings_differ_and_are_sorted(trained) -> None:
    parser, sentence = trained.parser, trained.kind.sentence
    with_options = parser.with_options(k_best=3)
    for decoder in parser.decoders:
        [one], [several] = (
            parser.parse([sentence], decoder),
            with_options.parse([sentence], decoder),
        )
        ranked = [several, *several.alternatives]
        assert not one.alternatives
        if trained.name != "graph":  # there each step takes what is best for it alone
            assert several.meaning == one.meaning
        assert (several.logp or 0.0) >= (one.logp or 0.0)
        assert 1 < len(ranked) <= 3
        assert len({result.meaning for result in ranked}) == len(ranked)
        assert all(result.meaning and result.graph and result.logp for result in ranked)
        logps = [result.logp or 0.0 for result in ranked]
        assert logps == sorted(logps, reverse=True)
    [several] = with_options.parse([sentence])
    rows = [sentence, "", sentence] * 70
    shared = list(with_options.stream(rows, processes=2))
    for one in (shared[0], shared[2]):
        assert [r.meaning for r in one.alternatives] == [r.meaning for r in several.alternatives]
    printed = ok("parse", "-m", trained.model, "--k-best", "3", sentence, sentence)
    blocks = [block.splitlines() for block in printed.strip().split("\n\n")]
    assert blocks[0] == blocks[1]
    assert [line.split("\t")[0] for line in blocks[0]] == ["1", "2", "3"][: len(blocks[0])]
    assert blocks[0][0].endswith(str(several.meaning))
    with pytest.raises(InputError, match="k_best = 0: expected 1 to 100"):
        parser.with_options(k_best=0)


def test_confidence_separates_known_from_foreign_sentences(trained) -> None:
    parser, sentence = trained.parser, trained.kind.sentence
    foreign = "Colourless ideas of nobody whisper furiously under such an umbrella"
    own, other = parser.parse([sentence, foreign])
    assert own.confidence > 2 * (other.confidence or 0.0)
    assert (other.confidence or 0.0) < 0.5
    # The toy bank's parser is right about a third of unseen sentences, and says so.
    assert own.confidence > (0.2 if trained.kind.file == "train.penman" else 0.5)
    assert parser.parse([sentence, foreign], processes=2)[0].confidence == own.confidence
    least = own.confidence - 0.01
    careful = parser.with_options(min_confidence=least).parse([sentence, foreign])
    assert careful[0].meaning == own.meaning
    assert careful[1].meaning is None
    result = run("parse", "-m", trained.model, "--min-confidence", str(least), sentence, foreign)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0] == own.meaning
    assert "sentence 2: no parse: " in result.stderr
    assert json.loads(ok("parse", "-m", trained.model, "-f", "json", sentence))["confidence"]


def test_only_fitting_decoders_are_offered(trained) -> None:
    parser, kind = trained.parser, trained.kind
    assert parser.decoders == kind.decoders
    seconds: dict[str, float] = {}
    tokens = parser.parse([kind.sentence])[0].tokens
    answers = parser.answers([tokens], kind.decoders, seconds=seconds)
    assert tuple(answers) == kind.decoders
    assert {"scoring", *(f"decoding {name}" for name in kind.decoders)} <= seconds.keys()
    other = next(name for one in KINDS.values() for name in one.decoders if name not in answers)
    fitting = ", ".join(name for name in DECODERS if name in kind.decoders)
    expected = f"{other!r} does not fit this model, expected one of {fitting}"
    with pytest.raises(InputError, match=expected):
        parser.answers([tokens], [other])
    assert expected in refused("parse", "-m", trained.model, "-d", other, kind.sentence)


def test_all_commands_accept_the_model(trained, tmp_path) -> None:
    model, sentence, gold = trained.model, trained.kind.sentence, trained.data / trained.kind.file
    printed = run("parse", "--model", model, sentence, sentence, "--jobs", "2")
    assert printed.exit_code == 0, printed.stderr
    assert sentence.split()[0] in ok("parse", "--model", model, "-f", "svg", sentence)
    assert "ROOT" in ok("parse", "--model", model, "-f", "amconll", sentence)
    page = tmp_path / "page.html"
    figures = ("--model", model, "--data", gold, "--limit", "6")
    table = ok("evaluate", *figures, "--jobs", "2", "--html", page)
    assert "sentences/s" in table
    assert "<html" in page.read_text(encoding="utf-8")
    compared = ok("compare", *figures)
    for name in trained.kind.decoders:
        assert name in compared
        several = len(trained.kind.decoders) > 1
        assert (f"right with {name}, wrong with" in compared) == several
    for induced in (ok("lexicon", "--model", model), ok("lexicon", "--data", trained.data)):
        assert all(title in induced for title in trained.kind.titles)


def test_bulk_and_page_accept_the_model(trained, tmp_path) -> None:
    (tmp_path / "in.txt").write_text(f"{trained.kind.sentence}\n" * 3, encoding="utf-8")
    written = tmp_path / "out"
    options = ("--output", written, "--model", trained.model)
    assert run("bulk", tmp_path / "in.txt", *options).exit_code == 0
    [shard] = written.glob("*.jsonl")
    rows = [json.loads(line) for line in shard.read_text(encoding="utf-8").splitlines()]
    [result] = trained.parser.parse([trained.kind.sentence])
    assert [row["meaning"] for row in rows] == [result.meaning] * 3
    assert all(row["tree"] is not None for row in rows)
    assert all(row["logp"] == pytest.approx(result.logp) for row in rows)
    service = Service([trained.model], "cpu")
    [about] = service.about({})["models"]
    assert [one["name"] for one in about["decoders"]] == list(trained.kind.decoders)
    assert all(one["trees"] for one in about["decoders"])
    asked = {"sentence": trained.kind.sentence, "decoders": list(trained.kind.decoders)}
    answer = json.loads(json.dumps(service.parse(asked)))
    first = answer["answers"][trained.kind.decoders[0]]
    assert first["meaning"] == result.meaning
    assert first["explanation"]["choices"]
    assert first["pictures"]


def test_parser_copies_change_decoder_and_notation(trained) -> None:
    parser = trained.parser
    decoder = f"decode.decoder={trained.kind.decoders[-1]}"
    other = parser.with_settings(with_overrides(parser.settings, [decoder]))
    assert other.decoders[0] == trained.kind.decoders[-1]
    assert other.notation == parser.notation
    assert parser.with_notation(parser.notation).notation == parser.notation
    with pytest.raises(InputError, match="cannot write"):
        parser.with_notation("term" if trained.name == "node" else "cogs")
