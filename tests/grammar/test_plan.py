"""Plans of corpora: settings of types, and their errors."""

import random
from collections import Counter
from pathlib import Path

import pytest
from toml_tables import tables

from amparser.errors import GrammarError
from amparser.grammar.algebras import STRING
from amparser.grammar.irtg import Derivation
from amparser.grammar.plan import Plan
from amparser.grammar.reader import grammar_from_str

TABLES = tables(__file__)

GRAMMAR = grammar_from_str(
    f"""
interpretation string: {STRING}
S! -> clause(NP, VP)      [string] *(?1, ?2)
VP -> says(S)             [string] *(says, ?1)
VP -> sees(NP)            [string] *(sees, ?1)
VP -> sleeps              [string] sleeps
NP -> plain(N)            [string] ?1
NP -> placed(N, NP)       [string] *(?1, in, ?2)
N -> cat                  [string] cat
N -> dog                  [string] dog
N -> cow                  [string] cow
"""
)
SHARED = """
distinct = ["N"]
[limits]
pp = { rules = ["placed"] , nested = true }
cp = { rules = ["says"] }
[defaults]
start = "S"
pp = 0
cp = [0, 1]
without = ["cow"]
"""


def plan(folder: Path, types: str, shared: str = SHARED) -> Plan:
    (folder / "shared.toml").write_text(shared, encoding="utf-8")
    path = folder / "plan.toml"
    path.write_text(f'include = "shared.toml"\n{types}', encoding="utf-8")
    return Plan(path, GRAMMAR)


def labels(derivation: Derivation) -> Counter[str]:
    return Counter(node.rule.label for node in derivation.nodes())


def drawn(folder: Path, types: str, count: int = 200) -> list[Counter[str]]:
    found = plan(folder, types).type_of("t")
    chance = random.Random(1)
    return [labels(found.sample(chance)) for _ in range(count)]


def test_types_override_defaults(tmp_path) -> None:
    for found in drawn(tmp_path, "[types.t]\ntrain = 3\n"):
        assert not found["placed"]
        assert not found["cow"]
        assert found["says"] <= 1 >= found["cat"]
    numbers = drawn(tmp_path, '[types.t]\nwith = ["cow"]\npp = 1\nonly = ["sleeps"]\ncp = 0\n')
    assert {found["placed"] for found in numbers} == {1}
    assert sum(found["cow"] for found in numbers)
    assert not any(found["sees"] or found["says"] for found in numbers)


def test_even_limits_and_alternatives_are_sampled_equally_often(tmp_path) -> None:
    even = "[types.t]\ncp = { least = 1, most = 2, even = true }\nonly = ['says', 'sleeps']\n"
    text = even + "with = ['cow']\n"
    found = Counter(n["says"] for n in drawn(tmp_path, text, 2000))
    assert found.keys() == {1, 2}
    assert abs(found[1] - 1000) < 150
    text = "[types.t]\nonly = ['sleeps']\neither = [{ with = ['cow'] }, { pp = 1 }, { pp = 1 }]\n"
    found = Counter(n["placed"] for n in drawn(tmp_path, text, 2000))
    assert abs(found[1] - 1333) < 150


def test_weights_and_pairs_restrict_derivations(tmp_path) -> None:
    text = '[types.t]\ncp = 0\nweights = { "sees" = 9, "d*" = 0 }\n'
    assert all(not n["dog"] and n["cat"] for n in drawn(tmp_path, text))
    text = '[types.t]\ncp = 1\napart = [["says", "sees"]]\n'
    assert all(n["sleeps"] for n in drawn(tmp_path, text))
    text = '[types.t]\ncp = [0, 1]\nbeside = [["plain", "sleeps says"]]\n'
    assert not any(n["sees"] for n in drawn(tmp_path, text))
    text = '[types.t]\ncp = [0, 1]\napart_directly = [["clause", "sees"]]\n'
    assert not any(n["sees"] for n in drawn(tmp_path, text))


def test_like_inherits_settings_but_not_counts(tmp_path) -> None:
    text = "[types.a]\ntrain = 7\ncp = 1\n[types.t]\nlike = 'a'\ngen = 2\npp = 1\nwith=['cow']\n"
    found = plan(tmp_path, text)
    assert found.splits_of("a") == {"train": 7}
    assert found.splits_of("t") == {"gen": 2}
    assert {(n["says"], n["placed"]) for n in drawn(tmp_path, text)} == {(1, 1)}


def test_all_enumerates_the_derivations_of_a_type(tmp_path) -> None:
    found = plan(tmp_path, "[types.t]\nstart = 'N'\nall = true\ntrain = 'all'\n").type_of("t")
    assert [str(d) for d in found.enumerated] == ["cat", "dog"]


@pytest.mark.parametrize(("types", "message"), TABLES["errors"])
def test_errors_name_file_and_key(tmp_path, types, message) -> None:
    with pytest.raises(GrammarError, match=message) as caught:
        plan(tmp_path, types).type_of("t")
    assert str(caught.value).startswith(f"{tmp_path}/plan.toml: ")


def test_errors_name_missing_files_and_unknown_keys(tmp_path) -> None:
    with pytest.raises(GrammarError, match=r"none\.toml: No such file"):
        Plan(tmp_path / "none.toml", GRAMMAR)
    with pytest.raises(GrammarError, match="unknown key 'kinds', expected one of capitalised"):
        plan(tmp_path, "[kinds.t]\n")
