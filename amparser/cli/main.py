"""The command line: arguments only, each command is a function in `commands`.

Every command imports what it needs when it runs, so that `--help` stays free
of torch. Exit codes: 0 done, 1 some sentence has no parse, 2 bad input or
arguments (one line on stderr), 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperGroup

from amparser import __version__
from amparser.errors import AMParserError, InputError


class _Commands(TyperGroup):
    """The group of commands; errors made on purpose become one line and an exit code."""

    def invoke(self, ctx: typer.Context) -> object:  # type: ignore[override]
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader has gone (`| head`): nothing is left to say, also not at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            raise _exit("interrupted", 130) from None
        except AMParserError as error:
            raise _exit(str(error), 2) from None
        except OSError as error:
            where = f"{error.filename}: " if error.filename is not None else ""
            raise _exit(f"{where}{error.strerror or error}", 2) from None
        return result


def _exit(message: str, code: int) -> typer.Exit:
    line = " ".join(message.split())
    print(f"amparser: error: {line}", file=sys.stderr)
    return typer.Exit(code)


app = typer.Typer(
    cls=_Commands,
    name="amparser",
    help="Compositional semantic parsing with AM dependency trees.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Benchmark(StrEnum):
    """A benchmark with a configuration of its own in `training/`."""

    SLOG = "slog"
    COGS = "cogs"
    SYGNS = "sygns"
    MONOTONICITY = "monotonicity"


class System(StrEnum):
    """What is trained: the parser, or a baseline."""

    AMPARSER = "amparser"
    TRANSFORMER = "transformer"
    LSTM = "lstm"
    BILSTM = "bilstm"
    GRU = "gru"
    TREELSTM = "treelstm"
    BERT = "bert"
    T5 = "t5"
    LLAMA = "llama"


class Target(StrEnum):
    """What a sequence-to-sequence model writes."""

    COGS = "cogs"
    VARFREE = "varfree"
    FOL = "fol"
    CLF = "clf"
    VF = "vf"


class Aspect(StrEnum):
    """What a protocol of the monotonicity benchmark tests."""

    PREDICATE = "predicate"
    EMBEDDING = "embedding"
    PRODUCTIVITY = "productivity"
    LOCALISM = "localism"


class Device(StrEnum):
    """Where the network computes."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


class Form(StrEnum):
    """How logical forms are written."""

    COGS = "cogs"
    FOL = "fol"
    VF = "vf"
    CLF = "clf"
    DRS = "drs"


class Decoder(StrEnum):
    """The search for the best well-typed tree."""

    ASTAR_GAP = "astar-gap"
    ASTAR = "astar"
    FIXED_TREE = "fixed-tree"


class ParseFormat(StrEnum):
    """What `parse` prints for a sentence."""

    LF = "lf"
    AMCONLL = "amconll"
    PENMAN = "penman"
    JSON = "json"


class Format(StrEnum):
    """What `convert` reads and writes."""

    COGS = "cogs"
    VARFREE = "varfree"
    FOL = "fol"
    VF = "vf"
    CLF = "clf"
    DRS = "drs"
    PENMAN = "penman"
    AMCONLL = "amconll"
    JSON = "json"


