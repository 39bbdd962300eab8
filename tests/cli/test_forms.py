"""Common file formats, twenty rows each, in check, train, evaluate and parse.

`corpora/test_forms.py` tests the reading of each of them.
"""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from command_line import ok, run

from amparser.corpora.reading import read_examples


class Row(NamedTuple):
    device: str
    state: str
    room: str

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def pieces(self) -> Sequence[str]:
        end = (" in the ", self.room) if self.room else ()
        return (f"turn {self.state} the ", self.device, *end)

    @property
    def intent(self) -> str:
        return f"turn_{self.state}"

    @property
    def slots(self) -> Mapping[str, str]:
        return dict(zip(("device", "room"), self.pieces[1::2], strict=False))

    def marked(self, mark: Callable[[str, str], str]) -> str:
        begin, _, *end = self.pieces
        found = begin + mark("device", self.device)
        return found + end[0] + mark("room", self.room) if end else found


ROWS = [
    Row(device, state, room)
    for device, state, room in product(
        ("lamp", "fan", "radio", "heater"), ("on", "off"), ("", "kitchen", "living room")
    )
]
SETTINGS = ("--set", "train.epochs=20", "--set", "train.epoch_sentences=0", "--device", "cpu")
ASKED = "turn off the fan in the living room"
ANSWER = '{"intent": "turn_off", "device": "fan", "room": "living room"}'


def _cells(rows: Sequence[Sequence[str]], **options: str) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n", **options).writerows(rows)  # type: ignore[arg-type]
    return written.getvalue()


def _tags(row: Row) -> str:
    found = ["O", "O", "O"]
    for place, piece in enumerate(row.pieces[1:]):
        name = ("device", "", "room")[place]
        words = piece.split()
        found += [f"{'IB'[not i]}-{name}" if name else "O" for i in range(len(words))]
    return " ".join(found)


