"""The benchmark of Elementary Dependency Structures, tested on invented sentences."""

from itertools import product
from pathlib import Path
from random import Random

import pytest
from command_line import ok
from published import DATA, missing
from toy_graphs import SMALL_GRAPHS

from amparser.algebra.expand import expand
from amparser.api import choose_settings, load
from amparser.benchmarks.eds.benchmark import EDS as BENCHMARK
from amparser.benchmarks.eds.reading import read_treebank
from amparser.corpora.corpus import Corpus
from amparser.evaluation.evaluate import evaluate
from amparser.graph.sgraph import isomorphic
from amparser.notations.eds import EDS, anchors_of
from amparser.presets.graphs.training import training_set
from amparser.presets.settings import GraphDataSettings, GraphSettings

TREEBANK = DATA / "erg"
NAMES = ("Rex", "Ann", "Tom", "Sue")
VERBS = {"barks": "_bark_v_1", "runs": "_run_v_1", "sleeps": "_sleep_v_1", "looks": "_look_v_up"}
NOUNS = {"dog": "_dog_n_1", "cat": "_cat_n_1", "dogs": "_dog_n_1", "cow": "_cow_n_1"}
SMALL = (*SMALL_GRAPHS, "epochs=12")


def blocks() -> list[str]:
    found = []
    for subject, (verb, event), is_negative in product((*NAMES, *NOUNS), VERBS.items(), (0, 1)):
        words = ["the", subject] if subject in NOUNS else [subject]
        head = len(words)
        if subject in NOUNS:
            node = f"(x / {NOUNS[subject]} :BV-of (q / _the_q))"
            below = [(head, subject), (1, "the")]
        else:
            node = f'(x / named :carg "{subject}" :BV-of (q / proper_q))'
            below = [(head, subject), (head, None), (head, subject)]
        words += ["does", "n't", verb] if is_negative else [verb]
        graph, nodes = f"(e / {event} :ARG1 {node})", [(len(words), verb), *below]
        if is_negative:
            graph, nodes = f"(n / neg :ARG1 {graph})", [(len(words) - 1, "n't"), *nodes]
        sentence = " ".join([*words, "."]).replace(" n't", "n't").replace(" .", ".")
        anchors = []
        for _, text in nodes:
            at = -1 if text is None else sentence.index(text)
            anchors.append("-" if text is None else f"{at}:{at + len(text)}")
        found.append(
            f"# ::snt {sentence}\n# ::tok {' '.join([*words, '.'])}\n# ::tag dialogue\n"
            f"# ::alignments {' '.join(str(token) for token, _ in nodes)}\n"
            f"# ::anchors {' '.join(anchors)}\n{graph}\n\n"
        )
    Random(1).shuffle(found)
    return found


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("treebank")
    (folder / "train.penman").write_text("".join(blocks()[:52]))
    (folder / "dev.penman").write_text("".join(blocks()[52:]))
    return folder


def test_raw_text_gives_the_tokens_and_words_are_a_layer(data) -> None:
    rows = read_treebank(data / "train.penman")
    assert len(read_treebank(data / "train.penman", 3)) == 3
    row = next(row for row in rows if "doesn't" in row.tokens)
    layers = dict(row.layers)
    assert "n't" in layers["tok"]
    assert len(layers["alignments"]) == len(row.graph.nodes)
    letters = "".join(row.tokens)
    words = {letters[slice(*node.span)] for node in row.graph.nodes.values() if node.span}
    assert "n't" in words <= set(layers["tok"])
    assert BENCHMARK.tags(row)[0] == "dialogue"
    assert BENCHMARK.tags(row)[1] == "1-10 tokens"


def gold(rows: list, **changes: str) -> tuple[set, list]:
    settings = GraphSettings(data=GraphDataSettings(texts=0.0, **changes))
    found = training_set(Corpus(rows, (), "penman"), settings)
    return set(found.learned.inventory.tags), found.train


PUBLISHED = pytest.param(
    TREEBANK / "dev.penman.gz",
    marks=[pytest.mark.data, pytest.mark.skipif(not TREEBANK.is_dir(), reason=missing(TREEBANK))],
)


