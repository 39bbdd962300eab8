"""Read data files into a corpus of training and dev examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from amparser.corpora.analyses import ambiguous, contradiction
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.reading import check_lengths, read_examples
from amparser.corpora.recognition import SAMPLE, fits, recognised, unread
from amparser.corpora.splits import held_out, split_files, subset
from amparser.corpora.splitting import Splitting
from amparser.errors import AMParserError, CorpusError, InputError, located, shown
from amparser.files import checksum
from amparser.learn.settings import DataSettings
from amparser.limits import MAX_TOKENS
from amparser.notations.json_schema import JsonSchema
from amparser.notations.registry import NOTATIONS, family_of

_BANNED = "banned-ids.txt"
"""Names of examples that no training may use, as the Parallel Meaning Bank's translations."""

Files = Callable[[Path, str], dict[str, Path]]
Read = Callable[[Path, int | None], list[Example]]


def read_corpus(
    data: Path,
    settings: DataSettings,
    *,
    seed: int,
    notation: str = "",
    benchmark: str = "",
    files: Files = split_files,
    read: Read | None = None,
    strict: bool = True,
) -> Corpus:
    """Read the corpus of a folder, or of one training file.

    Without a dev file, `held_out` of train serves as dev, independent of the seed, unless that is
    less than one row. The corpus keeps `fraction` of the rest.

    Args:
        settings: shares of train, and the notation to read if the folder has several.
        seed: picks the fraction.
        notation: notation of the meanings if the settings name none.
        strict: raise an error for a malformed row; otherwise it is left out and listed.

    Raises:
        CorpusError: the train file is missing, or a file cannot be read; names file and line.
        InputError: no notation is named or recognised.
    """
    name = settings.notation or notation
    paths = {"train": data}
    if data.is_dir():
        name, paths = _files_of(data, name, files)
    elif not data.exists():
        raise CorpusError(located("No such file or directory", path=data))
    if "train" not in paths:
        raise CorpusError(located("there is no train file", path=data))
    return read_splits(
        paths, settings, seed=seed, notation=name, benchmark=benchmark, read=read, strict=strict
    )


def read_splits(
    paths: Mapping[str, Path],
    settings: DataSettings,
    *,
    seed: int,
    notation: str = "",
    benchmark: str = "",
    read: Read | None = None,
    strict: bool = True,
) -> Corpus:
    """Read the corpus of the file `train` and optionally `dev`; see `read_corpus`."""
    paths = {split: paths[split] for split in ("train", "dev") if split in paths}
    reading = partial(_reading, read, strict)
    found = {split: reading(path) for split, path in paths.items()}
    remarks = []
    if not notation and not benchmark:
        examples = chain.from_iterable(one.examples for one in found.values())
        notation, named = _notation(paths["train"], examples)
        if notation:
            remarks.append(f"notation {notation}{'' if named else ', recognised'}")
    schema = _schema(settings.schema, paths["train"], notation)
    others = [path for split, path in paths.items() if split != "train"]
    further = further_data(settings, paths["train"].parent, others, reading)
    if not strict or schema is not None:
        found = {s: _readable(one, notation, paths[s], schema) for s, one in found.items()}
    if strict and (first := next((f for one in found.values() for f in one.faults), None)):
        raise CorpusError(first)
    splitting = None
    own = not benchmark
    if settings.raw == "always" or (settings.raw == "auto" and own and _is_raw(found, notation)):
        found, splitting = _split_up(found, paths)
    train: Sequence[Example] = found["train"].examples
    if own:
        remarks += [*_on_tokens(train, splitting), *_on_meanings(train, notation, paths["train"])]
    _check_rows(found, paths)
    if "dev" in paths:
        dev: Sequence[Example] = found["dev"].examples
    else:
        train, dev, told = _held_out(train, settings.held_out)
        remarks.append(told)
    train = subset(train, settings.fraction, seed)
    if further.paths or further.without:
        whole: list[Example] = [*train, *further.also]
        remarks += further.remarks(whole)
        train = further.kept(whole)
    return Corpus(
        train,
        dev,
        notation,
        benchmark,
        {split: _described(path, found[split].examples) for split, path in paths.items()}
        | {f"{path.parent.name}/{path.name}": _described(path, ()) for path in further.paths},
        {split: str(paths.get(split, paths["train"])) for split in ("train", "dev")},
        strict,
        {split: tuple(one.faults) for split, one in found.items()},
        tuple(remarks),
        splitting,
        [name.strip() for name in settings.unordered.split(",") if name.strip()],
        schema,
    )


