"""What docs/robustness.md promises of weights and of answers."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
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
    """Train each system in another process; returns sentences of each system's language."""
    folder.mkdir()
    search = [HERE.parent, HERE, HERE / "fuzz", HERE / "oracles"]
    environment = {
        **os.environ,
        "PYTHONHASHSEED": hash_seed,
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join(map(str, search)),
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, folder, *SYSTEMS],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    asked = json.loads(done.stdout.splitlines()[-1])
    return {kind: [tuple(tokens) for tokens in rows] for kind, rows in asked.items()}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    folder = tmp_path_factory.mktemp("determinism")
    asked = trained(folder / "one", "1")
    assert trained(folder / "other", "4711") == asked
    return folder, asked


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_same_seed_gives_the_same_bytes_whatever_the_hash_seed(
    system: str, folders: tuple[Path, Any]
) -> None:
    one, other = (content(folders[0] / part / system / "model") for part in ("one", "other"))
    assert {"model.json", "model.safetensors"} <= one.keys()
    assert one == other


def salad(rows: Sequence[tuple[str, ...]], count: int) -> list[tuple[str, ...]]:
    """The rows, and sentences over their words and one that nobody knows, of many lengths."""
    dice = random.Random(7)
    words = [*sorted({word for row in rows for word in row}), "wug"]
    drawn = [tuple(dice.choices(words, k=dice.randint(1, 11))) for _ in range(count)]
    return [*rows, *drawn]


def shown(result: Any) -> tuple[Any, ...]:
    """All of a result that is exact."""
    return (result.tokens, result.meaning, result.failure, repr(result.tree), repr(result.graph))


def answered(model: Any, batches: Sequence[Sequence[tuple[str, ...]]]) -> dict[Any, Any]:
    """The results of all decoders by name and sentence."""
    found = {}
    for batch in batches:
        for name, results in model.answers(batch, model.decoders).items():
            for result in results:
                found[name, result.tokens] = result
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_answers_depend_on_the_sentence_alone(system: str, folders: tuple[Path, Any]) -> None:
    """Neither on the batch, nor on its order, nor on the number of threads."""
    folder, asked = folders
    model = load(folder / "one" / system / "model", "cpu")
    sentences = list(dict.fromkeys(salad(asked[system], 15)))
    shuffled = random.Random(3).sample(sentences, len(sentences))
    whole = answered(model, [sentences])
    threads = torch.get_num_threads()
    others = {
        "alone": [[sentence] for sentence in sentences],
        "another order": [shuffled],
        "small batches": [shuffled[i : i + 7] for i in range(0, len(shuffled), 7)],
        "another number of threads": [sentences],
    }
    for how, batches in others.items():
        torch.set_num_threads((2 if threads == 1 else 1) if "threads" in how else threads)
        try:
            found = answered(model, batches)
        finally:
            torch.set_num_threads(threads)
        assert found.keys() == whole.keys()
        for key, result in whole.items():
            assert shown(found[key]) == shown(result), how
            assert found[key].logp == (
                None if result.logp is None else pytest.approx(result.logp, abs=1e-3)
            ), how
