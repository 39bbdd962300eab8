"""The command `amparser infer`, which labels pairs of sentences."""

from collections.abc import Sequence
from random import Random

import pytest
from command_line import run as command
from monotonicity_data import DEPTHS, read_pairs

from amparser.benchmarks import fragments
from amparser.benchmarks.monotonicity.inference import Answer, Sentence, labels
from amparser.benchmarks.monotonicity.pairs import BETWEEN
from amparser.benchmarks.monotonicity.reading import fragment, parser_reading
from amparser.corpora.example import Example
from amparser.errors import InputError
from amparser.logic.vf import Form, vf_from_str
from amparser.notations.quantified_graph import ordered
from amparser.parser import Parser
from amparser.resources import bundled_model

PAIRS = "Some dog ran.\tSome animal ran\nSome dog ran.\tSome small dog ran.\n"
PARSER = ("--model", "monotonicity")


def run(*arguments: str, text: str = "") -> tuple[int, str, str]:
    result = command("infer", *arguments, stdin=text)
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("options", [[], ["--prover"]])
def test_input_lines_are_answered_in_order(tmp_path, options) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS, encoding="utf-8")
    for arguments, text in ((["--input", str(path)], ""), (["-i", "-"], PAIRS)):
        code, output, error = run(*arguments, *options, text=text)
        assert (code, error) == (0, "")
        assert [line.split("\t")[0] for line in output.splitlines()] == ["entailment", "neutral"]


def test_explanations_are_the_second_column() -> None:
    assert run("Some dog ran.", "Some animal ran.")[1] == (
        "entailment\tword 2, upward: dog -> animal, wider\n"
    )
    assert run("--prover", "Some dog ran.", "Some animal ran.")[1] == (
        "entailment\tentailed: exists x1.(dog(x1) & run(x1)), all x1.(dog(x1) -> animal(x1)) "
        "|- exists x1.(animal(x1) & run(x1))\n"
    )
    assert run("--prover", "Some dog ran.", "No dog ran.")[1].startswith("neutral\tnot entailed:")


def test_a_long_sentence_is_read() -> None:
    long = "Some dog" + " that hit some dog" * 60 + " ran."
    code, output, _ = run(long, long.replace("Some", "No"))
    assert code == 0
    assert output.startswith("neutral\t")


def test_the_trained_parser_labels_published_pairs(data_dir, tmp_path) -> None:
    """The model was trained on depths 1 and 2; the pairs go up to depth 5."""
    pairs = [pair for depth in DEPTHS for pair in read_pairs(data_dir, depth, step=40)]
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{p.premise}\t{p.hypothesis}\n" for p in pairs), encoding="utf-8")
    answers = []
    for options in ((), PARSER):
        code, output, _ = run("--input", str(path), *options)
        assert code == 0
        answers.append(output.splitlines())
    assert [line.split("\t")[0] for line in answers[1]] == [pair.label for pair in pairs]
    assert sum(map(str.__eq__, *answers)) >= 0.99 * len(pairs)


@pytest.mark.parametrize("kind", ["D1", "D3", "D5"])
def test_the_trained_parser_reads_the_whole_fragment(kind) -> None:
    library, random = fragment(), Random(3)
    drawn = library.plan().type_of(kind)
    derivations = [drawn.sample(random) for _ in range(60)]
    forms = parser_reading(Parser.load(bundled_model("monotonicity")))(
        [library.tokens(derivation) for derivation in derivations]
    )
    right = [
        isinstance(form, Form) and form.term == ordered(fragments.vf(derivation))
        for form, derivation in zip(forms, derivations, strict=True)
    ]
    assert sum(right) >= 59


def test_the_trained_parser_reads_fronted_modifiers() -> None:
    for front in ("Slowly", "Near the shore"):
        code, output, error = run(
            *PARSER, f"{front}, several small dogs ran.", f"{front}, several dogs ran."
        )
        assert (code, error) == (0, "")
        assert output.startswith("entailment\tword")
        assert output.endswith("small dogs -> dogs, wider\n")


KNOWN = ("some", "dogs", "ran")


def test_a_pair_with_an_unreadable_sentence_has_no_label() -> None:
    def reading(sentences: Sequence[Sequence[str]]) -> list[Form | InputError]:
        form = Form(vf_from_str("EXIST DOG RUN"), (), ())
        return [form if tuple(s) == KNOWN else InputError("unknown") for s in sentences]

    def method(premise: Sentence, hypothesis: Sentence) -> Answer:
        assert premise.tokens == hypothesis.tokens == KNOWN
        return Answer("entailment", "the same")

    front = ("dax", ",", *KNOWN)
    pairs = [(front, KNOWN), (KNOWN, KNOWN)]
    examples = [Example((*one, BETWEEN, *other)) for one, other in pairs]
    found = labels(examples, reading, method)
    assert [result.meaning for result in found] == [None, "entailment"]
    assert found[0].failure == "premise: unknown"
