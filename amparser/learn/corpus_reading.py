"""Read data files into a corpus of training and dev examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from amparser.corpora.analyses import contradiction
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
"""File with names of examples that must not be in train, such as translations of test examples."""

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

    Without a dev file, the share `held_out` of train (if it is at least one example) becomes dev,
    whatever the seed. The share `fraction` of the other examples becomes train.

    Args:
        settings: shares of train, and the notation to read if the folder has several.
        seed: seed for choosing the examples of `fraction`.
        notation: notation of the meanings if the settings name none.
        strict: whether a malformed example is an error; otherwise, it is left out and listed.

    Raises:
        CorpusError: the train file is missing, or a file cannot be read; the message says where.
        InputError: the notation is neither named nor recognised.
    """
    notation, paths = _paths(data, settings.notation or notation, files)
    reading = partial(_rows, read, strict)
    found = {split: reading(path) for split, path in paths.items()}
    remarks: list[str] = []
    if not notation and not benchmark:
        notation, remarks = _notation(found)
    schema = _schema(settings.schema, paths["train"], notation)
    if not strict or schema is not None:
        found = {split: _readable(rows, notation, schema) for split, rows in found.items()}
    if strict and (first := next((f for rows in found.values() for f in rows.faults), None)):
        raise CorpusError(first)
    splitting = None
    if settings.raw == "always" or (settings.raw == "auto" and _is_raw(found, notation, benchmark)):
        found, splitting = _split_up(found)
        if not benchmark:
            remarks.append("sentences are raw text: punctuation is split from words (data.raw)")
    for rows in found.values():
        rows.check()
    train, dev, further = _parts(found, settings, seed, reading, remarks)
    return Corpus(
        train,
        dev,
        notation,
        benchmark,
        {split: _described(rows.path, rows.examples) for split, rows in found.items()}
        | {f"{path.parent.name}/{path.name}": _described(path) for path in further},
        {split: str(paths.get(split, paths["train"])) for split in ("train", "dev")},
        strict,
        {split: tuple(rows.faults) for split, rows in found.items()},
        tuple(remarks),
        splitting,
        [name.strip() for name in settings.unordered.split(",") if name.strip()],
        schema,
    )


class _Rows(NamedTuple):
    """Examples of a file, and a message `FILE:LINE: REASON` for each example that is left out."""

    path: Path
    examples: Sequence[Example]
    faults: Sequence[str]

    def check(self) -> None:
        check_lengths(self.examples, self.path)
        if not self.examples:
            empty = located("empty, expected an example", path=self.path)
            raise CorpusError(next(iter(self.faults), empty))

    def located(self, reason: str, example: Example) -> str:
        return located(reason, path=example.file or self.path, line=example.line)


def _rows(read: Read | None, strict: bool, path: Path) -> _Rows:
    if read is not None:
        return _Rows(path, read(path, None), ())
    faults: list[str] = []
    return _Rows(path, read_examples(path, faults=None if strict else faults), faults)


def _paths(data: Path, notation: str, files: Files) -> tuple[str, dict[str, Path]]:
    """Return the notation and the files of train and dev.

    If the requested notation has no files, another notation of its family is used.
    """
    if data.is_dir():
        notation, paths = _files_of(data, notation, files)
    elif data.exists():
        paths = {"train": data}
    else:
        raise CorpusError(located("No such file or directory", path=data))
    if "train" not in paths:
        raise CorpusError(located("there is no train file", path=data))
    return notation, {split: paths[split] for split in ("train", "dev") if split in paths}


def _files_of(data: Path, notation: str, files: Files) -> tuple[str, dict[str, Path]]:
    for name in family_of(notation) if notation else ():
        with suppress(CorpusError):
            return name, files(data, name)
    return notation, files(data, notation)


def _schema(name: str, train: Path, notation: str) -> JsonSchema | None:
    if not name:
        return None
    path = train.parent / name
    if not notation or NOTATIONS[notation].family != "json":
        found = f"the notation {notation}" if notation else "no meanings"
        raise InputError(f"{path}: a JSON Schema needs meanings in json, found {found}")
    return JsonSchema.read(path)