ModelOption = Annotated[
    Path | None,
    typer.Option(
        "--model", "-m", metavar="DIR", help="Model folder; by default the SLOG model inside."
    ),
]
DecoderOption = Annotated[
    Decoder | None,
    typer.Option("--decoder", "-d", help="Search algorithm; by default what the model says."),
]
BeamOption = Annotated[
    int | None,
    typer.Option(
        "--beam", min=1, metavar="N", help="Of a sequence-to-sequence model; 1 is greedy."
    ),
]
DeviceOption = Annotated[Device, typer.Option("--device", help="Where the network computes.")]
RecordsOption = Annotated[
    Path | None,
    typer.Option(
        "--results",
        metavar="DIR",
        help="Where the records lie; by default training/results, or the package's.",
    ),
]
SettingOption = Annotated[
    str | None,
    typer.Option("--setting", metavar="NAME", help="Which corpus of SyGNS, such as comp_one."),
]
AspectOption = Annotated[
    Aspect | None, typer.Option("--aspect", help="Of monotonicity: which protocol.")
]
DepthOption = Annotated[
    int | None,
    typer.Option(
        "--depth",
        metavar="N",
        help="Of train: up to it with productivity (2-4, by default 2), "
        "alone with localism (3-5, by default 3).",
    ),
]
PermutationOption = Annotated[
    int,
    typer.Option(
        "--permutation",
        min=0,
        metavar="N",
        help="In which order pairs of quantifiers are added: predicate 0-5, embedding 0-23.",
    ),
]
TestCountOption = Annotated[
    int | None,
    typer.Option(
        "--test-count",
        min=2,
        metavar="N",
        help="Of monotonicity: rows of each test file; by default as published.",
    ),
]
FormOption = Annotated[
    Form | None,
    typer.Option("--form", help="Notation of logical forms; by default the model's."),
]
DataFile = Annotated[
    Path,
    typer.Option(
        "--data", metavar="FILE", help="Gold rows (sentence, logical form, type): .tsv or .tsv.gz."
    ),
]
LimitOption = Annotated[
    int | None, typer.Option("--limit", "-n", min=1, metavar="N", help="Only the first N rows.")
]


def _version(wanted: bool) -> None:
    if wanted:
        print(f"amparser {__version__}")
        raise typer.Exit


@app.callback()
def _amparser(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Compositional semantic parsing with AM dependency trees."""


@app.command()
def train(
    benchmark: Annotated[Benchmark, typer.Argument(help="Which configuration to start from.")],
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help="Folder with train, dev, test and gen* as .tsv or .tsv.gz; "
            "by default what the benchmark's grammar generates. Of lstm, treelstm and bert of "
            "monotonicity a file of pairs, or a folder with it as train; never generated.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Model folder; by default runs/BENCHMARK, and -SYSTEM after it.",
        ),
    ] = None,
    system: Annotated[
        System | None,
        typer.Option(
            "--system",
            help="By default that of the settings: the parser. Monotonicity has lstm, treelstm "
            "and bert, the others all but treelstm and bert.",
        ),
    ] = None,
    target: Annotated[
        Target | None,
        typer.Option("--target", help="What a sequence-to-sequence model is to write."),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", "-c", metavar="FILE.toml", help="Instead of the built-in one."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override a setting; repeatable."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Random seed.")] = None,
    device: Annotated[
        Device | None, typer.Option("--device", help="Where the network computes.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint in the output folder.")
    ] = False,
    setting: SettingOption = None,
) -> None:
    """Train a parser (induce the lexicon, then learn to score it), or a baseline."""
    from amparser.learn.train import train as command

    command(
        benchmark.value,
        data=data,
        output=output or Path("runs") / _run_name(benchmark.value, system),
        system=None if system is None else system.value,
        target=None if target is None else target.value,
        config=config,
        settings=settings or [],
        seed=seed,
        device=None if device is None else device.value,
        resume=resume,
        setting=setting,
    )


def _run_name(benchmark: str, system: System | None) -> str:
    return benchmark if system in (None, System.AMPARSER) else f"{benchmark}-{system}"


@app.command()
def generate(
    benchmark: Annotated[Benchmark, typer.Argument(help="Whose grammar.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where to write.")],
    seed: Annotated[int, typer.Option("--seed", min=0, help="Random seed.")] = 0,
    count: Annotated[
        int | None,
        typer.Option(
            "--count",
            "-n",
            min=1,
            metavar="N",
            help="Rows of train, the other splits in proportion; by default as published.",
        ),
    ] = None,
    types: Annotated[
        str, typer.Option("--types", metavar="A,B", help="Only these types of sentences.")
    ] = "",
    setting: SettingOption = None,
    aspect: AspectOption = None,
    depth: DepthOption = None,
    permutation: PermutationOption = 0,
    test_count: TestCountOption = None,
) -> None:
    """Write a benchmark's train, dev, test and gen, generated from its grammar."""
    from amparser.benchmarks.generate import generate as command
    from amparser.benchmarks.generate import report

    kinds = _parts(types) or None
    if benchmark is Benchmark.MONOTONICITY:
        from amparser.benchmarks.monotonicity.generate_monotonicity import generate_monotonicity

        if aspect is None or kinds or setting is not None:
            raise InputError("monotonicity takes --aspect, and neither --types nor --setting")
        card = generate_monotonicity(
            output,
            aspect=aspect.value,
            depth=depth,
            permutation=permutation,
            seed=seed,
            train_count=count,
            test_count=test_count,
        )
        report(card, output)
        return
    if aspect is not None or depth is not None or permutation or test_count is not None:
        message = "--aspect, --depth, --permutation and --test-count are of monotonicity alone"
        raise InputError(message)
    card = command(benchmark.value, output, setting=setting, seed=seed, count=count, kinds=kinds)
    report(card, output)


@app.command()
def parse(
    text: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT", help="Sentences, one an argument.")
    ] = None,
    input_: Annotated[
        str | None,
        typer.Option("--input", "-i", metavar="FILE|-", help="Sentences, one a line; - is stdin."),
    ] = None,
    model: ModelOption = None,
    decoder: DecoderOption = None,
    format_: Annotated[
        ParseFormat, typer.Option("--format", "-f", help="What to print for a sentence.")
    ] = ParseFormat.LF,
    form: FormOption = None,
    beam: BeamOption = None,
    device: DeviceOption = Device.AUTO,
) -> None:
    """Parse raw text; one result a line or block, in input order."""
    from amparser.cli.parse import parse as command

    failed_count = command(
        text or [],
        input_name=input_,
        model=model,
        decoder=None if decoder is None else decoder.value,
        output_format=format_.value,
        device=device.value,
        form=None if form is None else form.value,
        beam=beam,
    )
    if failed_count:
        raise typer.Exit(1)


