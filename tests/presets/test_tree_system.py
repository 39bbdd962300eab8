"""Parsers over pieces of trees: they learn and answer."""

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch
from killed import content
from small_settings import LETTERS
from toy_terms import examples

from amparser.algebra.expand import expand
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import ConfigError, CorpusError, ProcessError
from amparser.graph.sgraph import Edge, Node, SGraph, isomorphic
from amparser.learn.ensemble_task import EnsembleTask, MemberBatch
from amparser.learn.processes import Processes
from amparser.learn.settings import with_overrides
from amparser.lexicon.encoded import FIRST_FRAGMENT, Encoded
from amparser.nn.targets import Losses
from amparser.notations.term import TERM
from amparser.parser import Parser
from amparser.parser_system import AMPARSER
from amparser.presets.settings import TreeDecodeSettings, TreeSettings
from amparser.presets.trees.training import decoder_of, heads_inside, training_set

pytestmark = pytest.mark.slow  # a dozen trainings
SMALL = with_overrides(
    TreeSettings(),
    [
        *(*LETTERS, "heads.hidden_size=32", "heads.arc_size=16", "encoder.dropout=0.3"),
        *("heads.dropout=0.3", "train.epochs=12", "train.learning_rate=5e-3", "train.members=2"),
    ],
)


def corpus(count: int = 20, dev: int = 6, **changes: Any) -> Corpus:
    found = Corpus(examples(count), examples(dev, seed=5), "term", places={"train": "train.jsonl"})
    return replace(found, **changes)


def settings(*overrides: str) -> TreeSettings:
    return with_overrides(SMALL, overrides)


def meanings(parser: Parser, sentences: Sequence[Sequence[str]]) -> list[str | None]:
    return [result.meaning for result in parser.answers(sentences, ("wrap",))["wrap"]]


@pytest.fixture(scope="module")
def parser(tmp_path_factory) -> Parser:
    folder = tmp_path_factory.mktemp("pieces") / "model"
    return AMPARSER.train(corpus(80), SMALL, folder)


def test_training_has_one_thread_and_leaves_torch_as_it_was(tmp_path) -> None:
    before, seen = torch.get_num_threads(), set()
    torch.set_num_threads(2)
    try:
        AMPARSER.train(
            corpus(),
            settings("train.epochs=1"),
            tmp_path,
            on_progress=lambda _: seen.add(torch.get_num_threads()),
        )
        assert (seen, torch.get_num_threads()) == ({1}, 2)
    finally:
        torch.set_num_threads(before)


def test_longer_questions_than_in_training(parser) -> None:
    deeper = examples(40, seed=7, depth=4)
    found = meanings(parser, [example.tokens for example in deeper])
    assert sum(a == e.meaning for a, e in zip(found, deeper, strict=True)) >= 30


def test_names_that_training_had_not(parser) -> None:
    [found] = meanings(parser, [("Which", "jars", "in", "Far", "Nook", "?")])
    assert found == "ask(jar(within(roomid('far nook', _))))"
    assert parser.unknown(("Which", "Far", "xyzzy")) == ("Far", "xyzzy")


def test_nonsense_gives_a_term_or_a_reason(parser) -> None:
    sentences = [("?",), ("Loft",) * 5, ("xyzzy", "in", "in")]
    for result in parser.answers(sentences, ("wrap",))["wrap"]:
        assert (result.meaning is None) == (result.failure is not None)
        assert result.meaning is None or result.meaning.startswith("ask(")


def test_both_decoders_answer_with_tree_graph_and_probability(parser) -> None:
    sentences = [example.tokens for example in examples(10, seed=3)]
    answers = parser.answers(sentences, ("wrap", "projective"))
    for left, right in zip(answers["wrap"], answers["projective"], strict=True):
        assert left.tree is not None
        assert left.graph is not None
        assert left.logp is not None
        # The class of trees is wider.
        assert right.logp is None or left.logp >= right.logp - 1e-9


@pytest.mark.parametrize("members", [2, 3])
def test_taggers_side_by_side_end_as_one_after_the_other(members, tmp_path, monkeypatch) -> None:
    chosen = settings(f"train.members={members}", "train.epochs=2")
    counts = (1, 5 - members)  # more processes than taggers, or fewer
    for count in counts:
        monkeypatch.setattr(Processes, "beside", count)
        AMPARSER.train(corpus(), chosen, tmp_path / str(count))
    one, other = (content(tmp_path / str(count)) for count in counts)
    assert one == other


