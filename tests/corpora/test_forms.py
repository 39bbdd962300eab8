"""Users' files: other column names, quoted cells, JSON documents and marked-up sentences."""

import json
from pathlib import Path

import pytest

from amparser.corpora.example import Example
from amparser.corpora.formats import FORMATS
from amparser.corpora.reading import examples_of, read_examples
from amparser.corpora.splits import split_files
from amparser.errors import CorpusError, InputError

PARIS = '{"intent": "weather", "city": "Paris"}'
BOTH = '{"intent": "go", "from": "Rome", "to": "Bonn"}'


def read(path: Path, text: str) -> tuple[list[tuple[int, str, str | None]], list[str]]:
    path.write_text(text, encoding="utf-8")
    faults: list[str] = []
    rows = read_examples(path, faults=faults)
    found = [(row.line, row.sentence, row.meaning) for row in rows]
    return found, [fault.removeprefix(f"{path}:") for fault in faults]


@pytest.mark.parametrize(
    "row",
    [
        {"sentence": "in Paris", "meaning": PARIS},
        {"text": "in Paris", "label": json.loads(PARIS)},
        {"Utterance": "in Paris", "Intent": "weather", "slots": {"city": "Paris"}},
        {"question": "in Paris", "intent": "weather", "slots": ["O", "B-city"]},
        {"tokens": ["in", "Paris"], "intent": "weather", "slots": "O I-city"},
        {"text": "in Paris", "intent": "weather",
         "entities": [{"start": 3, "end": 8, "entity": "city"}]},
        {"query": "in Paris", "intent": "weather",
         "entities": [{"entity": "place", "role": "city", "value": "Paris"}]},
        {"intent": "weather", "data": [{"text": "in "}, {"text": "Paris", "entity": "city"}]},
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", ["lines", "array", "indented", "inside"])
def test_usual_names_are_read_from_every_json_layout(
    row: dict[str, object], form: str, tmp_path: Path
) -> None:
    inside = json.dumps({"about": {"count": 2}, "rows": [row, row]})
    texts = {
        "lines": f"{json.dumps(row)}\n" * 2,
        "array": json.dumps([row, row]),
        "indented": json.dumps([row, row], indent=2),
        "inside": inside,
    }
    rows, faults = read(tmp_path / "a.json", texts[form])
    assert [(sentence, meaning) for _, sentence, meaning in rows] == [("in Paris", PARIS)] * 2
    assert faults == []


def test_rows_of_a_json_document_have_line_numbers(tmp_path: Path) -> None:
    text = '[\n{"text": "a",\n "label": "f"},\n{"text": "b"},\n7,\n{"text": "c", "label": "g"}]'
    rows, faults = read(tmp_path / "a.json", text)
    assert rows == [(2, "a", "f"), (6, "c", "g")]
    assert faults[0].startswith("4: expected 'meaning', 'graph' or 'tree', found 'sentence'; write")
    assert faults[1:] == ["5: expected a JSON object"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('[{"text": "a",\n"label" "b"}]', "2: column 9: not JSON: expected a colon after the key"),
        ('{"a": 1,\n"b": []}', "1: no rows, expected objects such as {"),
        ('{"train": [{"text": "a", "label": "b"}],\n"test": [{"text": "a", "label": "b"}]}',
         "1: found rows of test, train, expected a separate file for each"),
        ('[{"text": "a", "text": "b"},\n1]', '1: the key "text" occurs twice'),
        ("[" * 100_000 + "\n", "1: nested too deeply"),
        ('{"text": "a b", "slots": "O"}', "1: 'slots': 1 tags for 2 words"),
        ('{"text": "a b", "slots": "O b-x"}', "1: 'slots': expected O, B-NAME or I-NAME"),
        ('{"text": "a b", "slots": [{"value": "a"}]}', "1: 'slots': expected an object with 'ent"),
        ('{"text": "a b", "entities": [{"entity": "x", "start": 0, "end": 9}]}',
         "1: 'entities': 0 to 9 is outside the text of 3 characters"),
        ('{"text": "a b", "intent": 3}', "1: 'intent': expected a text, found 3"),
        ('{"text": "a", "intent": "i", "slots": {"intent": "b"}}', "1: 'slots': expected a name"),
        ('{"text": "a", "slots": "[1"}', "1: 'slots': not JSON: '[1'"),
    ],
)  # fmt: skip
def test_json_errors_name_line_and_cause(text: str, fault: str, tmp_path: Path) -> None:
    rows, faults = read(tmp_path / "a.json", text)
    assert rows == []
    assert faults[0].startswith(fault), faults


def test_repeated_slots_are_a_list(tmp_path: Path) -> None:
    row = {"text": "x and y", "intent": "add", "slots": "B-item O B-item"}
    [(_, _, meaning)], _ = read(tmp_path / "a.json", json.dumps(row))
    assert meaning == '{"intent": "add", "item": ["x", "y"]}'


@pytest.mark.parametrize(
    ("name", "text", "rows"),
    [
        ("a.csv", "text,intent,slots\n\"in Paris, France\",weather,\"{'city': 'Paris'}\"\n",
         [(2, "in Paris, France", PARIS)]),
        ("a.csv", 'id;Text;Label\n1;"say ""hi""";f(hi)\n2;"a\nb";"f(\n1)"\n\n3;c;g\n',
         [(2, 'say "hi"', "f(hi)"), (3, "a b", "f( 1)"), (7, "c", "g")]),
        ("a.csv", 'go to Bonn,"go(bonn, _)"\nstop,stop\n', [(1, "go to Bonn", "go(bonn, _)"),
                                                         (2, "stop", "stop")]),
        ("a.csv", "go;to Bonn;f\nstop;g;\n", [(1, "go", "to Bonn"), (2, "stop", "g")]),
        ("a.tsv", "meaning\tsentence\tnote\nf(x)\ta b\tz\n", [(2, "a b", "f(x)")]),
        ("a.tsv", 'a b\t"{""x"": 1}"\nc\t"f(""y"")"\n', [(1, "a b", '{"x": 1}'),
                                                        (2, "c", 'f("y")')]),
        ("a.tsv", '"say"\t"f(x)"\n"a"\t"g"\n', [(1, "say", "f(x)"), (2, "a", "g")]),
        # Quotes that belong to the sentence or the meaning.
        ("a.tsv", 'say "hi"\t"hi"\nstop\t{"x": "y"}\n', [(1, 'say "hi"', '"hi"'),
                                                       (2, "stop", '{"x": "y"}')]),
        ("nlu.yml", 'version: "3.1"\nnlu:\n- intent: weather\n  examples: |\n'
                    "    - in [Paris](city)\n- synonym: x\n  examples: |\n    - y\n"
                    "- intent: go\n  examples: |\n"
                    '    - [Rom]{"entity": "city", "role": "from", "value": "Rome"} to [Bonn](to)\n'
                    "    - note: stop\nstories:\n- story: s\n  steps:\n  - intent: go\n",
         [(5, "in Paris", PARIS), (11, "Rom to Bonn", BOTH),
          (12, "note: stop", '{"intent": "go"}')]),
        # TOP: raw sentence, tokens, meaning.
        ("a.tsv", "it's ok?\tit's ok ?\t[IN:A ]\ngo.\tgo .\t[IN:B ]\n",
         [(1, "it's ok ?", "[IN:A ]"), (2, "go .", "[IN:B ]")]),
        ("a.tsv", "a b\ta b\tf(x)\nc\td\tg\n", [(1, "a b", "a b"), (2, "c", "d")]),
        ("nlu.yml", "nlu:\n- intent: weather\n  examples:\n  - text: |\n      in [Paris](city)\n"
                    "    metadata:\n      from: me\n  - text: 'in [Paris](city)'\n"
                    "- intent: stop\n  examples: |\n    - halt\n- regex: x\n  examples:\n"
                    "  - text: y\n",
         [(5, "in Paris", PARIS), (8, "in Paris", PARIS), (11, "halt", '{"intent": "stop"}')]),
        ("nlu.md", "## intent:weather\n- in [Paris](city)\n- [paris](city:Paris)\n\n"
                   "## synonym:x\n- y\n",
         [(2, "in Paris", PARIS), (3, "paris", PARIS)]),
        ("a.yaml", "---\ntype: intent\nname: weather\nslots:\n  - name: city\n    entity: place\n"
                   'utterances:\n  - in [city:place](Paris)\n  - "it\'s [city](Paris)"\n'
                   "---\ntype: entity\nname: place\nvalues:\n- Rome\n",
         [(8, "in Paris", PARIS), (9, "it's Paris", PARIS)]),
    ],
)  # fmt: skip
def test_tables_and_marked_sentences_are_read(
    name: str, text: str, rows: list[tuple[int, str, str]], tmp_path: Path
) -> None:
    assert read(tmp_path / name, text) == (rows, [])


@pytest.mark.parametrize(
    ("name", "text", "faults"),
    [
        ("a.csv", 'text,label\na\n"b"c,f\nd,g\n,f\ne,\n"open,f\n',
         ["2: expected 2 comma-separated columns, found 1; write a line such as ",
          "3: malformed quotes ", "5: the sentence is empty", "6: the meaning is empty",
          "7: the closing quote of a cell is missing"]),
        ("a.tsv", "text\tcost\na b\tf\ntext\tsum\n",
         ["1: a heading without the column of the meanings, such as 'meaning': expected one of"]),
        ("a.csv", "words,label\na b,f\n", ["1: a heading without the column of the sentences"]),
        ("a.tsv", "a\tb\tc\td\n", ["1: expected 3 tab-separated columns, found 4; a first line "]),
        ("a.tsv", '{"text": "a", "meaning": "b"}\n',
         ["1: expected 3 tab-separated columns, found 1; write a line such as "]),
        ("a.tsv", "text\tintent\tslots\na b\ti\tO\n", ["2: 'slots': 1 tags for 2 words"]),
        ("a.yml", "version: 1\n", ["1: no sentences of intents, expected lines such as "]),
        ("a.yml", "- intent: i\n  examples: |\n    - [a]{entity}\n", ["3: not JSON: '{entity}'"]),
    ],
)  # fmt: skip
def test_table_errors_name_line_and_cause(
    name: str, text: str, faults: list[str], tmp_path: Path
) -> None:
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
def test_an_unknown_suffix_names_the_nearest_format(text: bytes, near: str, tmp_path: Path) -> None:
    path = tmp_path / "train.rows"
    path.write_bytes(text)
    for read_file in (read_examples, lambda _: split_files(tmp_path)):
        with pytest.raises(CorpusError, match=rf"train.rows: unknown suffix, .*{near}"):
            read_file(path)


def test_invalid_utf8_is_an_error_in_every_format(tmp_path: Path) -> None:
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