@app.command()
def infer(
    text: Annotated[
        list[str] | None, typer.Argument(metavar="PREMISE HYPOTHESIS", help="Two sentences.")
    ] = None,
    input_: Annotated[
        str | None,
        typer.Option(
            "--input", "-i", metavar="FILE|-", help="Pairs, one a line, a tab between; - is stdin."
        ),
    ] = None,
    prover: Annotated[
        bool, typer.Option("--prover", help="By proofs of first-order formulas (z3).")
    ] = False,
    parser: Annotated[
        bool, typer.Option("--parser", help="Read by the trained parser, not by the grammar.")
    ] = False,
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            "-m",
            metavar="DIR",
            help="Its model, not the one inside; or a classifier, which gives probabilities.",
        ),
    ] = None,
) -> None:
    """Print whether a hypothesis follows from a premise: entailment or neutral, and why."""
    from amparser.benchmarks.monotonicity.infer_command import infer as command

    reading = None
    if model is not None:
        from amparser.learn.systems import classifies

        if classifies(model):
            from amparser.benchmarks.monotonicity.infer_command import infer_by_classifier

            for option, given in (("--prover", prover), ("--parser", parser)):
                if given:
                    raise InputError(f"{option}: {model} is a classifier, which reads no forms")
            infer_by_classifier(text or [], model=model, input_name=input_)
            return
    if parser or model is not None:
        from amparser.benchmarks.monotonicity.reading import model_reading

        reading = model_reading(model)
    if command(text or [], input_name=input_, prover=prover, reading=reading):
        raise typer.Exit(1)