def _schema(name: str, train: Path, notation: str) -> JsonSchema | None:
    """Return the schema of `data.schema`; raise InputError if it or the notation is unsuitable."""
    if not name:
        return None
    path = train.parent / name
    if not notation or NOTATIONS[notation].family != "json":
        found = f"the notation {notation}" if notation else "no meanings"
        raise InputError(f"{path}: a JSON Schema needs meanings in json, found {found}")
    return JsonSchema.read(path)


def _check_rows(found: Mapping[str, _Reading], paths: Mapping[str, Path]) -> None:
    for split, path in paths.items():
        check_lengths(found[split].examples, path)
        if not found[split].examples:
            empty = located("empty, expected an example", path=path)
            raise CorpusError(next(iter(found[split].faults), empty))


def _held_out(
    train: Sequence[Example], share: float
) -> tuple[Sequence[Example], Sequence[Example], str]:
    share = share if share * len(train) >= 1 else 0.0
    train, dev = held_out(train, share)
    told = (
        f"{100 * share:g} % of train ({len(dev)} rows) held out" if share else "train is used whole"
    )
    return train, dev, f"without a dev file: {told}"


class _Reading(NamedTuple):
    examples: Sequence[Example]
    faults: list[str]


def _reading(read: Read | None, strict: bool, path: Path) -> _Reading:
    if read is not None:
        return _Reading(read(path, None), [])
    faults: list[str] = []
    return _Reading(read_examples(path, faults=None if strict else faults), faults)


def _notation(path: Path, examples: Iterable[Example]) -> tuple[str, bool]:
    """Return the notation's name (empty without meanings), and whether the examples name it."""
    texts: list[Example] = []
    names: Counter[str] = Counter()
    for e in examples:
        if e.meaning is not None and (e.notation or (e.graph is None and e.tree is None)):
            if len(texts) < SAMPLE:
                texts.append(e)
            if e.notation:
                names[e.notation] += 1
    if len(names) > 1:
        raise InputError(located(f"meanings in several notations: {', '.join(names)}", path=path))
    if names or not texts:
        return next(iter(names), ""), bool(names)
    fitting = recognised(texts)
    if not fitting or not any(fits(example, fitting[0]) for example in texts):
        fitting = recognised(_mostly_fitting(texts))
    if not fitting:
        example, message = unread(texts)
        raise InputError(located(message, path=example.file or path, line=example.line))
    return fitting[0], False


def _mostly_fitting(examples: Sequence[Example]) -> list[Example]:
    """Return the examples that fit the best notation; none if they are less than half."""
    fitting = ([e for e in examples if fits(e, name)] for name in NOTATIONS)
    most = max(fitting, key=len)
    return most if 2 * len(most) >= len(examples) else []


def _readable(reading: _Reading, notation: str, path: Path, schema: JsonSchema | None) -> _Reading:
    faults, fine = list(reading.faults), []
    for example in reading.examples:
        if (reason := _fault(example, notation, schema)) is None:
            fine.append(example)
        else:
            faults.append(located(reason, path=example.file or path, line=example.line))
    return _Reading(fine, faults)


def _fault(example: Example, notation: str, schema: JsonSchema | None) -> str | None:
    count = len(example.tokens)
    if not 1 <= count <= MAX_TOKENS:
        return f"{count} tokens, expected 1 to {MAX_TOKENS}" if count else "expected a sentence"
    name = example.notation or notation
    if example.meaning is not None and name:
        try:
            if example.graph is None and example.tree is None:
                value = NOTATIONS[name].read(example.meaning)
                if schema is not None and (problem := schema.problem(value)) is not None:
                    return f"contradicts the schema: {problem}"
            return contradiction(example, NOTATIONS[name])
        except AMParserError as error:
            return f"notation {name}: {error}"
    return None


def _is_raw(found: Mapping[str, _Reading], notation: str) -> bool:
    """Return whether sentences are raw text and meanings refer to no tokens."""
    examples = found["train"].examples
    if (notation and NOTATIONS[notation].needs_alignment) or any(map(_is_aligned, examples)):
        return False
    return Splitting.looks_raw([example.tokens for example in examples])


def _is_aligned(example: Example) -> bool:
    return (example.alignment, example.graph, example.tree) != (None, None, None)


def _split_up(
    found: Mapping[str, _Reading], paths: Mapping[str, Path]
) -> tuple[dict[str, _Reading], Splitting]:
    """Tokenise the raw text of all files; also return the tokenizer."""
    train = found["train"].examples
    splitting = Splitting.of_raw([example.tokens for example in train])
    rows = ((splitting(example.raw), example.meaning or "") for example in train)
    splitting = splitting.with_numbers(rows)
    split: dict[str, _Reading] = {}
    for name, reading in found.items():
        examples = []
        for example in reading.examples:
            tokens = splitting(example.raw)
            if tokens != example.tokens and _is_aligned(example):
                reason = f"raw text, but {shown(example.sentence)} has alignments to tokens"
                place = example.file or paths[name]
                raise CorpusError(located(reason, path=place, line=example.line))
            examples.append(replace(example, tokens=tokens))
        split[name] = _Reading(examples, reading.faults)
    return split, splitting.with_cases([one.tokens for one in split["train"].examples])


