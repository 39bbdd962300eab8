"""`amparser evaluate` of sequence-to-sequence models: accuracies, and malformed outputs by kind."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rich.console import Console

from amparser.corpora.examples import Example
from amparser.evaluation.accuracies import accuracy_table, percent
from amparser.evaluation.metrics import Counts
from amparser.evaluation.predictions import Predictions, predictions_of
from amparser.evaluation.provenance import provenance
from amparser.evaluation.scoped_metrics import metrics_for, scoped_metrics, shown
from amparser.files import replacing
from amparser.learn.pairs import read_targets
from amparser.learn.systems import load_seq2seq


def evaluate_seq2seq(
    data: Path,
    *,
    model: Path,
    output: Path | None = None,
    errors: Path | None = None,
    limit: int | None = None,
    device: str = "auto",
    beam: int | None = None,
    metrics: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Ask gold rows, print a table by type; `amparser.evaluation.evaluate` says the rest."""
    with ExitStack() as stack:
        output_file = stack.enter_context(replacing(output)) if output is not None else None
        errors_file = stack.enter_context(replacing(errors)) if errors is not None else None
        seq2seq = load_seq2seq(model, device, beam_size=beam)
        chosen = metrics_for(metrics, seq2seq.notation.name)
        examples = read_targets(data, seq2seq.notation, limit)
        answers = predictions_of(seq2seq, examples)
        counts = answers.table(examples)
        total = sum(answers.counts, Counts())
        figures = {
            "overall": total.to_json(),
            "types": {kind: of_kind.to_json() for kind, of_kind in counts.items()},
            "system": seq2seq.system,
            "target": seq2seq.notation.name,
            "beam_size": seq2seq.config.decode.beam_size,
            **provenance(seq2seq.config, seq2seq.data, model, data),
            "sentences_per_second": round(answers.sentences_per_second, 1),
            "malformed": answers.malformed(),
            "malformed_of_types": answers.malformed_of_types(examples),
        }
        if chosen:
            texts = [output.text if output.finished else None for output in answers.outputs]
            figures["metrics"] = scoped_metrics(chosen, examples, texts, seq2seq.notation.name)
        if output_file is not None:
            json.dump(figures, output_file, ensure_ascii=False, indent=2)
            output_file.write("\n")
        if errors_file is not None:
            errors_file.writelines(_errors(examples, answers))
    console = Console(markup=False, highlight=False)
    title = f"accuracy in %, {seq2seq.system}, {seq2seq.notation.name}"
    console.print(accuracy_table(title, counts, total))
    malformed = answers.malformed()
    kinds = ", ".join(f"{kind} {count}" for kind, count in malformed.items() if count)
    count = sum(malformed.values())
    console.print(
        f"{answers.sentences_per_second:.1f} sentences/s, "
        f"{count} of {len(examples)} outputs malformed ({percent(count, len(examples))} %)"
        + (f": {kinds}" if kinds else ""),
        soft_wrap=True,
    )
    for line in shown(figures.get("metrics", {})):
        print(line)
    return figures


def _errors(examples: Sequence[Example], answers: Predictions) -> Iterator[str]:
    """A line for each output that is not exactly right."""
    rows = zip(examples, answers.outputs, answers.counts, answers.kinds, strict=True)
    for example, output, counts, kind in rows:
        if not counts.exact:
            fault = kind or ("order or names" if counts.graph else "meaning")
            columns = (str(example.line), example.kind, fault, example.sentence)
            yield "\t".join((*columns, example.meaning, output.text)) + "\n"
