"""The programs of docs/examples, with models trained on the corpora of the pages."""

import json
import runpy
from contextlib import closing
from pathlib import Path

import pytest
from command_line import python

from amparser.api import train
from amparser.errors import LogicError

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "docs" / "examples"


def script(name: str, *arguments: str | Path, stdin: str | None = None) -> str:
    return python(ROOT / "docs" / name, *arguments, stdin=stdin)


def trained(folder: Path, epochs: int) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("amparser.calibration.MOST", 40)
        train(folder, folder / "model", overrides=[f"train.epochs={epochs}", "train.device=cpu"])
    return folder / "model"


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    script("smart_home.py", folder)
    return trained(folder, 8)


@pytest.fixture(scope="module")
def flights(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("flights")
    script("flights.py", folder, "--rows", "300")
    return trained(folder, 10)


def test_timer_executes_or_rejects_commands(home) -> None:
    commands = "Set a timer for 17 minutes called tea.\nTurn the lamp on.\nGlorp the zibble frob.\n"
    set_, other, refused = script("examples/timer.py", home, stdin=commands).splitlines()
    assert set_ == "tea: rings in 17 minutes"
    assert other.startswith('not for me: {"intent": "switch"')
    assert refused.startswith("I do not understand 'Glorp the zibble frob.': the confidence, 0.")


def test_questions_become_queries(flights) -> None:
    asked = [
        "how many flights from boston to denver are there",
        "show me the cheapest flights to miami",
    ]
    text = script("examples/ask_table.py", flights, *asked)
    assert (
        "SELECT count(*) FROM flight WHERE origin = ? AND destination = ?  ['boston', 'denver']"
        in text
    )
    assert "WHERE destination = ? ORDER BY fare ASC LIMIT 1  ['miami']" in text


def test_queries_express_the_meaning() -> None:
    names = runpy.run_path(str(EXAMPLES / "ask_table.py"))
    query = names["query"]
    with closing(names["table"]()) as table:
        every = "( lambda $0 e ( flight $0 ) )"
        assert len(table.execute(*query(every)).fetchall()) == 3000
        early = "( lambda $0 e ( and ( flight $0 ) ( < ( departure_time $0 ) 630 : ti ) ) )"
        some = table.execute(*query(early)).fetchall()
        assert 0 < len(some) < 3000
        assert max(row[6] for row in some) < 630
        latest = "( argmax $0 ( and ( flight $0 ) ( from $0 boston : ci ) ) ( fare $0 ) )"
        [row] = table.execute(*query(latest)).fetchall()
        assert row[8] == max(
            r[8] for r in table.execute("SELECT * FROM flight WHERE origin = 'boston'")
        )
    with pytest.raises(names["CannotSayError"], match="stop"):
        query("( count $0 ( and ( flight $0 ) ( stop $0 boston : ci ) ) )")
    with pytest.raises(LogicError):
        query("( count")


def test_batch_writes_answers_and_rejections(home, tmp_path) -> None:
    (tmp_path / "in.txt").write_text("Call Ann.\n\nTurn the fan off.\n", encoding="utf-8")
    paths = [tmp_path / name for name in ("in.txt", "answers.jsonl", "refused.tsv")]
    assert script("examples/batch.py", home, *paths) == "2 answered, 1 refused\n"
    first, second = map(json.loads, paths[1].read_text(encoding="utf-8").splitlines())
    assert (first["line"], second["line"]) == (1, 3)
    assert json.loads(first["meaning"]) == {"intent": "call", "people": ["Ann"]}
    assert second["confidence"] > 0.5
    assert paths[2].read_text(encoding="utf-8") == "2\tempty line\t\n"