@app.command()
def evaluate(
    data: Annotated[
        Path,
        typer.Option(
            "--data",
            metavar="FILE",
            help="Gold rows, .tsv or .tsv.gz: sentence, logical form, type; or, told by the "
            "four columns of its first row, premise, hypothesis, label, genre.",
        ),
    ],
    model: ModelOption = None,
    decoder: DecoderOption = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE.json", help="Figures as JSON.")
    ] = None,
    errors: Annotated[
        Path | None,
        typer.Option(
            "--errors",
            metavar="FILE",
            help="Wrong parses with gold and predicted trees; of pairs line, genre, gold "
            "label, answer (- for none), premise and hypothesis, separated by tabs.",
        ),
    ] = None,
    limit: LimitOption = None,
    form: FormOption = None,
    metrics: Annotated[
        str | None,
        typer.Option(
            "--metrics",
            metavar="A,B",
            help="Of scoped meanings: entailment, entailment-e, counter, polarity; "
            "by default those of the notation.",
        ),
    ] = None,
    beam: BeamOption = None,
    parser: Annotated[
        bool,
        typer.Option(
            "--parser", help="Of pairs: read by the trained parser inside, not by the grammar."
        ),
    ] = False,
    device: DeviceOption = Device.AUTO,
) -> None:
    """Parse a file of gold rows and print the accuracy of each type.

    Pairs are judged by natural logic over what the grammar reads, or over
    what the parser of --model reads, or by the classifier of --model, and
    counted by depth, direction, replacement and quantifiers. A pair without
    an answer is wrong.
    """
    from amparser.evaluation.evaluate import evaluate as command

    command(
        data,
        model=model,
        decoder=None if decoder is None else decoder.value,
        output=output,
        errors=errors,
        limit=limit,
        device=device.value,
        form=None if form is None else form.value,
        metrics=None if metrics is None else _parts(metrics),
        beam=beam,
        parser=parser,
    )


@app.command()
def compare(
    data: DataFile,
    model: ModelOption = None,
    decoders: Annotated[
        str, typer.Option("--decoders", metavar="A,B", help="Decoders, separated by commas.")
    ] = "astar,fixed-tree,astar-gap",
    limit: LimitOption = None,
    device: DeviceOption = Device.AUTO,
) -> None:
    """Decode the same scores in several ways: a column a decoder, a row a type."""
    from amparser.evaluation.compare import compare as command

    names = [name.strip() for name in decoders.split(",")]
    known = [decoder.value for decoder in Decoder]
    for name in names:
        if name not in known:
            raise typer.BadParameter(
                f"{name!r} is not one of {', '.join(known)}", param_hint="--decoders"
            )
    command(data, model=model, decoders=names, limit=limit, device=device.value)


@app.command()
def convert(
    source: Annotated[Format, typer.Option("--from", metavar="F", help="Format read.")],
    target: Annotated[Format, typer.Option("--to", metavar="G", help="Format written.")],
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Input; - or nothing is stdin.")
    ] = "-",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Output; by default stdout."),
    ] = None,
    model: ModelOption = None,
) -> None:
    """Convert between notations of meanings, graphs and trees, one item a line or block."""
    from amparser.corpora.convert import convert as command

    command(file, source=source.value, target=target.value, output=output, model=model)


@app.command()
def lexicon(
    model: ModelOption = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="DIR", help="Induce from this folder's train split instead."
        ),
    ] = None,
) -> None:
    """Print the induction's objective, and the sources and supertags that it found."""
    from amparser.cli.lexicon import lexicon as command

    command(model=model, data=data)


