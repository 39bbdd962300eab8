"""Settings: files round-trip, and unknown keys and invalid values are refused."""

import json
from pathlib import Path

import pytest

from amparser.api import PARSER
from amparser.baselines.settings import Seq2SeqSettings
from amparser.benchmarks.registry import BENCHMARKS
from amparser.errors import ConfigError
from amparser.learn.settings import (
    describe_settings,
    known_keys,
    section_from_dict,
    section_from_toml,
    to_dict,
    with_overrides,
)
from amparser.learn.system_registry import SYSTEMS
from amparser.learn.systems import possible_settings, system_name_of_settings
from amparser.presets.registry import PRESETS
from amparser.presets.settings import NodeSettings

TRAINING = Path(__file__).parents[2] / "training"
SETTINGS_FILES = sorted(TRAINING.rglob("*.toml"))


def toml(folder: Path, text: str) -> Path:
    path = folder / "some.toml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    return path


def test_dictionary_round_trips_through_json() -> None:
    config = with_overrides(NodeSettings(), ["train.learning_rate=0.25", "edge.loss=tree-crf"])
    assert section_from_dict(NodeSettings(), json.loads(json.dumps(to_dict(config)))) == config


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[encodr]\nlayers = 1", r"unknown setting 'encodr'; did you mean .*encoder\.layers"),
        ("[encoder]\nlayer = 1", r"unknown setting 'encoder\.layer'; did you mean encoder\.layers"),
        ("encoder = 1", "'encoder' is a section"),
        ("[encoder]\nlayers = 1.5", r"encoder\.layers = 1\.5: expected an integer"),
        ("[encoder]\nlayers = true", r"encoder\.layers = True: expected an integer"),
        ("[encoder]\nlayers = 0", r"encoder\.layers = 0: expected an integer, at least 1"),
        ("[encoder]\ndropout = 1", r"encoder\.dropout = 1: .* at least 0 and below 1"),
        ("[encoder]\ndropout = '0.1'", r"encoder\.dropout = '0\.1': expected a number"),
        ("[encoder]\ndropout = nan", r"encoder\.dropout = nan: expected"),
        ("[train]\nlearning_rate = inf", r"train\.learning_rate = inf: expected"),
        ("[edge]\ntype = 'additiv'", r"edge\.type = 'additiv': expected one of additive, biaffine"),
        ("[edge]\ntype = ['additive']", r"edge\.type = \['additive'\]: expected one of"),
        ("[edge\ntype = 1", "not TOML: .*line 1"),
        ("\ud800", "not UTF-8"),
    ],
)
def test_bad_file_is_named_with_its_key(tmp_path: Path, text: str, message: str) -> None:
    path = toml(tmp_path, text)
    with pytest.raises(ConfigError, match=message) as caught:
        section_from_toml(NodeSettings(), path)
    assert str(caught.value).startswith(f"{path}: ")
    with pytest.raises(ConfigError, match=r"none\.toml: cannot read the settings: No such file"):
        section_from_toml(NodeSettings(), tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("override", "value"),
    [
        ("train.epochs=2", 2),
        (" train.epochs = 2 ", 2),
        ("train.learning_rate=1e-3", 1e-3),
        ("train.learning_rate=1", 1.0),
        ("edge.type=biaffine", "biaffine"),
        ('edge.type="biaffine"', "biaffine"),
        ("decode.decoder=fixed-tree", "fixed-tree"),
        ("encoder.vectors=english names", "english names"),
    ],
)
def test_override_is_read_as_toml(override: str, value: object) -> None:
    section, name = override.split("=")[0].strip().split(".")
    assert getattr(getattr(with_overrides(NodeSettings(), [override]), section), name) == value


