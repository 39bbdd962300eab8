"""Grammar templates: expansion and errors."""

from pathlib import Path

import pytest
from toml_tables import tables

from amparser.errors import GrammarError
from amparser.grammar.algebras import STRING
from amparser.grammar.reader import grammar_to_str, read_grammar

TABLES = tables(__file__)

WORDS = "class\tform\tlemma\nnoun\tcats\tcat\nverb\tsees\tsee\nnoun\tdogs\t{dog}\n"
MAIN = f"""interpretation string: {STRING}
%set dog = "hound"
%include "parts"
"""
PARTS = """
%for place, kind in groups(2, "Start noun Other verb")
%for row in words("words.tsv", kind, 2, 0.5)
{place} -> {kind}_{row.lemma} [{row.zipf}]
  [string] {row.form}
%endfor
%endfor
S! -> s(Start, Other)
  [string] *(?1, ?2)
"""


def written(folder: Path, **files: str) -> Path:
    for name, text in {"main": MAIN, "parts": PARTS, "words.tsv": WORDS, **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "main"


def test_templates_expand_to_plain_rules(tmp_path) -> None:
    grammar = read_grammar(written(tmp_path))
    assert [(r.parent, r.label, r.weight) for r in grammar.rules] == [
        ("Start", "noun_cat", 1.5),
        ("Start", "noun_hound", 0.75),
        ("Other", "verb_see", 1.5),
        ("S", "s", 1.0),
    ]
    assert "Start -> noun_hound [0.75]\n  [string] dogs\n" in grammar_to_str(grammar)


@pytest.mark.parametrize(("file", "text", "message"), TABLES["errors"])
def test_errors_are_named(tmp_path, file, text, message) -> None:
    with pytest.raises(GrammarError, match=message):
        read_grammar(written(tmp_path, **{file: text}))


def test_a_missing_grammar_is_named(tmp_path) -> None:
    with pytest.raises(GrammarError, match="nothing"):
        read_grammar(tmp_path / "nothing")
