"""Settings: files round-trip, and unknown keys and invalid values are refused."""

import json
from pathlib import Path

import pytest
from toml_tables import tables

from amparser.api import PARSER
from amparser.baselines.settings import Seq2SeqSettings
from amparser.benchmarks.registry import BENCHMARKS
from amparser.errors import ConfigError
from amparser.learn.settings import (
    describe_settings,
    known_keys,
    read_toml,
    section_from_dict,
    to_dict,
    with_overrides,
)
from amparser.learn.system_registry import SYSTEMS
from amparser.learn.systems import possible_settings, system_name_of_settings
from amparser.presets.registry import PRESETS
from amparser.presets.settings import NodeSettings

TABLES = tables(__file__)

TRAINING = Path(__file__).parents[2] / "training"
SETTINGS_FILES = sorted(TRAINING.rglob("*.toml"))


def toml(folder: Path, text: str) -> Path:
    path = folder / "some.toml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    return path


def test_dictionary_round_trips_through_json() -> None:
    config = with_overrides(NodeSettings(), ["train.learning_rate=0.25", "edge.loss=tree-crf"])
    assert section_from_dict(NodeSettings(), json.loads(json.dumps(to_dict(config)))) == config


@pytest.mark.parametrize(("override", "value"), TABLES["overrides"])
def test_override_is_read_as_toml(override, value) -> None:
    section, name = override.split("=")[0].strip().split(".")
    assert getattr(getattr(with_overrides(NodeSettings(), [override]), section), name) == value


def test_last_override_wins() -> None:
    assert with_overrides(NodeSettings(), ["train.seed=2", "train.seed=3"]).train.seed == 3


def test_unreadable_files_are_named(tmp_path) -> None:
    assert system_name_of_settings(toml(tmp_path, "[train]")) == "amparser"
    with pytest.raises(ConfigError, match=r"some\.toml: not UTF-8"):
        read_toml(toml(tmp_path, "\ud800"))
    with pytest.raises(ConfigError, match=r"none\.toml: cannot read the settings: No such file"):
        read_toml(tmp_path / "none.toml")


def test_known_keys_are_dotted_and_complete() -> None:
    flat = [
        f"{name}.{key}" if isinstance(section, dict) else name
        for name, section in to_dict(NodeSettings()).items()
        for key in (section if isinstance(section, dict) else [""])
    ]
    assert list(known_keys(NodeSettings())) == flat


@pytest.mark.parametrize("path", SETTINGS_FILES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_preset_is_valid(path) -> None:
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
def test_every_setting_is_described(name) -> None:
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


def test_removed_settings_are_ignored_if_nothing_changes() -> None:
    given = NodeSettings()
    assert section_from_dict(given, {"encoder": {"vector_names": False}}) == given
    with pytest.raises(ConfigError, match=r"unknown setting 'encoder\.vector_names'"):
        section_from_dict(given, {"encoder": {"vector_names": True}})


@pytest.mark.parametrize(("text", "overrides", "presets"), TABLES["presets"])
def test_settings_determine_possible_presets(text, overrides, presets, tmp_path) -> None:
    found = possible_settings(SYSTEMS[PARSER], toml(tmp_path, text), overrides)
    assert list(found) == presets
    assert [settings.preset for settings in found.values()] == presets


@pytest.mark.parametrize(
    ("text", "overrides", "presets", "limit", "epochs"),
    [
        ("", [], ["tree"], 3, 5),
        ("[train]\nepochs = 6", ["decode.wrap_limit=4"], ["tree"], 4, 6),
        ("preset = 'graph'", [], ["graph"], None, 24),
        ("", ["preset=auto"], ["node", "tree", "graph"], 3, None),
    ],
)
def test_a_file_overrides_the_settings_of_a_benchmark(
    text, overrides, presets, limit, epochs, tmp_path
) -> None:
    usual = {"preset": "tree", "decode": {"wrap_limit": 3}, "train": {"epochs": 5}}
    found = possible_settings(SYSTEMS[PARSER], toml(tmp_path, text), overrides, usual)
    assert list(found) == presets
    if limit is not None:
        assert found["tree"].decode.wrap_limit == limit
    if epochs is not None:
        assert found[presets[0]].train.epochs == epochs


@pytest.mark.parametrize(("text", "overrides", "message"), TABLES["no_preset"])
def test_settings_of_no_preset_are_named(text, overrides, message, tmp_path) -> None:
    with pytest.raises(ConfigError, match=message):
        possible_settings(SYSTEMS[PARSER], toml(tmp_path, text), overrides)
