"""SyGNS (Yanaka et al. 2021): systematicity and productivity with quantifiers and negation.

Each variant of the corpus has a file per split and notation: `train.fol.tsv`, `train.vf.tsv`,
`train.clf.tsv`. The third column of a row is `sbj_quant:yes;obj_quant:no;...` (section 3.4).
Figures are grouped by class of quantifiers, by modifier, and by depth (section 4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amparser.benchmarks.generate import GrammarCorpus
from amparser.evaluation.benchmark import Benchmark
from amparser.grammar.generation import Row
from amparser.grammar.irtg import Derivation

if TYPE_CHECKING:
    from amparser.corpora.example import Example

_PHENOMENA: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("sbj_quant", ("quantified",)),
    ("obj_quant", ("named_object",)),
    ("negation", ("negated", "not_object", "named_slip", "relative_not", "center_not")),
    ("adjective", ("np_adjective",)),
    ("peripheral", ("peripheral",)),
    ("center", ("center",)),
    ("adverb", ("adverb", "relative_adverb", "relative_not_adverb")),
    ("conjunction", ("and_", "relative_and", "relative_not_and")),
    ("disjunction", ("or_", "relative_or", "relative_not_or")),
)
_RELATIVE = "np_relative"
CLASSES = {"a": "Exi", "one": "Exi", "two": "Num", "three": "Num", "every": "Uni", "all": "Uni"}
"""Class of each quantifier."""
_NO_QUANTIFIER, _NO_MODIFIER = "Name", "plain"
_MODIFIERS = (
    ("Adj", ("adjective",)),
    ("Adv", ("adverb",)),
    ("Con", ("conjunction", "disjunction")),
    ("Rel", ("peripheral", "center")),
    ("Neg", ("negation",)),
)


def phenomena(derivation: Derivation, *, depth: bool = False) -> str:
    """Return the third column of a row: the phenomena of its sentence, `sbj_quant:yes;...`."""
    labels = [node.rule.label for node in derivation.nodes()]
    tags = [f"depth:{_depth(derivation)}", f"embed:{_depth(derivation)}"] if depth else []
    for name, prefixes in _PHENOMENA:
        occurs = any(label.startswith(prefixes) for label in labels)
        tags.append(f"{name}:{'yes' if occurs else 'no'}")
    return ";".join(tags)


def tags_of(example: Example) -> tuple[str, ...]:
    """Return the classes of a row: its quantifiers and modifiers, or its depth.

    A third column without `key:value`, such as `PP_3`, is the only tag.

    >>> from amparser.corpora.example import Example
    >>> tags_of(Example(("two", "old", "cats", "ran"), tags=("adjective:yes;negation:yes",)))
    ('Num', 'Adj', 'Neg')
    >>> [tags_of(Example(("ann",), tags=(tag,))) for tag in ("adjective:no", "embed:2", "PP_3")]
    [('Name', 'plain'), ('depth 2',), ('PP_3',)]
    """
    if len(example.tags) != 1:
        return example.tags
    pairs = [part.partition(":") for part in example.tags[0].split(";") if part]
    if not pairs or not all(colon for _, colon, _ in pairs):
        return example.tags
    values = {name: value for name, _, value in pairs}
    if "embed" in values:
        return (f"depth {values['embed']}",)
    classes = dict.fromkeys(CLASSES[token] for token in example.tokens if token in CLASSES)
    modifiers = [name for name, keys in _MODIFIERS if any(values.get(key) == "yes" for key in keys)]
    return ("/".join(classes) or _NO_QUANTIFIER, *(modifiers or (_NO_MODIFIER,)))


def _depth(derivation: Derivation) -> int:
    below = max(map(_depth, derivation.children), default=0)
    return below + derivation.rule.label.startswith(_RELATIVE)


def _tag(row: Row) -> str:
    return phenomena(row.derivation, depth="depth" in row.kind)


CORPUS = GrammarCorpus(
    "sygns", {notation: f"{{split}}.{notation}.tsv" for notation in ("fol", "vf", "clf")}, _tag
)

SYGNS = Benchmark(
    name="sygns",
    about="quantifiers, modifiers, negation and their nesting (Yanaka et al. 2021)",
    notations=("fol", "vf", "clf"),
    systems=("amparser", "transformer", "gru"),
    tags=tags_of,
    generate=CORPUS.generate,
    generated=CORPUS.generated,
    variants=(
        "comp_all",
        "comp_every",
        "comp_one",
        "comp_two",
        "compneg_every",
        "compneg_one",
        "compneg_two",
        "depth",
        "embed",
    ),
)