@pytest.mark.parametrize("path", [None, PUBLISHED])
def test_derivations_use_alignments_and_evaluate_to_the_graphs(data, path) -> None:
    rows = read_treebank(path or data / "train.penman", 200)
    _, derived = gold(rows, words="tok", alignment="alignments")
    for row, example in zip(derived, rows, strict=True):
        assert isomorphic(expand(row.derivation), example.graph)
        if path is not None:
            continue
        words = dict(example.layers)["tok"]
        assert row.tokens == words
        constants = enumerate(row.derivation.fragments)
        negated = [i for i, constant in constants if constant and "neg" in constant.labels]
        assert negated == [i for i, word in enumerate(words) if word == "n't"]


def test_lexical_labels_are_words_with_senses_and_names(data) -> None:
    rows = read_treebank(data / "train.penman")
    tags, derived = gold(rows, words="tok", alignment="alignments")
    # One tag each for parts of speech, names, quantifiers, negation and words without nodes.
    assert len(tags) <= 9
    fillers = {
        filler for row in derived for names in row.derivation.lexical_labels for filler in names
    }
    assert {"look_v_up", "dog_n_1", "Rex"} <= fillers


def test_a_trained_model_answers_in_native_notation(data, tmp_path) -> None:
    _, settings = choose_settings(benchmark="eds")
    assert settings.preset == "graph"
    model = tmp_path / "model"
    options = [part for setting in SMALL for part in ("--set", setting)]
    ok("train", "eds", "--data", data, "--output", model, *options)
    trained = load(model)
    parser = trained.with_notation("eds")
    dev = read_treebank(data / "dev.penman")
    right = sum(
        result.graph is not None and isomorphic(result.graph, row.graph)
        for row, result in zip(
            dev, parser.answers([row.tokens for row in dev])["tree"], strict=True
        )
        if row.graph is not None
    )
    assert right >= 0.8 * len(dev)
    # Evaluation and parsing tokenize raw text alike.
    answers = evaluate(trained, dev, metrics=["roles-f1"])
    assert [one.tokens for one in answers.answers["tree"].results] == [
        one.tokens for one in parser.parse([row.raw for row in dev])
    ]
    salad = [["n't", "the", "the"], ["Blorf", "."], ["does", "dogs", "quux", "Rex", "n't"]]
    sentences = [*(list(row.tokens) for row in dev), *salad]
    for result in parser.answers(sentences)["tree"]:
        assert result.meaning is not None, result.failure
        graph = EDS.read(result.meaning)
        assert len(anchors_of(graph)) == sum(
            not EDS.is_constant(node.label) for node in graph.nodes.values()
        )
        codec = pytest.importorskip("delphin.codecs.eds", reason="PyDelphin is not installed")
        assert codec.decode(result.meaning).top
    assert "edm" in ok(
        "evaluate", "--model", model, "--data", data / "dev.penman", "--metrics", "edm"
    )


def test_the_upper_bound_counts_rows_built_from_the_constants_of_train(tmp_path) -> None:
    train = [block for block in blocks() if "cow" not in block and "Sue" not in block]
    dev = [block for block in blocks() if "the cow" in block or "Sue" in block]
    # Labels and edges that train lacks.
    strange = [block.replace("/ neg", "/ _never_a_1") for block in dev if "/ neg" in block][:2]
    strange += [block.replace("ARG1 (x", "ARG2 (x") for block in dev if "/ neg" not in block][:3]
    strange += [block.replace("_cow_n_1", "_cow_n_2") for block in dev if "_cow_n" in block][:1]
    for name, rows in (("train", train), ("dev", [*dev, *strange])):
        (tmp_path / f"{name}.penman").write_text("".join(rows), encoding="utf-8")
    corpus = Corpus(
        *(tuple(read_treebank(tmp_path / f"{name}.penman")) for name in ("train", "dev")), "penman"
    )
    data = GraphDataSettings(words="tok", alignment="alignments")
    report = training_set(corpus, GraphSettings(data=data)).report
    assert len(report.unmade) == len(strange)
    reasons = " ".join(report.unmade)
    for reason in ("becomes 'never_a_1'", "train has no arc 'ARG2>00'", "becomes 'cow_n_2'"):
        assert reason in reasons
    assert (report.dev_count, report.dev_failures) == (len(dev) + len(strange), ())
    assert report.upper_bound == len(dev) / (len(dev) + len(strange))
