"""Records: writing, reading and figures."""

import json

import pytest

from amparser.errors import InputError
from amparser.experiments.record import FORMAT, Interval, Record, Row, read_record

COMMIT = "0123456789abcdef0123456789abcdef01234567"
RECORD = Record(
    "toy-a-depth-2",
    "About it: “a”.",
    "toy",
    system="by-heart",
    evaluation_commit=COMMIT,
    settings={"train": {"seed": 1}},
    runs=[{"seed": seed, "fraction": 1.0, "training_commit": COMMIT} for seed in (1, 2)],
    rows=[
        Row(1, 1.0, "gen", "", "greedy", "counter_f", 3.5, 8),
        Row(2, 1.0, "gen", "", "greedy", "counter_f", 4, 8),
        Row(1, 1.0, "test", "", "greedy", "counter_f", 2, 2),
        Row(1, 0.1, "gen", "", "greedy", "counter_f", 0, 8),
    ],
    intervals=[Interval(1.0, "gen", "", "greedy", "counter_f", 46.88, 4.42, 40.0, 50.0)],
)


def test_written_record_reads_back_equal(tmp_path) -> None:
    path = RECORD.write(tmp_path)
    assert path.name == "toy-a-depth-2.json"
    assert read_record("toy-a-depth-2", tmp_path) == RECORD
    text = path.read_text(encoding="utf-8")
    assert '  [1, 1.0, "gen", "", "greedy", "counter_f", 3.5, 8],\n' in text
    assert "“a”" in text


def test_figures_are_computed_from_the_rows() -> None:
    assert RECORD.short_name == "a-depth-2"
    assert RECORD.splits() == ["gen", "test"]
    assert RECORD.fractions == [1.0, 0.1]
    figure = RECORD.overall("gen", "greedy", "counter_f")
    assert figure == (pytest.approx(100 * 7.5 / 16), pytest.approx(100 * 0.5 / 8 / 2**0.5))
    assert RECORD.by_tag("gen", "greedy", "counter_f", 0.1) == {"": (0, 0)}
    assert RECORD.overall("gen", "greedy", "exact") is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"benchmark": "/tmp/x"}, "benchmark = '/tmp/x': expected a name of letters"),
        ({"format": "amparser-record-0"}, f"not a record, expected the format '{FORMAT}'"),
        (
            {"rows": [[1, 1.0, "gen", "", "greedy", "exact", "x", 1]]},
            "rows[0].numerator = 'x': expected a number",
        ),
    ],
)
def test_malformed_record_is_an_error(tmp_path, change, message) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps({**RECORD.to_json(), **change}))
    with pytest.raises(InputError) as caught:
        read_record("bad", tmp_path)
    assert str(caught.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize("text", ["", "[]", "{}"])
def test_other_file_is_an_error(tmp_path, text) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(InputError, match=r"bad\.json: (truncated or )?not (JSON|a record)"):
        read_record("bad", tmp_path)
    with pytest.raises(InputError, match=r"none\.json: cannot be read"):
        read_record("none", tmp_path)
