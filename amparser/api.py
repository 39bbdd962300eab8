"""Public functions that train, load and evaluate models. They print nothing.

A system is a kind of model: the parser, or a baseline such as a sequence-to-sequence model.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amparser.benchmarks.registry import BENCHMARKS
from amparser.corpora.recognition import recognised
from amparser.errors import ConfigError, CorpusError, InputError
from amparser.hub import model_folder
from amparser.learn.system import PARSER, Model, System
from amparser.learn.system_registry import SYSTEMS
from amparser.learn.systems import (
    check_settings,
    load as load_model,
    possible_settings,
    system_name_of_settings,
)
from amparser.notations.registry import NOTATIONS
from amparser.presets.registry import PRESETS
from amparser.resources import package_data

if TYPE_CHECKING:
    from amparser.corpora.corpus import Corpus
    from amparser.evaluation.answers import OnCount
    from amparser.evaluation.benchmark import Benchmark
    from amparser.evaluation.evaluate import Evaluation
    from amparser.learn.report import OnProgress, OnReport, TrainingReport
    from amparser.presets.model import InventoryTable
    from amparser.presets.preset import TrainingSet


def load(
    folder: str | Path | None = None, *, device: str = "auto", notation: str | None = None
) -> Model:
    """Load a trained model; see `Parser.load` for arguments and errors."""
    model = load_model(model_folder(folder), device)
    return model if notation is None else model.with_notation(notation)


def choose_settings(
    system: str | None = None,
    settings: str | Path | None = None,
    *,
    benchmark: str | None = None,
    overrides: Sequence[str] = (),
) -> tuple[System, Any]:
    """Return a system and its settings.

    Args:
        system: name of the system (default: the system that the settings file names, else the
            benchmark's first system, else the parser).
        settings: a TOML file (default: the benchmark's file for the system, else the system's
            default settings).
        benchmark: name of the benchmark. The TOML file overrides its settings.
        overrides: texts such as `train.epochs=5`, which override all other settings.

    Raises:
        ConfigError: a key or value is invalid, or the TOML file is for another system. The message
            names the file.
        InputError: there is no such system or benchmark, or the benchmark has no settings for the
            system.
    """
    chosen, possible = _possible(system, settings, benchmark, overrides)
    check_settings(chosen, possible)
    return chosen, next(iter(possible.values()))


def _possible(
    system: str | None, settings: str | Path | None, benchmark: str | None, overrides: Sequence[str]
) -> tuple[System, dict[str, Any]]:
    usual = None if benchmark is None else BENCHMARKS[benchmark].settings
    if benchmark is not None and settings is None:
        systems = BENCHMARKS[benchmark].systems
        system = SYSTEMS.check(system or systems[0])
        if system not in systems:
            known = ", ".join(systems)
            raise InputError(
                f"{benchmark}: no settings for system {system!r}, expected one of {known}"
            )
        settings = settings_file(benchmark, system)
    if settings is not None:
        name = system_name_of_settings(settings)
        if system not in (None, name):
            raise ConfigError(
                f"{settings}: settings of system {name!r}, expected system {system!r}"
            )
        return SYSTEMS[name], possible_settings(SYSTEMS[name], settings, overrides, usual)
    name = SYSTEMS.check(system or PARSER)
    return SYSTEMS[name], possible_settings(SYSTEMS[name], None, overrides)


def settings_file(benchmark: str, system: str | None = None) -> Path:
    """Return a benchmark's settings file for a system (default: its first system)."""
    if system in (None, BENCHMARKS[benchmark].systems[0]):
        return package_data("training/default.toml")
    return package_data(f"training/{benchmark}/{system}.toml")


def corpus_of(
    data: str | Path,
    settings: Any,
    *,
    benchmark: str | None = None,
    notation: str | None = None,
    strict: bool | None = None,
) -> Corpus:
    """Read a training corpus.

    Args:
        data: a folder with `train` and optionally `dev`, or a training file.
        settings: settings of the system; only `data` and `train.seed` are used.
        notation: notation of meanings (default: the notation in the settings, else the benchmark's
            notation, else the notation recognised from the data).
        strict: raise an error for a malformed row instead of skipping and listing it (default: True
            only for data of a benchmark).

    Raises:
        CorpusError: the data cannot be read; the message names file and line.
        InputError: there is no such benchmark or notation.
    """
    usual, hooks = "", dict[str, Any]()
    if benchmark is not None:
        chosen = BENCHMARKS[benchmark]
        usual = next(iter(chosen.notations), "")
        hooks = {"files": chosen.files, "read": chosen.read}
    from amparser.learn.corpus_reading import read_corpus

    return read_corpus(
        Path(data),
        settings.data,
        seed=settings.train.seed,
        notation=notation or usual,
        benchmark=benchmark or "",
        strict=benchmark is not None if strict is None else strict,
        **hooks,
    )


# This function is long because each argument is an independent choice of the user.
def learned_from(
    data: str | Path,
    *,
    benchmark: str | None = None,
    system: str | None = None,
    settings: str | Path | None = None,
    overrides: Sequence[str] = (),
    notation: str | None = None,
    strict: bool | None = None,
) -> tuple[System, Any, Corpus]:
    """Return the system, the settings and the corpus that `train` and `check` use.

    If the settings do not name a preset (the kind of lexicon), `amparser.presets.source.choose`
    chooses it, and the corpus's `remarks` give the reason. Settings of a benchmark always name a
    preset. Raises AMParserError if settings or data are invalid.
    """
    named = [] if notation is None else [f'data.notation="{NOTATIONS.check(notation)}"']
    chosen, possible = _possible(system, settings, benchmark, [*overrides, *named])
    check_settings(chosen, possible)
    values = next(iter(possible.values()))
    remarks: tuple[str, ...] = ()
    if benchmark is None and len(possible) > 1:
        from amparser.presets.source import choose

        choice = choose(corpus_of(data, values, notation=notation), possible)
        values, remarks = possible[choice.preset], (choice.remark,)
    elif benchmark is None and hasattr(values, "preset"):
        remarks = (f"preset: {values.preset} (from the settings)",)
    corpus = corpus_of(data, values, benchmark=benchmark, notation=notation, strict=strict)
    return chosen, values, replace(corpus, remarks=(*corpus.remarks, *remarks))


# This function is long because each argument is an independent choice of the user.
def train(
    data: str | Path,
    output: str | Path,
    *,
    benchmark: str | None = None,
    system: str | None = None,
    settings: str | Path | None = None,
    overrides: Sequence[str] = (),
    notation: str | None = None,
    strict: bool | None = None,
    resume: bool = False,
    replace_model: bool = False,
    on_progress: OnProgress | None = None,
    on_report: OnReport | None = None,
) -> Model:
    """Train a model and write its folder.

    Args:
        data: a folder with `train` and optionally `dev`, or a training file. A share of train is
            held out if dev is missing.
        output: the model folder. If it has a model trained on the same data, that model is replaced
            when training ends.
        benchmark, system, settings, overrides: see `choose_settings`.
        notation, strict: see `corpus_of`.
        resume: continue from the last checkpoint in the folder.
        replace_model: also replace a model that was trained on other data, or an unfinished run.
        on_progress: called after each batch.
        on_report: called once, before training begins.

    Raises:
        AMParserError: settings, data or folder are invalid (raised before training begins), or the
            loss became infinite.
    """
    chosen, values, corpus = learned_from(
        data,
        benchmark=benchmark,
        system=system,
        settings=settings,
        overrides=overrides,
        notation=notation,
        strict=strict,
    )
    from amparser.learn.checkpoint import check_unfinished
    from amparser.learn.model_folder import check_same_data, prepare_model_folder

    if not replace_model:
        check_same_data(Path(output), corpus.files)
        if not resume:
            check_unfinished(Path(output))
    prepare_model_folder(Path(output))
    reports = {} if on_report is None else {"on_report": on_report}
    return chosen.train(
        corpus, values, Path(output), resume=resume, on_progress=on_progress, **reports
    )


def check(
    data: str | Path,
    *,
    notation: str | None = None,
    settings: str | Path | None = None,
    overrides: Sequence[str] = (),
) -> TrainingReport:
    """Decompose all graphs of a corpus, without training, and report how many can be learned.

    Raises:
        CorpusError: a file cannot be read, or has no valid row.
        InputError: the notation is not recognised, or no row decomposes.
    """
    training_set, corpus = _decomposed(data, notation, settings, overrides)
    return training_set.announced(corpus)


def evaluate(
    model: Model | str | Path | None,
    data: str | Path,
    *,
    metrics: Sequence[str] | None = None,
    decoders: Sequence[str] = (),
    benchmark: str | None = None,
    unordered: Sequence[str] = (),
    limit: int | None = None,
    on_progress: OnCount | None = None,
    processes: int = 1,
) -> Evaluation:
    """Compare a model's answers with a file of gold examples.

    Args:
        model: a model, or its folder (default: the default packaged parser).
        data: a corpus file; malformed rows are skipped and listed in `Evaluation.faults`.
        metrics: names of metrics (default: the metrics of the notation).
        decoders: names of the model's decoders (default: its first decoder).
        benchmark: name of the data's benchmark (default: the model's benchmark).
        unordered: functions whose arguments have no order, such as `and`. Functions whose arguments
            occur in both orders in train or gold are always added.
        processes: number of processes that compute and compare answers.

    Raises:
        AMParserError: the model or the data cannot be read, or a name is unknown.
    """
    from amparser.evaluation.evaluate import evaluate as compare
    from amparser.evaluation.gold import read_gold

    if model is None or isinstance(model, str | Path):
        model = load(model)
    chosen = benchmark_of(model, benchmark)
    faults: list[str] = []
    evaluation = compare(
        model,
        read_gold(Path(data), model, chosen, limit, faults),
        metrics=metrics,
        decoders=decoders,
        benchmark=chosen,
        unordered=unordered,
        on_progress=on_progress,
        processes=processes,
    )
    evaluation.faults = faults
    return evaluation


def score(
    predictions: str | Path,
    data: str | Path,
    *,
    notation: str | None = None,
    metrics: Sequence[str] | None = None,
    benchmark: str | None = None,
    unordered: Sequence[str] = (),
    limit: int | None = None,
) -> Evaluation:
    """Compare another program's answers with a file of gold examples.

    Args:
        predictions: a corpus file, or a text file with one answer per line.
        data, metrics, benchmark, unordered, limit: see `evaluate`.
        notation: notation of meanings (default: the benchmark's first notation, else the notation
            that reads all gold meanings).

    Raises:
        CorpusError: a file cannot be read, a gold row is malformed, or the number of answers or
            a sentence differs from the gold examples; the message names file and line.
        InputError: there is no such notation, metric or benchmark, or a metric cannot judge these
            answers.
    """
    from amparser.evaluation.evaluate import score as compare
    from amparser.evaluation.gold import read_gold, read_predictions, well_formed

    chosen = None if benchmark is None else BENCHMARKS[benchmark]
    if notation is None and chosen is not None:
        notation = next(iter(chosen.notations), None)
    written = None if notation is None else NOTATIONS[notation]
    examples = read_gold(Path(data), written, chosen, limit)
    if written is None and (names := recognised(examples)):
        with suppress(CorpusError):  # raised if a later example is in another notation
            examples = well_formed(Path(data), examples, NOTATIONS[names[0]], chosen)
            written = NOTATIONS[names[0]]
    results = read_predictions(Path(predictions), examples)
    name = Path(predictions).name
    return compare(examples, results, written, metrics=metrics, unordered=unordered, name=name)


def benchmark_of(model: Model, name: str | None = None) -> Benchmark | None:
    """Return the named benchmark, else the benchmark that a model was trained on, else None."""
    name = name or model.benchmark
    return BENCHMARKS[name] if name else None


def inventory_tables(data: str | Path, *, notation: str | None = None) -> list[InventoryTable]:
    """Induce the lexicon of a corpus, without training, and return it as tables.

    Raises AMParserError if the data cannot be read, or no example can be learned.
    """
    training_set, _ = _decomposed(data, notation)
    tables: list[InventoryTable] = PRESETS[training_set.settings.preset].training.tables(
        training_set.learned
    )
    return tables


def _decomposed(
    data: str | Path,
    notation: str | None,
    settings: str | Path | None = None,
    overrides: Sequence[str] = (),
) -> tuple[TrainingSet[Any, Any], Corpus]:
    _, values, corpus = learned_from(
        data, system=PARSER, settings=settings, overrides=overrides, notation=notation
    )
    return PRESETS[values.preset].training.training_set(corpus, values), corpus
