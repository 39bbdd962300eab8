"""Users' files: other column names, quoted cells, JSON documents and marked-up sentences."""

import json
from pathlib import Path

import pytest
from toml_tables import tables

from amparser.corpora.example import Example
from amparser.corpora.formats import FORMATS
from amparser.corpora.reading import examples_of, read_examples
from amparser.corpora.splits import split_files
from amparser.errors import CorpusError, InputError

TABLES = tables(__file__)

PARIS = '{"intent": "weather", "city": "Paris"}'


def read(path: Path, text: str) -> tuple[list[tuple[int, str, str | None]], list[str]]:
    path.write_text(text, encoding="utf-8")
    faults: list[str] = []
    rows = read_examples(path, faults=faults)
    found = [(row.line, row.sentence, row.meaning) for row in rows]
    return found, [fault.removeprefix(f"{path}:") for fault in faults]


@pytest.mark.parametrize("row", TABLES["rows_of_json"])
@pytest.mark.parametrize("form", ["lines", "array", "indented", "objects", "inside"])
def test_usual_names_are_read_from_every_json_layout(row, form, tmp_path) -> None:
    inside = json.dumps({"about": {"count": 2}, "rows": [row, row]})
    texts = {
        "lines": f"{json.dumps(row)}\n" * 2,
        "array": json.dumps([row, row]),
        "indented": json.dumps([row, row], indent=2),
        "objects": f"{json.dumps(row, indent=2)}\n" * 2,
        "inside": inside,
    }
    rows, faults = read(tmp_path / "a.json", texts[form])
    assert [(sentence, meaning) for _, sentence, meaning in rows] == [("in Paris", PARIS)] * 2
    assert faults == []


def test_rows_of_a_json_document_have_line_numbers(tmp_path) -> None:
    text = '[\n{"text": "a",\n "label": "f"},\n{"text": "b"},\n7,\n{"text": "c", "label": "g"}]'
    rows, faults = read(tmp_path / "a.json", text)
    assert rows == [(2, "a", "f"), (6, "c", "g")]
    assert faults[0].startswith("4: expected 'meaning', 'graph' or 'tree', found 'sentence'; write")
    assert faults[1:] == ["5: expected a JSON object"]


def test_repeated_slots_are_a_list(tmp_path) -> None:
    row = {"text": "x and y", "intent": "add", "slots": "B-item O B-item"}
    [(_, _, meaning)], _ = read(tmp_path / "a.json", json.dumps(row))
    assert meaning == '{"intent": "add", "item": ["x", "y"]}'


@pytest.mark.parametrize(("name", "text", "rows"), TABLES["read"])
def test_tables_and_marked_sentences_are_read(name, text, rows, tmp_path) -> None:
    assert read(tmp_path / name, text) == ([tuple(row) for row in rows], [])


@pytest.mark.parametrize(("name", "text", "faults"), TABLES["faults"])
def test_table_errors_name_line_and_cause(name, text, faults, tmp_path) -> None:
    _, found = read(tmp_path / name, text)
    assert len(found) == len(faults)
    for fault, expected in zip(found, faults, strict=True):
        assert fault.startswith(expected)


@pytest.mark.parametrize(
    ("text", "near"),
    [
        (
            b"go to Bonn\t[IN:GO [SL:TO Bonn ] ]\n",
            r"'go to Bonn\\t\[IN.*' looks most like .* \.tsv, 't",
        ),
        (b"1\tgo\tto\t4\t5\t6\t7\n", r"line of \.tsv, 'turn on the lamp\\ton\(lamp\)'"),
        (b'{"text": "go", "label": "f(x)"}\n', r'line of \.jsonl, \'{"text": "turn on the lamp"'),
        (b"parse([go],f(x)).\n", r"line of \.pl, "),
        (b"PK\3\4\xff", "not UTF-8 text: save it as .csv"),
    ],
)
def test_an_unknown_suffix_names_the_nearest_format(text, near, tmp_path) -> None:
    path = tmp_path / "train.rows"
    path.write_bytes(text)
    for read_file in (read_examples, lambda _: split_files(tmp_path)):
        with pytest.raises(CorpusError, match=rf"train.rows: unknown suffix, .*{near}"):
            read_file(path)


def test_invalid_utf8_is_an_error_in_every_format(tmp_path) -> None:
    for name, begin in (("a.json", b"["), ("a.csv", b"a,b"), ("a.yml", b"- intent: x")):
        (tmp_path / name).write_bytes(begin + b"\n\xff\n")
        with pytest.raises(CorpusError, match=rf"{name}:2: byte 1: expected UTF-8 text"):
            read_examples(tmp_path / name)


def test_csv_cells_are_quoted_if_necessary() -> None:
    example = Example(("say", '"hi",', "Ann"), "f(a, b)", tags=("x",))
    text = FORMATS["csv"].write(example)
    [again] = examples_of(FORMATS["csv"], enumerate(text.split("\n")[:-1], 1), "file")
    assert (again.tokens, again.meaning, again.tags) == (example.tokens, "f(a, b)", ("x",))
    with pytest.raises(InputError, match="only be read"):
        FORMATS["marked"].write(example)
