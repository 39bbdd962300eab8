"""Determinism of weights and answers, as docs/robustness.md promises."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import torch
from command_line import python
from killed import content

from amparser.learn.systems import load

pytestmark = pytest.mark.slow
SYSTEMS = ("node", "tree", "graph", "gru")
HERE = Path(__file__).resolve().parent
SCRIPT = """
import json, sys
from pathlib import Path
from tiny_folders import KINDS
asked = {}
for kind in sys.argv[2:]:
    folder = Path(sys.argv[1]) / kind
    folder.mkdir()
    asked[kind] = KINDS[kind](folder)[1]
print(json.dumps(asked))
"""


def trained(folder: Path, hash_seed: str) -> dict[str, list[tuple[str, ...]]]:
    """Train each system in another process; return sentences of each system's language."""
    folder.mkdir()
    search = [HERE.parent, HERE, HERE / "fuzz", HERE / "oracles"]
    environment = {"PYTHONHASHSEED": hash_seed, "OMP_NUM_THREADS": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(map(str, search))
    printed = python("-c", SCRIPT, folder, *SYSTEMS, **environment)
    asked = json.loads(printed.splitlines()[-1])
    return {kind: [tuple(tokens) for tokens in rows] for kind, rows in asked.items()}


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> tuple[Path, Any]:
    folder = tmp_path_factory.mktemp("determinism")
    asked = trained(folder / "one", "1")
    assert trained(folder / "other", "4711") == asked
    return folder, asked


@pytest.mark.parametrize("system", SYSTEMS)
def test_equal_seeds_give_equal_bytes_for_any_hash_seed(system, folders) -> None:
    one, other = (content(folders[0] / part / system / "model") for part in ("one", "other"))
    assert {"model.json", "model.safetensors"} <= one.keys()
    assert one == other


@pytest.mark.parametrize("system", SYSTEMS)
def test_answers_depend_on_the_sentence_alone(system, folders) -> None:
    """They depend neither on batch and order nor on the number of threads."""
    folder, asked = folders
    model = load(folder / "one" / system / "model", "cpu")
    sentences = [*dict.fromkeys([*asked[system], *(one[::-1] for one in asked[system]), ("wug",)])]
    expected = {name: found[::-1] for name, found in model.answers(sentences).items()}
    threads = torch.get_num_threads()
    torch.set_num_threads(2 if threads == 1 else 1)
    try:
        for name, found in model.answers(sentences[::-1]).items():
            for one, other in zip(found, expected[name], strict=True):
                [alone] = model.answers([one.tokens], [name])[name]
                kept = [(r.meaning, r.failure, repr(r.tree), repr(r.graph)) for r in (one, other)]
                assert kept[0] == kept[1] == (alone.meaning, alone.failure, *kept[0][2:])
                assert (one.logp or 0.0) == pytest.approx(other.logp or 0.0, abs=1e-3)
    finally:
        torch.set_num_threads(threads)
