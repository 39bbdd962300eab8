"""Templates of grammars: what they expand to, and where their errors are."""

from pathlib import Path

import pytest

from amparser.errors import GrammarError
from amparser.grammar.algebras import STRING
from amparser.grammar.reader import grammar_to_str, read_grammar

WORDS = "class\tform\tlemma\nnoun\tcats\tcat\nverb\tsees\tsee\nnoun\tdogs\t{dog}\n"
MAIN = f"""interpretation string: {STRING}
%set dog hound
%include parts
"""
PARTS = """%set dog wolf
%each place kind in Start noun Other verb
%words {kind} of words.tsv zipf 2 0.5
{place} -> {kind}_{lemma} [{zipf}]
  [string] {form}
%end
%end
S! -> s(Start, Other)
  [string] *(?1, ?2)
"""


def written(folder: Path, **files: str) -> Path:
    for name, text in {"main": MAIN, "parts": PARTS, "words.tsv": WORDS, **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "main"


def test_templates_expand_to_plain_rules(tmp_path: Path) -> None:
    grammar = read_grammar(written(tmp_path))
    assert [(r.parent, r.label, r.weight) for r in grammar.rules] == [
        ("Start", "noun_cat", 1.5),
        ("Start", "noun_hound", 0.75),
        ("Other", "verb_see", 1.5),
        ("S", "s", 1.0),
    ]
    assert "Start -> noun_hound [0.75]\n  [string] dogs\n" in grammar_to_str(grammar)


@pytest.mark.parametrize(
    ("file", "text", "place", "message"),
    [
        ("main", "%set a", "main:1", "expected '%set NAME VALUE'"),
        ("main", "\n%repeat", "main:2", "expected '%set NAME VALUE'"),
        ("main", "%include nothing", "main:1", "nothing: No such file"),
        ("main", "%include main", "main:1", "main includes itself"),
        ("main", "a {b}", "main:1", r"nothing is known as \{b\}"),
        ("main", "%each a b in x y z\n%end", "main:1", "expected words in groups of 2, found 3"),
        ("main", "%each a of b\n%end", "main:1", r"expected '%each NAME .. in WORD ..'"),
        ("main", "%words a b\n%end", "main:1", "expected '%words CLASS of FILE"),
        ("main", "%words noun of words.tsv zipf 1 x\n%end", "main:1", "expected an exponent"),
        ("main", "%words noun of words.tsv\n", "main:1", "no '%end' for this block"),
        ("main", "%words adverb of words.tsv\n%end", "main:1", "no word of class 'adverb'"),
        ("main", "%words noun of none.tsv\n%end", "main:1", "none.tsv: No such file"),
        ("words.tsv", WORDS + "noun\tbats", "words.tsv:5", "expected 3 tab-separated cells"),
        ("words.tsv", "form\tlemma", "words.tsv:1", "expected the names of the columns"),
        ("parts", PARTS.replace("s(Start", "s(Stop"), "parts:8", "no rule for the nonterminal"),
        ("parts", PARTS.replace("?2", "?3"), "parts:9", "the rule has 2 children"),
        ("words.tsv", WORDS.replace("sees", "sees ("), "parts:8", r"expected ',' or"),
    ],
)
def test_errors_name_the_line_of_the_template(
    tmp_path: Path, file: str, text: str, place: str, message: str
) -> None:
    path = written(tmp_path, **{file: text})
    with pytest.raises(GrammarError, match=message) as caught:
        read_grammar(path)
    where, _, caret = str(caught.value).partition("\n")
    assert f"{tmp_path}/{place}: " in where
    assert caret.endswith("^")


def test_a_missing_grammar_is_named(tmp_path: Path) -> None:
    with pytest.raises(GrammarError, match="nothing: No such file"):
        read_grammar(tmp_path / "nothing")