def test_last_override_wins() -> None:
    assert with_overrides(NodeSettings(), ["train.seed=2", "train.seed=3"]).train.seed == 3


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("train.epochs", "expected SECTION.KEY=VALUE"),
        ("train.epochs=", "'' is not one TOML value"),
        ("train.epochs=1\nseed=2", "is not one TOML value"),
        ("train=1", "'train' is a section"),
        ("epochz=1", r"unknown setting 'epochz'; did you mean train\.epochs"),
        ("train.epoch=1", r"unknown setting 'train\.epoch'; did you mean train\.epochs"),
        ("decode.decoder=beam", "expected one of astar-gap, astar, fixed-tree"),
        ("data.notation=amr", "expected one of cogs, varfree, .*, or empty"),
        ("train.epochs.more=1", r"train\.epochs = \{'more': 1\}: expected an integer"),
        ("train.device=gpu", "expected one of auto, cpu, cuda"),
    ],
)
def test_bad_override_is_named(override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        with_overrides(NodeSettings(), [override])
    assert str(caught.value).startswith(f"--set {override}: ")


def test_known_keys_are_dotted_and_complete() -> None:
    flat = [
        f"{name}.{key}" if isinstance(section, dict) else name
        for name, section in to_dict(NodeSettings()).items()
        for key in (section if isinstance(section, dict) else [""])
    ]
    assert list(known_keys(NodeSettings())) == flat


@pytest.mark.parametrize("path", SETTINGS_FILES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_preset_is_valid(path: Path) -> None:
    system = SYSTEMS[system_name_of_settings(path)]
    settings = next(iter(possible_settings(system, path).values()))
    known = getattr(system, "variants", {"": system}).values()
    assert type(settings) in {type(one.settings) for one in known}
    # Each file names the source of its figures.
    assert path.read_text(encoding="utf-8").startswith("# ")
    # The file in `training` itself is for the system that benchmarks share.
    known = BENCHMARKS[path.parent.name].systems[0] if path.parent != TRAINING else PARSER
    if system.name != known:
        assert system.name == path.stem.removesuffix("-small")
    if isinstance(settings, Seq2SeqSettings):
        system.build(settings.network, 700, 600)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", [*SYSTEMS, *PRESETS])
def test_every_setting_is_described(name: str) -> None:
    system = PRESETS[name] if name in PRESETS else SYSTEMS[name]
    rows = describe_settings(system.settings)
    assert [row.key for row in rows] == list(known_keys(system.settings))
    assert all(row.about and row.values and row.default for row in rows), rows
    [seed] = [row for row in rows if row.key == "train.seed"]
    assert seed == ("train.seed", "1", "an integer, at least 0", seed.about)
    assert seed.about == "seed of the initial weights, the order of the batches and dropout."


def test_a_key_of_one_section_needs_no_section() -> None:
    assert with_overrides(NodeSettings(), ["epochs=3"]).train.epochs == 3
    assert with_overrides(Seq2SeqSettings(), ["max_steps=3"]).train.max_steps == 3
    with pytest.raises(ConfigError, match=r"say which, train\.batch_size or decode\.batch_size"):
        with_overrides(Seq2SeqSettings(), ["batch_size=3"])
    with pytest.raises(ConfigError, match="unknown setting 'stepz'"):
        with_overrides(Seq2SeqSettings(), ["stepz=3"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system = 'rnn'", "system = 'rnn': expected one of amparser, transformer"),
        ("system = 3", "system = 3: expected one of"),
        ("system =", "not TOML"),
    ],
)
def test_unknown_systems_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        system_name_of_settings(toml(tmp_path, text))
    assert system_name_of_settings(toml(tmp_path, "[train]")) == "amparser"


@pytest.mark.parametrize(
    ("text", "overrides", "presets"),
    [
        ("", [], ["node", "tree", "graph"]),
        ("preset = 'auto'", [], ["node", "tree", "graph"]),
        ("preset = 'graph'", [], ["graph"]),
        ("preset = 'graph'", ["preset=tree"], ["tree"]),
        ("preset = 'graph'", ["preset=auto"], ["node", "tree", "graph"]),
        ("[sorts]\nmost = 4", [], ["tree"]),
        ("", ["heads.label_dropout=0.2"], ["graph"]),
        ("", ["decode.decoder=projective"], ["tree"]),
        ("[train]\nmembers = 2", [], ["node", "tree", "graph"]),
        ("[heads]\ndropout = 0.2", [], ["tree", "graph"]),
        ("[train]\nexchange = 0.5", ["epochs=3"], ["node"]),
    ],
)
def test_settings_determine_possible_presets(
    text: str, overrides: list[str], presets: list[str], tmp_path: Path
) -> None:
    found = possible_settings(SYSTEMS[PARSER], toml(tmp_path, text), overrides)
    assert list(found) == presets
    assert [settings.preset for settings in found.values()] == presets


@pytest.mark.parametrize(
    ("text", "overrides", "presets", "most", "epochs"),
    [
        ("", [], ["tree"], 3, 5),
        ("[train]\nepochs = 6", ["sorts.most=4"], ["tree"], 4, 6),
        ("preset = 'graph'", [], ["graph"], None, 24),
        ("", ["preset=auto"], ["node", "tree", "graph"], 3, None),
    ],
)
def test_a_file_overrides_the_settings_of_a_benchmark(
    text: str,
    overrides: list[str],
    presets: list[str],
    most: int | None,
    epochs: int | None,
    tmp_path: Path,
) -> None:
    usual = {"preset": "tree", "sorts": {"most": 3}, "train": {"epochs": 5}}
    found = possible_settings(SYSTEMS[PARSER], toml(tmp_path, text), overrides, usual)
    assert list(found) == presets
    if most is not None:
        assert found["tree"].sorts.most == most
    if epochs is not None:
        assert found[presets[0]].train.epochs == epochs


@pytest.mark.parametrize(
    ("text", "overrides", "message"),
    [
        ("preset = 'leaf'", [], r"toml: preset = 'leaf': expected one of auto, node, tree"),
        ("", ["preset=leaf"], "^--set preset = 'leaf': expected one of auto, node"),
        ("preset = 'tree'", ["heads.label_dropout=0.2"], r"unknown setting 'heads\.label_dropout'"),
        ("", ["sorts.most=0"], r"sorts\.most = 0: expected an integer, at least 1"),
        ("", ["heads.label_dropout=0.2", "sorts.most=3"], r"unknown setting 'heads'"),
    ],
)
def test_settings_of_no_preset_are_named(
    text: str, overrides: list[str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=message):
        possible_settings(SYSTEMS[PARSER], toml(tmp_path, text), overrides)
