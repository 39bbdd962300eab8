"""`amparser evaluate`: accuracies by type, the figures as JSON, the errors as trees."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rich.console import Console

from amparser.benchmarks.monotonicity.evaluate_pairs import evaluate_pairs, judge_of
from amparser.benchmarks.monotonicity.pairs import holds_pairs
from amparser.cli.parse import item_of
from amparser.corpora.examples import Example
from amparser.corpora.items import Item, item_to_amconll
from amparser.errors import AMParserError, InputError
from amparser.evaluation.accuracies import accuracy_table
from amparser.evaluation.answers import Answers, answers_to, read_gold
from amparser.evaluation.evaluate_seq2seq import evaluate_seq2seq
from amparser.evaluation.metrics import overall, table_to_json
from amparser.evaluation.provenance import provenance
from amparser.evaluation.scoped_metrics import metrics_for, scoped_metrics, shown
from amparser.files import replacing
from amparser.induction.analysis import analyse
from amparser.learn.systems import AMPARSER, classifies, system_of_model
from amparser.parser import DEFAULT_MODEL, ParsedSentence, Parser
from amparser.resources import package_data


def evaluate(
    data: Path,
    *,
    model: Path | None = None,
    decoder: str | None = None,
    output: Path | None = None,
    errors: Path | None = None,
    limit: int | None = None,
    device: str = "auto",
    form: str | None = None,
    metrics: Sequence[str] | None = None,
    beam: int | None = None,
    parser: bool = False,
) -> dict[str, Any]:
    """Parse gold rows, print a table by type; returns the figures as JSON values.

    A file whose first row has four columns holds pairs (see `evaluate_pairs`);
    so must that of a classifier, or with `parser`.

    Args:
        data: rows of sentence, logical form (in the notation that the model writes) and type;
            or of premise, hypothesis, label and genre.
        model: a model folder; the one in the package by default.
        decoder: `astar-gap`, `astar` or `fixed-tree`; by default what the model's settings say.
        output: a file for the figures, as JSON.
        errors: a file for the sentences that are not exactly right, each with
            the gold and the predicted tree in AM-CoNLL; of a sequence-to-sequence model
            line, type, fault, sentence, gold and output, separated by tabs.
        limit: only so many rows, from the first.
        device: `auto`, `cpu` or `cuda`.
        form: the notation of the rows; by default the one that the model was trained on.
        metrics: of scoped meanings, beside exact match (`amparser.evaluation.scoped_metrics`);
            by default those of the notation.
        beam: of a sequence-to-sequence model; by default what its settings say.
        parser: of pairs, read them with the trained parser of the package, or that of `model`.

    Raises:
        CorpusError, ModelError, InputError: before anything is printed or written.
    """
    if parser or (model is not None and classifies(model)) or holds_pairs(data):
        chosen_options = {
            "--decoder": decoder,
            "--form": form,
            "--metrics": metrics,
            "--beam": beam,
        }
        for option, value in chosen_options.items():
            if value is not None:
                raise InputError(f"{option}: pairs have labels alone")
        return evaluate_pairs(
            data,
            judge_of(model, parser=parser, device=device),
            output=output,
            errors=errors,
            limit=limit,
        )
    if model is not None and system_of_model(model) != AMPARSER:
        if decoder is not None:
            raise InputError(f"--decoder {decoder}: {model} has no trees to search for")
        if form is not None:
            raise InputError(f"--form {form}: {model} writes one notation only")
        return evaluate_seq2seq(
            data,
            model=model,
            output=output,
            errors=errors,
            limit=limit,
            device=device,
            beam=beam,
            metrics=metrics,
        )
    if beam is not None:
        raise InputError("--beam: only sequence-to-sequence models have one")
    with ExitStack() as stack:
        output_file = stack.enter_context(replacing(output)) if output is not None else None
        errors_file = stack.enter_context(replacing(errors)) if errors is not None else None
        folder = package_data(DEFAULT_MODEL) if model is None else model
        loaded = Parser.load(folder, device, form)
        chosen = metrics_for(metrics, loaded.notation.name)
        examples = read_gold(data, limit, loaded.notation)
        name = decoder or loaded.model.config.decode.decoder
        answers = answers_to(loaded, examples, [name])[name]
        figures = {
            **table_to_json(answers.table(examples)),
            "decoder": name,
            **provenance(loaded.model.config, loaded.model.lexicon.get("data"), folder, data),
            "sentences_per_second": round(answers.sentences_per_second, 1),
            "milliseconds": {s: round(answers.milliseconds(s), 3) for s in answers.seconds},
            "failures": answers.failure_count,
            "non_projective": answers.share_of_trees(projective=False),
            "well_typed": answers.share_of_trees(),
        }
        if chosen:
            meanings = [result.logical_form for result in answers.results]
            found = scoped_metrics(chosen, examples, meanings, loaded.notation.name)
            figures["metrics"] = found
        if output_file is not None:
            json.dump(figures, output_file, ensure_ascii=False, indent=2)
            output_file.write("\n")
        if errors_file is not None:
            errors_file.writelines(f"{block}\n\n" for block in _errors(loaded, examples, answers))
    _print(examples, answers, name)
    for line in shown(figures.get("metrics", {})):
        print(line)
    return figures


def _print(examples: Sequence[Example], answers: Answers, decoder: str) -> None:
    counts = answers.table(examples)
    console = Console(markup=False, highlight=False)
    console.print(accuracy_table(f"accuracy in %, {decoder}", counts, overall(counts)))
    steps = ", ".join(f"{step} {answers.milliseconds(step):.2f}" for step in answers.seconds)
    console.print(
        f"{answers.sentences_per_second:.0f} sentences/s ({steps} ms a sentence), "
        f"{answers.failure_count} without a parse",
        soft_wrap=True,
    )


def _errors(parser: Parser, examples: Sequence[Example], answers: Answers) -> Iterator[str]:
    """Two blocks for each sentence that is not exactly right: gold tree, predicted tree."""
    rows = zip(examples, answers.results, answers.counts, strict=True)
    for example, result, counts in rows:
        if counts.exact:
            continue
        fault = "order or names" if counts.graph else "meaning"
        where = (("line", str(example.line)), ("type", example.kind), ("wrong", fault))
        gold = _gold_item(parser, example)
        yield _block(gold, (*where, ("tree", "gold"), ("lf", example.meaning)))
        yield _predicted(result, where)


def _gold_item(parser: Parser, example: Example) -> Item:
    try:
        graph = parser.notation.graph(example.tokens, example.meaning)
        analysis = analyse([(example.tokens, graph)], parser.inventory)
    except AMParserError as error:
        return Item(example.tokens, failure=str(error))
    failure = analysis.failures[0][1] if analysis.failures else None
    return Item(example.tokens, tree=analysis.trees[0], failure=failure)


def _predicted(result: ParsedSentence, where: tuple[tuple[str, str], ...]) -> str:
    form = () if result.logical_form is None else (("lf", result.logical_form),)
    return _block(item_of(result), (*where, ("tree", "predicted"), *form))


def _block(item: Item, attributes: tuple[tuple[str, str], ...]) -> str:
    lines = [f"#{key}:{value}" for key, value in attributes]
    return "\n".join([*lines, item_to_amconll(item)])