def test_a_tagger_that_dies_or_fails_ends_the_training(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(Processes, "beside", 2)
    first = os.getpid()
    usual = EnsembleTask.losses

    def dies(task: EnsembleTask, batch: MemberBatch) -> Losses:
        if os.getpid() != first:
            os.kill(os.getpid(), signal.SIGKILL)
        return usual(task, batch)

    monkeypatch.setattr(EnsembleTask, "losses", dies)
    with pytest.raises(ProcessError, match="a worker process has ended"):
        AMPARSER.train(corpus(), SMALL, tmp_path / "dies")

    def grows(task: EnsembleTask, batch: MemberBatch) -> Losses:
        losses = usual(task, batch)
        factor = 1 if batch.member == 0 else float("inf")
        return losses._replace(parts={name: factor * p for name, p in losses.parts.items()})

    monkeypatch.setattr(EnsembleTask, "losses", grows)
    with pytest.raises(ConfigError, match="the loss is not finite at step 2"):
        AMPARSER.train(corpus(), SMALL, tmp_path / "grows")


def test_taggers_are_trained_as_they_would_be_alone(tmp_path) -> None:
    """The first of several does not see the others."""
    names = ("encoder.dropout", "encoder.word_rate", "encoder.rare_dropout", "heads.dropout")
    without_dropout = [f"{name}=0" for name in names]
    one, two = (
        AMPARSER.train(corpus(), settings("train.epochs=1", *more), tmp_path / name)
        for name, more in (
            ("one", ("train.members=1", *without_dropout)),
            ("two", ("train.members=2", *without_dropout)),
        )
    )
    for name, value in one.model.network[0].state_dict().items():
        assert value.equal(two.model.network[0].state_dict()[name])


def test_edges_that_no_tree_has_are_listed() -> None:
    nodes = {0: Node("want"), 1: Node("jar"), 2: Node("sleep")}
    edges = (Edge(0, "x", 1), Edge(0, "y", 2), Edge(2, "x", 1))
    item = Example(("jars", "want", "sleep"), graph=SGraph(nodes, edges, 0), line=3)
    found = training_set(Corpus([item] * 5, (), places={"train": "train.txt"}), TreeSettings())
    assert found.report.cut_count == 5
    assert found.report.cuts[0] == "train.txt:3: edges left out: x"


@pytest.mark.parametrize("given", [True, False])
def test_derivations_denote_the_graphs_that_they_came_from(given) -> None:
    rows = examples(60) if given else [replace(row, alignment=None) for row in examples(60)]
    gold = training_set(corpus(train=rows), settings())
    assert len(gold.train) == len(rows)
    for row, encoded in zip(rows, gold.train, strict=True):
        inventory = gold.learned.inventory
        derivation = inventory.decode(encoded)
        graph = inventory.graph(derivation)
        assert isomorphic(graph, TERM.graph(row.tokens, row.meaning or ""))
        # The tree denotes the same but for the wrapper, `ask`.
        inner = expand(derivation)
        wrapped = TERM.read(f"ask({TERM.write(inner)})")
        assert wrapped == TERM.read(TERM.write(graph))


def test_incoming_edges_keep_their_direction() -> None:
    rows = []
    for noun, quality in (("jar", "heavy"), ("lid", "heavy"), ("jar", "old"), ("lid", "old")):
        nodes = {0: Node(noun, 2), 1: Node(quality, 1)}
        rows.append(Example((quality, noun), graph=SGraph(nodes, (Edge(1, "of", 0),), 0)))
    gold = training_set(Corpus(rows, ()), TreeSettings())
    for row, encoded in zip(rows, gold.train, strict=True):
        derivation = gold.learned.inventory.decode(encoded)
        assert gold.learned.inventory.graph(derivation) == row.graph
        assert isomorphic(expand(derivation), row.graph)


def test_an_alignment_to_a_node_that_is_not_there_is_named() -> None:
    example = Example(("a",), "f(g)", alignment=((7,),), line=4)
    with pytest.raises(CorpusError, match=r"train\.jsonl:4: .*token 1 is aligned to the node 7"):
        training_set(corpus(train=[example]), SMALL)


def test_heads_inside_arguments_are_searched_for_where_train_has_them() -> None:
    def derivation(*heads: int) -> Encoded:
        n = len(heads)
        nothing: tuple[None, ...] = (None,) * n
        tags, ports = (FIRST_FRAGMENT,) * n, tuple(min(head, 0) for head in heads)
        return Encoded(("a",) * n, tags, (0,) * n, heads, ports, nothing, tuple(range(n)))

    plain, inside = derivation(-1, 0, 1), derivation(1, -1, 0)
    assert decoder_of(TreeSettings(), heads_inside([plain] * 300 + [inside]), 301) == "projective"
    assert decoder_of(TreeSettings(), heads_inside([plain] * 100 + [inside]), 101) == "wrap"
    chosen = replace(TreeSettings(), decode=TreeDecodeSettings(decoder="projective"))
    assert decoder_of(chosen, heads_inside([inside]), 1) == "projective"


def test_gibberish_is_searched_in_bounded_time(parser, monkeypatch) -> None:
    sentences = [row.tokens for row in examples(4)]
    found = parser.answers(sentences, ("wrap", "projective"))
    monkeypatch.setattr("amparser.presets.trees.search._MOST_WRAPPED", 0.0)
    limited = parser.answers(sentences, ("wrap",))["wrap"]
    assert [one.logp for one in limited] == [one.logp for one in found["projective"]]