@app.command()
def experiment(
    config: Annotated[
        Path | None,
        typer.Argument(
            metavar="CONFIG.toml", help="A file of settings; by default that of --system."
        ),
    ] = None,
    system: Annotated[
        System | None,
        typer.Option("--system", help="By default that of the settings: the parser."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DIR", help="Data folder; by default it is generated."),
    ] = None,
    benchmark: Annotated[
        Benchmark | None,
        typer.Option("--benchmark", help="By default the folder in which the file lies."),
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", min=1, metavar="N", help="Seeds 1 to N.")] = 5,
    fractions: Annotated[
        str,
        typer.Option(
            "--fractions",
            metavar="A,B",
            help="Shares of train, such as 0.01,0.1,1; by default that of the settings.",
        ),
    ] = "",
    decoders: Annotated[
        str, typer.Option("--decoders", metavar="A,B", help="By default that of the settings.")
    ] = "",
    splits: Annotated[
        str, typer.Option("--splits", metavar="A,B", help="By default all but train and dev.")
    ] = "",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override a setting; repeatable."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            help="Of the results; by default that of the file, "
            "with -fractions where --fractions names other shares than the settings.",
        ),
    ] = None,
    runs: Annotated[
        Path, typer.Option("--runs", metavar="DIR", help="Where models and answers are kept.")
    ] = Path("runs"),
    results: Annotated[
        Path, typer.Option("--results", metavar="DIR", help="Where the record is written.")
    ] = Path("training/results"),
    jobs: Annotated[
        int, typer.Option("--jobs", min=1, metavar="N", help="Trainings at a time.")
    ] = 1,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Ask for all answers again; models are kept.")
    ] = False,
    setting: SettingOption = None,
    aspect: AspectOption = None,
    depth: DepthOption = None,
    permutation: PermutationOption = 0,
    count: Annotated[
        int | None,
        typer.Option("--count", "-n", min=2, metavar="N", help="With --aspect: rows of train."),
    ] = None,
    test_count: TestCountOption = None,
    only: Annotated[
        str,
        typer.Option(
            "--only", metavar="A,B", help="With --aspect: these training files alone, such as S1."
        ),
    ] = "",
    own_forms: Annotated[
        bool,
        typer.Option(
            "--own-forms",
            help="With --aspect: the parser learns from the training pairs' own sentences alone, "
            "not from the whole fragment at their depths.",
        ),
    ] = False,
) -> None:
    """Train and evaluate over seeds and shares of train; goes on where it was stopped."""
    if aspect is not None:
        from amparser.benchmarks.monotonicity.experiment_pairs import experiment_pairs

        refused = {
            "--data": data,
            "--fractions": fractions,
            "--decoders": decoders,
            "--splits": splits,
            "--setting": setting,
            "--benchmark": benchmark if benchmark is not Benchmark.MONOTONICITY else None,
        }
        for option, value in refused.items():
            if value:
                raise typer.BadParameter("not with --aspect", param_hint=option)
        experiment_pairs(
            config,
            aspect=aspect.value,
            depth=depth,
            permutation=permutation,
            train_count=count,
            test_count=test_count,
            system=None if system is None else system.value,
            seeds=seeds,
            settings=settings or [],
            only=_parts(only),
            own_forms=own_forms,
            name=name,
            runs=runs,
            results=results,
            jobs=jobs,
            fresh=fresh,
        )
        return
    if depth is not None or permutation or count is not None or test_count is not None or only:
        raise InputError("--depth, --permutation, --count, --test-count and --only: with --aspect")
    if own_forms:
        raise InputError("--own-forms: with --aspect")
    from amparser.evaluation.experiment import experiment as command

    if benchmark is not None:
        named = benchmark.value
    elif config is not None:
        named = _benchmark_of(config)
    else:
        raise typer.BadParameter("needed where no file of settings is", param_hint="--benchmark")
    command(
        config,
        system=None if system is None else system.value,
        benchmark=named,
        data=data,
        seeds=seeds,
        fractions=[_fraction(part) for part in _parts(fractions)],
        decoders=_parts(decoders),
        splits=_parts(splits),
        settings=settings or [],
        name=name,
        runs=runs,
        results=results,
        jobs=jobs,
        fresh=fresh,
        setting=setting,
    )


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _fraction(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.001 <= value <= 1:
        raise InputError(f"--fractions: {text!r} is no share between 0.001 and 1")
    return value


def _benchmark_of(config: Path) -> str:
    known = [benchmark.value for benchmark in Benchmark]
    if config.absolute().parent.name not in known:
        raise typer.BadParameter(
            f"{config} lies in none of the folders {', '.join(known)}; name its benchmark",
            param_hint="--benchmark",
        )
    return config.absolute().parent.name


@app.command()
def results(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Results, such as slog-default; by default all."),
    ] = None,
    folder: RecordsOption = None,
    readme: Annotated[
        Path | None,
        typer.Option("--readme", metavar="FILE", help="Renew the tables in this file."),
    ] = None,
) -> None:
    """Print the tables of recorded experiments, or renew those of a README."""
    from amparser.evaluation.records import folder_of_records
    from amparser.evaluation.results import results as command

    command(names or [], folder=folder_of_records(folder), readme=readme)