def _lists(key: str) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = {}
    for row in ROWS:
        pieces = [
            {"text": piece, **({key: ("device", "room")[place // 2]} if place % 2 else {})}
            for place, piece in enumerate(row.pieces)
        ]
        found.setdefault(row.intent, []).append({"data": pieces})
    return found


JSON_FORMS = {
    "lines.jsonl": "".join(
        json.dumps({"text": r.text, "intent": r.intent, "slots": r.slots}) + "\n" for r in ROWS
    ),
    "headings.csv": _cells(
        [("text", "label"), *((r.text, json.dumps({"intent": r.intent, **r.slots})) for r in ROWS)]
    ),
    "semicolons.csv": _cells(
        [("Id", "Query", "Intent", "Slots"), *(("1", r.text, r.intent, _tags(r)) for r in ROWS)],
        delimiter=";",
    ),
    "snips.json": json.dumps(_lists("entity")),
    "snips-nlu.json": json.dumps(
        {"intents": {k: {"utterances": rows} for k, rows in _lists("slot_name").items()}}
    ),
    "rasa.json": json.dumps(
        {
            "rasa_nlu_data": {
                "common_examples": [
                    {
                        "text": row.text,
                        "intent": row.intent,
                        "entities": [
                            {"start": row.text.index(v), "end": row.text.index(v) + len(v),
                             "value": v, "entity": s}
                            for s, v in row.slots.items()
                        ],
                    }
                    for row in ROWS
                ]
            }
        }
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("forms")
    for name, text in JSON_FORMS.items():
        (folder / name).write_text(text, encoding="utf-8")
    ok("train", "--data", folder / "lines.jsonl", "--output", folder / "model", *SETTINGS)
    return folder


@pytest.mark.parametrize("name", JSON_FORMS)
def test_forms_of_intents_with_slots_are_the_same_corpus(home, name) -> None:
    examples = read_examples(home / name)
    pairs = {(" ".join(one.tokens), one.meaning) for one in examples}
    first = {(one.sentence, one.meaning) for one in read_examples(home / "lines.jsonl")}
    assert len(examples) == len(ROWS)
    assert pairs == first
    checked = ok("check", home / name)
    assert checked.startswith("notation json")
    assert "24 training examples" in checked
    figures = home / f"{name}.figures"
    ok("evaluate", "--model", home / "model", "--data", home / name, "--output", figures)
    [decoder] = json.loads(figures.read_text(encoding="utf-8"))["decoders"].values()
    assert decoder["overall"]["graph"]["share"] == 1.0


def test_a_model_of_such_a_form_answers_in_json(home) -> None:
    assert json.loads(ok("parse", "--model", home / "model", ASKED)) == json.loads(ANSWER)


def test_check_and_evaluate_list_faulty_rows(home, tmp_path) -> None:
    rows = JSON_FORMS["headings.csv"].splitlines(keepends=True)
    path = tmp_path / "train.csv"
    path.write_text("".join([*rows[:3], 'turn on,"{""a"": }"\n', "off\n", *rows[3:]]), "utf-8")
    faults = (f"{path}:4: notation json: column 7: ", f"{path}:5: expected 2 comma-separated")
    for command in (("check",), ("evaluate", "--model", home / "model", "--data")):
        result = run(*command, path)
        assert result.exit_code == 0
        printed = result.stdout + result.stderr
        for fault in faults:
            assert (
                fault.replace("notation json: ", "" if command[1:] else "notation json: ")
                in printed
            )


def _bracketed(row: Row) -> str:
    words = row.marked(lambda slot, value: f"[SL:{slot.upper()} {value} ]")
    return f"{row.text}\t[IN:{row.intent.upper()} {words} ]\n"


def _clauses(row: Row) -> str:
    where = f' WHERE room eq "{row.room}"' if row.room else ""
    return f"{row.text}\tSET {row.device} TO {row.state}{where}\n"


def _prolog(row: Row) -> str:
    words = ",".join(row.text.split())
    where = f",in(A,B),room(B,'{row.room}')" if row.room else ""
    return f"parse([{words}], command(A,({row.device}(A),turn(A,{row.state}){where}))).\n"


def _eds(row: Row) -> str:
    at = row.text.index(row.device)
    nodes = [
        f"e2:_turn_v_{row.state}<0:4>[ARG2 x3]",
        f"x3:_{row.device}_n_1<{at}:{len(row.device)}>[]",
    ]
    if row.room:
        noun, end = row.room.replace(" ", "-"), len(row.text)
        start = end - len(row.room)
        nodes.append(f"e4:_in_p<{start - 7}:{start - 5}>[ARG1 e2, ARG2 x5]")
        nodes.append(f"x5:_{noun}_n_1<{start}:{end}>[]")
    return f"# ::snt {row.text}\n{{e2:\n {' '.join(nodes)}\n}}\n\n"


@pytest.mark.parametrize(
    ("name", "write", "notation", "answer"),
    [
        ("top.tsv", _bracketed, "bracketed",
         "[IN:TURN_OFF [SL:DEVICE fan ] [SL:ROOM living room ] ]"),
        ("clauses.tsv", _clauses, "clauses", 'SET fan TO off WHERE room eq "living room"'),
        ("geo.pl", _prolog, "prolog",
         "command(A,(fan(A),turn(A,off),in(A,B),room(B,'living room')))"),
        ("erg.eds", _eds, "eds", None),
    ],
)  # fmt: skip
def test_other_languages_are_learned_from_their_files(
    name, write, notation, answer, tmp_path
) -> None:
    if notation == "eds":
        pytest.importorskip("delphin")
    path, model = tmp_path / name, ("--model", tmp_path / "model")
    path.write_text("".join(map(write, ROWS)), encoding="utf-8")
    checked = ok("check", path)
    assert checked.startswith(f"notation {notation}")
    assert f"{21 if notation == 'eds' else 24} training examples" in checked
    ok("train", "--data", path, "--output", tmp_path / "model", *SETTINGS)
    ok("evaluate", *model, "--data", path, "--output", tmp_path / "figures.json")
    figures = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert (figures["count"], figures["left_out"], figures["notation"]) == (24, [], notation)
    found = ok("parse", *model, ASKED).rstrip("\n")
    if answer is None:  # too few rows to learn graphs from
        assert found.startswith("{")
        assert "_turn_v_" in found
    else:
        [decoder] = figures["decoders"].values()
        # Twenty rows do not show which word expresses what all rows share.
        assert decoder["overall"]["graph"]["share"] > 0.6
        assert found == answer
