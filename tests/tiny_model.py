"""A corpus of a few dozen sentences, and a model trained on it in a few seconds."""

from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

from amparser.corpora.corpus import Corpus
from amparser.learn.corpus_reading import read_corpus
from amparser.learn.systems import possible_settings
from amparser.parser_system import AMPARSER

NOUNS = ("cat", "dog", "cake", "rose")
NAMES = ("Emma", "Liam", "Ava")

SETTINGS = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")


def rows() -> list[tuple[str, str, str]]:
    """Return sentence, logical form and type; every type has every noun and name."""
    found = []
    for noun, other in permutations(NOUNS, 2):
        found.append(
            (
                f"The {noun} saw a {other} .",
                f"* {noun} ( x _ 1 ) ; see . agent ( x _ 2 , x _ 1 ) AND "
                f"see . theme ( x _ 2 , x _ 4 ) AND {other} ( x _ 4 )",
                "transitive",
            )
        )
    for noun in NOUNS:
        for name in NAMES:
            found.append(
                (
                    f"{name} gave a {noun} to the dog .".replace("a dog", "a cat"),
                    f"* dog ( x _ 6 ) ; give . agent ( x _ 1 , {name} ) AND "
                    f"give . theme ( x _ 1 , x _ 3 ) AND give . recipient ( x _ 1 , x _ 6 ) "
                    f"AND {noun.replace('dog', 'cat')} ( x _ 3 )",
                    "ditransitive",
                )
            )
            found.append(
                (
                    f"Who did {name} give a {noun} to ?",
                    f"give . agent ( x _ 3 , {name} ) AND give . theme ( x _ 3 , x _ 5 ) AND "
                    f"give . recipient ( x _ 3 , ? ) AND {noun} ( x _ 5 )",
                    "question",
                )
            )
    return found


def write_corpus(folder: Path) -> Path:
    """Write the rows as `train.tsv`, and every fourth one as `dev.tsv`."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["\t".join(row) + "\n" for row in rows()]
    (folder / "train.tsv").write_text("".join(lines), encoding="utf-8")
    (folder / "dev.tsv").write_text("".join(lines[::4]), encoding="utf-8")
    return folder


def corpus(folder: Path) -> Corpus:
    return read_corpus(write_corpus(folder), AMPARSER.settings.data, seed=1, notation="cogs")


def train_model(folder: Path, overrides: Sequence[str] = ()) -> Path:
    """Train on the rows; the model folder is `folder/model`, the data `folder/data`."""
    path = folder / "settings.toml"
    path.write_text(SETTINGS, encoding="utf-8")
    chosen = ["preset=node", "train.device=cpu", *overrides]
    settings = possible_settings(AMPARSER, path, chosen)["node"]
    data = write_corpus(folder / "data")
    read = read_corpus(data, settings.data, seed=settings.train.seed, notation="cogs")
    AMPARSER.train(read, settings, folder / "model")
    return folder / "model"