class TableFormat(StrEnum):
    """What `report` writes."""

    MARKDOWN = "markdown"
    CSV = "csv"
    LATEX = "latex"


class Measure(StrEnum):
    """When an answer is right."""

    EXACT = "exact"
    REFORMATTED = "reformatted"
    GRAPH = "graph"


@app.command()
def report(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME", help="Results, such as slog-default; by default all of --benchmark."
        ),
    ] = None,
    folder: RecordsOption = None,
    benchmark: Annotated[Benchmark | None, typer.Option("--benchmark")] = None,
    splits: Annotated[
        str, typer.Option("--splits", metavar="A,B", help="By default the generalization sample.")
    ] = "",
    measure: Annotated[
        Measure | None, typer.Option("--measure", help="By default that of the paper.")
    ] = None,
    format_: Annotated[
        TableFormat, typer.Option("--format", "-f", help="What to write.")
    ] = TableFormat.MARKDOWN,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="By default stdout.")
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option("--plots", metavar="DIR", help="Pictures by type and by depth, as SVG."),
    ] = None,
    published: Annotated[
        bool, typer.Option("--published/--no-published", help="The paper's figures beside.")
    ] = True,
) -> None:
    """Recorded experiments beside the published figures, type by type."""
    from amparser.evaluation.records import folder_of_records
    from amparser.evaluation.report import report as command

    command(
        names or [],
        folder=folder_of_records(folder),
        benchmark=None if benchmark is None else benchmark.value,
        splits=_parts(splits),
        measure=None if measure is None else measure.value,
        output_format=format_.value,
        output=output,
        plots=plots,
        published=published,
    )


grammar_app = typer.Typer(no_args_is_help=True, help="Look inside a grammar of the package.")
app.add_typer(grammar_app, name="grammar")
GrammarName = Annotated[str, typer.Argument(metavar="NAME", help="A grammar, such as slog.")]


@grammar_app.command("show")
def grammar_show(name: GrammarName) -> None:
    """Print the grammar with all its words, in Alto's notation."""
    from amparser.cli.grammar import show

    show(name)


@grammar_app.command("parse")
def grammar_parse(
    name: GrammarName,
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="Sentences, one an argument.")],
) -> None:
    """Print every derivation of a sentence, with its logical form."""
    from amparser.cli.grammar import parse as command

    if command(name, text):
        raise typer.Exit(1)


@grammar_app.command("sample")
def grammar_sample(
    name: GrammarName,
    kind: Annotated[
        str | None, typer.Option("--type", metavar="TYPE", help="By default all in turn.")
    ] = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="How many.")] = 10,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Random seed.")] = 0,
    setting: SettingOption = None,
) -> None:
    """Print random sentences with their logical forms and types."""
    from amparser.cli.grammar import sample as command

    command(name, kind=kind, count=count, seed=seed, setting=setting)


@grammar_app.command("count")
def grammar_count(
    name: GrammarName,
    size: Annotated[int, typer.Option("--size", min=1, help="Up to so many nodes.")] = 20,
) -> None:
    """Print how many derivations there are of each number of nodes."""
    from amparser.cli.grammar import count as command

    command(name, size=size)


def main() -> None:
    """The console script `amparser`."""
    # Read when torch is loaded: threads that spin while they wait make a machine
    # with other work on it many times slower.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    app(prog_name="amparser")