def _on_tokens(examples: Sequence[Example], raw: Splitting | None) -> list[str]:
    """Return a line if sentences are raw text, or if the tokenizer splits rows otherwise."""
    if raw is not None:
        return ["sentences are raw text: punctuation is split from words (data.raw)"]
    splitting = Splitting.of([example.tokens for example in examples])
    other = [one for one in examples if splitting(one.sentence) != one.tokens]
    if not other:
        return []
    first = min(other, key=lambda one: len(one.tokens))
    split = " ".join(splitting(first.sentence))
    return [
        f"{len(other)} rows of train would be split differently as raw text: "
        f"{shown(first.sentence)} (line {first.line}) becomes {shown(split)}"
    ]


def _on_meanings(examples: Sequence[Example], notation: str, path: Path) -> list[str]:
    found = list(ambiguous(examples, notation))
    if not found:
        return []
    lines = " and ".join(
        located(f"{one.meaning}", path=one.file or path, line=one.line) for one, *_ in found[0][:2]
    )
    sentence = shown(found[0][0][0].sentence)
    return [f"{len(found)} sentences of train have several meanings, such as {sentence}: {lines}"]


def _described(path: Path, examples: Sequence[Example]) -> dict[str, Any]:
    """Return a file's entry in the model folder; `holds` is set only if it has no meanings."""
    described = {"file": path.name, "sha256": checksum(path)}
    if examples and all(example.meaning is None for example in examples):
        trees = all(example.tree is not None for example in examples)
        described["holds"] = "trees" if trees else "graphs"
    return described


def _files_of(data: Path, notation: str, files: Files) -> tuple[str, dict[str, Path]]:
    """Return the notation and the data files of a folder.

    Files of another notation of the family are used if the requested one has none.
    """
    if not notation:
        return notation, files(data, notation)
    problem: CorpusError | None = None
    for name in family_of(notation):
        try:
            return name, files(data, name)
        except CorpusError as error:
            problem = problem or error
    assert problem is not None
    raise problem


class Further(NamedTuple):
    """Content of further files.

    Attributes:
        faults: malformed rows, as `FILE:LINE: REASON`.
        without: names of examples to leave out, in these files and in others.
    """

    also: Sequence[Example]
    paths: Sequence[Path]
    faults: Sequence[str]
    without: frozenset[str]

    def kept(self, examples: Sequence[Example]) -> Sequence[Example]:
        """Return the examples that are not left out."""
        if not self.without:
            return examples
        return [example for example in examples if example.id not in self.without]

    def remarks(self, examples: Sequence[Example]) -> list[str]:
        """Return a line on the further rows, and one on the number of rows left out."""
        told = []
        if self.also:
            told.append(f"{len(self.kept(self.also))} further rows (data.also)")
        if self.without:
            count = len(examples) - len(self.kept(examples))
            told.append(f"{count} rows are left out by name (data.without)")
        return told


def further_data(
    settings: DataSettings,
    folder: Path,
    others: Sequence[Path],
    read: Callable[[Path], tuple[Sequence[Example], Sequence[str]]],
) -> Further:
    """Return the examples of `data.also`, and the names of examples to leave out.

    Args:
        others: files of the folder whose examples are left out by name, such as dev.

    Raises:
        CorpusError: a file or folder does not exist, or cannot be read.
    """
    paths: list[Path] = []
    faults: list[str] = []
    also: list[Example] = []
    others = [*others] if settings.also else []
    for name in settings.also.split():
        path = folder / name
        if path.is_dir():
            files = split_files(path, settings.notation)
            path = files.pop("train", path / "train")
            others += files.values()
        if not path.is_file():
            raise CorpusError(located("No such file or directory", path=path))
        examples, wrong = read(path)
        also += [replace(example, file=str(path)) for example in examples]
        faults.extend(wrong)
        paths.append(path)
    without = {example.id for path in others for example in read(path)[0]} - {""}
    return Further(also, paths, faults, frozenset(without | _names(folder, settings)))


def _names(folder: Path, settings: DataSettings) -> set[str]:
    name = settings.without
    if settings.also and not name and (folder.parent / _BANNED).is_file():
        name = f"../{_BANNED}"
    if not name:
        return set()
    try:
        text = (folder / name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(located(f"cannot be read: {error}", path=folder / name)) from None
    return set(text.split())