def _parts(
    found: Mapping[str, _Rows],
    settings: DataSettings,
    seed: int,
    reading: Callable[[Path], _Rows],
    remarks: list[str],
) -> tuple[Sequence[Example], Sequence[Example], Sequence[Path]]:
    """Return train (with the examples of `data.also`), dev, and the further files that were read.

    An example of train is left out if its name occurs in dev or test of any folder, or in the file
    of names to leave out. Messages about this are added to `remarks`.
    """
    train: Sequence[Example] = found["train"].examples
    if "dev" in found:
        dev = found["dev"].examples
    else:
        share = settings.held_out if settings.held_out * len(train) >= 1 else 0.0
        train, dev = held_out(train, share)
        rows = f"{100 * share:g} % of train ({len(dev)} rows) held out"
        remarks.append(f"without a dev file: {rows if share else 'train is used whole'}")
    folder = found["train"].path.parent
    paths: list[Path] = []
    also: list[Example] = []
    others: list[Example] = [*dev] if settings.also and "dev" in found else []
    for name in settings.also.split():
        path = folder / name
        if path.is_dir():
            files = split_files(path, settings.notation)
            path = files.pop("train", path / "train")
            others += chain.from_iterable(reading(file).examples for file in files.values())
        if not path.is_file():
            raise CorpusError(located("No such file or directory", path=path))
        also += [replace(example, file=str(path)) for example in reading(path).examples]
        paths.append(path)
    without = _names(folder, settings) | {example.id for example in others} - {""}
    whole = [*subset(train, settings.fraction, seed), *also]
    kept = [example for example in whole if example.id not in without]
    if also:
        count = sum(example.id not in without for example in also)
        remarks.append(f"{count} further rows (data.also)")
    if without:
        count = len(whole) - len(kept)
        remarks.append(f"{count} rows are left out by name (data.without)")
    return kept, dev, paths


def _notation(found: Mapping[str, _Rows]) -> tuple[str, list[str]]:
    examples = [
        e
        for e in chain.from_iterable(rows.examples for rows in found.values())
        if e.meaning is not None and (e.notation or (e.graph is None and e.tree is None))
    ]
    train = found["train"]
    names = dict.fromkeys(e.notation for e in examples if e.notation)
    if len(names) > 1:
        several = f"meanings in several notations: {', '.join(names)}"
        raise InputError(located(several, path=train.path))
    if not examples:
        return "", []
    if names:
        [name] = names
        return name, [f"notation {name}"]
    texts = examples[:SAMPLE]
    fitting = recognised(texts)
    if not fitting or not any(fits(example, fitting[0]) for example in texts):
        fitting = recognised(_mostly_fitting(texts))
    if not fitting:
        example, message = unread(texts)
        raise InputError(train.located(message, example))
    return fitting[0], [f"notation {fitting[0]}, recognised"]


def _mostly_fitting(examples: Sequence[Example]) -> list[Example]:
    """Return the examples that fit the most likely notation; none if most examples do not fit."""
    fitting = ([e for e in examples if fits(e, name)] for name in NOTATIONS)
    most = max(fitting, key=len)
    return most if 2 * len(most) >= len(examples) else []


def _readable(rows: _Rows, notation: str, schema: JsonSchema | None) -> _Rows:
    faults, fine = [*rows.faults], []
    for example in rows.examples:
        if (reason := _fault(example, notation, schema)) is None:
            fine.append(example)
        else:
            faults.append(rows.located(reason, example))
    return _Rows(rows.path, fine, faults)


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


def _is_raw(found: Mapping[str, _Rows], notation: str, benchmark: str) -> bool:
    """Return whether the sentences of a user's corpus are raw text, which must be tokenised.

    They are not raw text if meanings refer to tokens.
    """
    examples = found["train"].examples
    if benchmark or (notation and NOTATIONS[notation].needs_alignment):
        return False
    if any(map(_is_aligned, examples)):
        return False
    return Splitting.looks_raw([example.tokens for example in examples])


def _is_aligned(example: Example) -> bool:
    return (example.alignment, example.graph, example.tree) != (None, None, None)


def _split_up(found: Mapping[str, _Rows]) -> tuple[dict[str, _Rows], Splitting]:
    train = found["train"].examples
    splitting = Splitting.of_raw([example.tokens for example in train])
    splitting = splitting.with_numbers((splitting(e.raw), e.meaning or "") for e in train)
    split: dict[str, _Rows] = {}
    for name, rows in found.items():
        examples = []
        for example in rows.examples:
            tokens = splitting(example.raw)
            if tokens != example.tokens and _is_aligned(example):
                reason = f"raw text, but {shown(example.sentence)} has alignments to tokens"
                raise CorpusError(rows.located(reason, example))
            examples.append(replace(example, tokens=tokens))
        split[name] = rows._replace(examples=examples)
    return split, splitting.with_cases([one.tokens for one in split["train"].examples])


def _described(path: Path, examples: Sequence[Example] = ()) -> dict[str, Any]:
    """Return a file's entry in `model.json`; `holds` is set if it has only trees or graphs."""
    described = {"file": path.name, "sha256": checksum(path)}
    if examples and all(example.meaning is None for example in examples):
        trees = all(example.tree is not None for example in examples)
        described["holds"] = "trees" if trees else "graphs"
    return described


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
