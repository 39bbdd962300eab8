"""The public functions for models of any system; none prints, progress comes by callback."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amparser.benchmarks.registry import BENCHMARKS
from amparser.errors import ConfigError, CorpusError, InputError
from amparser.hub import model_folder
from amparser.learn.system import PARSER, Model, System
from amparser.learn.system_registry import SYSTEMS
from amparser.learn.systems import check_settings, possible_settings, system_name_of_settings
from amparser.learn.systems import load as load_model
from amparser.notations.recognition import recognised
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
    """Load a model of any system.

    Args:
        folder: the model folder, or a name: that of a model of the package, or `USER/NAME@REVISION`
            on the hub (see `amparser.hub`; default: the default model of the package).
        device: where the network computes: `auto`, `cpu` or `cuda`.
        notation: the notation of its answers, of the family that it was trained on (default:
            the one that it was trained on).

    Raises:
        ModelError: the folder is missing, damaged or of another program.
        InputError: there is no such device, or the model cannot write the notation.
    """
    model = load_model(model_folder(folder), device)
    return model if notation is None else model.with_notation(notation)


def choose_settings(
    system: str | None = None,
    settings: str | Path | None = None,
    *,
    benchmark: str | None = None,
    overrides: Sequence[str] = (),
) -> tuple[System, Any]:
    """A system and its settings.

    Args:
        system: the name of a system (default: the one of the file, else the benchmark's
            first, else the parser).
        settings: a TOML file (default: the benchmark's file for the system, if there is one,
            else the system's defaults).
        benchmark: the name of a benchmark, whose record may have settings below those of the file.
        overrides: `SECTION.KEY=VALUE` texts, applied last.

    Raises:
        ConfigError: an unknown key or a value that is not allowed, or settings of another
            system; names the file.
        InputError: there is no such system or benchmark, or the benchmark has no settings
            for the system.
    """
    found, possible = _possible(system, settings, benchmark, overrides)
    check_settings(found, possible)
    return found, next(iter(possible.values()))


def _possible(
    system: str | None, settings: str | Path | None, benchmark: str | None, overrides: Sequence[str]
) -> tuple[System, dict[str, Any]]:
    """A system, and its settings by presets (see `possible_settings`)."""
    usual = None if benchmark is None else BENCHMARKS[benchmark].settings
    if benchmark is not None and settings is None:
        systems = BENCHMARKS[benchmark].systems
        system = SYSTEMS.check(system or systems[0])
        if system not in systems:
            known = ", ".join(systems)
            raise InputError(f"{benchmark} has no settings for {system}, it has some for {known}")
        settings = settings_file(benchmark, system)
    if settings is not None:
        name = system_name_of_settings(settings)
        if system not in (None, name):
            raise ConfigError(f"{settings}: settings of {name!r}, expected those of {system!r}")
        return SYSTEMS[name], possible_settings(SYSTEMS[name], settings, overrides, usual)
    name = SYSTEMS.check(system or PARSER)
    return SYSTEMS[name], possible_settings(SYSTEMS[name], None, overrides)


def settings_file(benchmark: str, system: str | None = None) -> Path:
    """The file of settings that a benchmark has for a system (default: its first).

    One file serves the first systems of all benchmarks.
    """
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
    """Read a corpus to learn from.

    Args:
        data: a folder with `train` and, if there is one, `dev`; or a file to learn from.
        settings: the settings of the system; `data` gives the shares, `train.seed` chooses them.
        benchmark: the name of the benchmark of the data.
        notation: the notation of meanings (default: that of the settings, else the
            benchmark's, else the one that is recognised).
        strict: whether a malformed row is an error; if not, it is left out and listed
            (default: of a benchmark's data alone).

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


# Long: every argument is an independent choice of the user.
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
    """A system, its settings and its corpus, as `train` and `check` choose and read them.

    Where several presets are possible, which a benchmark's settings never leave open,
    the corpus decides (see `amparser.presets.choice`), and its remarks say how.

    Args:
        data, benchmark, system, settings, overrides, notation, strict: see `train`.

    Raises:
        AMParserError: bad settings or data.
    """
    named = [] if notation is None else [f'data.notation="{NOTATIONS.check(notation)}"']
    chosen, possible = _possible(system, settings, benchmark, [*overrides, *named])
    check_settings(chosen, possible)
    values = next(iter(possible.values()))
    remarks: tuple[str, ...] = ()
    if benchmark is None and len(possible) > 1:
        from amparser.presets.choice import choose

        choice = choose(corpus_of(data, values, notation=notation), possible)
        values, remarks = possible[choice.preset], (choice.remark,)
    elif benchmark is None and hasattr(values, "preset"):
        remarks = (f"preset: {values.preset}, as the settings say",)
    corpus = corpus_of(data, values, benchmark=benchmark, notation=notation, strict=strict)
    return chosen, values, replace(corpus, remarks=(*corpus.remarks, *remarks))


# Long: every argument is an independent choice of the user.
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
        data: a folder with `train` and, if there is one, `dev`; or a file to learn from. If
            there is no dev, a share of train is held out.
        output: the model folder; an existing model of the same data is replaced at the end.
        benchmark, system, settings, overrides: see `choose_settings`.
        notation, strict: see `corpus_of`.
        resume: go on after the last checkpoint in the folder.
        replace_model: also replace a model of other data.
        on_progress: called after each batch.
        on_report: called once, before training begins.

    Raises:
        AMParserError: bad settings, data or folder, before training begins; or the loss has
            become infinite.
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
    from amparser.learn.model_folder import check_same_data, prepare_model_folder

    if not replace_model:
        check_same_data(Path(output), corpus.files)
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
    """Read and decompose all rows of a corpus, without training.

    Args:
        data: a folder with `train` and, if there is one, `dev`; or a file.
        notation, settings, overrides: see `train`.

    Returns:
        How much can be learned from, and each row that cannot.

    Raises:
        CorpusError: a file as a whole cannot be read, or no row of it can.
        InputError: the notation is not recognised, or no row decomposes.
    """
    found, corpus = _decomposed(data, notation, settings, overrides)
    return found.announced(corpus)


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
    """Ask a model and compare its answers with a file of gold examples.

    Args:
        model: a model, or its folder (default: the parser that comes with the package).
        data: a corpus file; its malformed rows are left out and listed in `Evaluation.faults`.
        metrics: names of metrics (default: those of the notation).
        decoders: names of the model's searches (default: its first).
        benchmark: the name of the benchmark of the data (default: the one that the
            model was trained on).
        unordered: functions whose arguments have no order, beside those that train or gold has in
            both orders.
        limit: the maximal number of examples.
        on_progress: called after each chunk of examples.
        processes: how many processes answer and compare.

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
    """Compare the answers of another program with a file of gold examples.

    Args:
        predictions: a corpus file, or one answer per line.
        data, metrics, benchmark, unordered, limit: see `evaluate`.
        notation: the notation of meanings (default: the benchmark's first, or else the one that
            reads all meanings of gold).
    """
    from amparser.evaluation.evaluate import score as compare
    from amparser.evaluation.gold import read_gold, read_predictions

    chosen = None if benchmark is None else BENCHMARKS[benchmark]
    if notation is None and chosen is not None:
        notation = next(iter(chosen.notations), None)
    written = None if notation is None else NOTATIONS[notation]
    examples = read_gold(Path(data), written, chosen, limit)
    if written is None and (names := recognised(examples)):
        with suppress(CorpusError):  # a later row is in no notation
            examples = read_gold(Path(data), NOTATIONS[names[0]], chosen, limit)
            written = NOTATIONS[names[0]]
    results = read_predictions(Path(predictions), examples)
    name = Path(predictions).name
    return compare(examples, results, written, metrics=metrics, unordered=unordered, name=name)


def benchmark_of(model: Model, name: str | None = None) -> Benchmark | None:
    """Return the named benchmark, or the one that a model was trained on; None without one."""
    name = name or model.benchmark
    return BENCHMARKS[name] if name else None


def inventory_tables(data: str | Path, *, notation: str | None = None) -> list[InventoryTable]:
    """Induce the lexicon of a corpus without training, and return its tables.

    Args:
        data, notation: see `train`.
    """
    found, _ = _decomposed(data, notation)
    tables: list[InventoryTable] = PRESETS[found.settings.preset].training.tables(found.learned)
    return tables


def _decomposed(
    data: str | Path,
    notation: str | None,
    settings: str | Path | None = None,
    overrides: Sequence[str] = (),
) -> tuple[TrainingSet[Any, Any], Corpus]:
    """Decompose a corpus."""
    _, values, corpus = learned_from(
        data, system=PARSER, settings=settings, overrides=overrides, notation=notation
    )
    return PRESETS[values.preset].training.training_set(corpus, values), corpus
