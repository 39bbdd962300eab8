"""Lexicon: supertags, operations and lemmas of a model, learned from training trees.

Supertags and operations have indices: supertag 0 is the empty supertag of ignored tokens, operation
0 is IGNORE and 1 is ROOT. The *template* of a supertag makes its lexical label from a word:
`$LEMMA$`, `*$LEMMA$`, `"$FORM$"`, or a fixed label. A constant with two templates counts as two
supertags.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any

from amparser.algebra.derivation import Derivation
from amparser.algebra.fragment import Fragment, supertag_from_str, supertag_to_str
from amparser.algebra.tree import Entry, label_template
from amparser.algebra.type_table import TypeTable, type_table
from amparser.algebra.types import APP, IGNORE, MOD, ROOT, type_to_str
from amparser.conditions import AsText, Different, Matching, Sized
from amparser.errors import shown
from amparser.lexicon.dictionary import lemma_in
from amparser.lexicon.encoded import Targets
from amparser.lexicon.lemmas import LemmaTable
from amparser.lexicon.observed import Observed
from amparser.lexicon.supertags import compositions, generalise, part_indices, polymorphic_form
from amparser.remembered import Remembered

Supertag = Annotated[Fragment, AsText(supertag_to_str, supertag_from_str)]
_MOST_WORDS = 1 << 16
"""Maximum number of words whose lexical labels are cached."""

Operation = Annotated[
    str, Matching(rf"{IGNORE}|{ROOT}|({APP}|{MOD})\S+", "IGNORE, ROOT, APP_s or MOD_s")
]


def _label(form: str, fillers: Sequence[str]) -> tuple[str | None, str | None]:
    return label_template(form, fillers[0]) if fillers else (None, None)


def _ranked(
    seen: Counter[tuple[Fragment, str | None]], *, polymorphic: bool
) -> list[tuple[Fragment, str | None]]:
    if polymorphic:
        general = generalise(supertag for supertag, _ in seen)
        joined: Counter[tuple[Fragment, str | None]] = Counter()
        for (supertag, template), count in seen.items():
            joined[general[supertag], template] += count
        seen = joined
    return sorted(seen, key=lambda c: (-seen[c], c[0].penman, type_to_str(c[0].type), c[1] or ""))


@dataclass(frozen=True)
class Lexicon:
    """Supertags, operations and lemmas of a corpus.

    Attributes:
        supertags: K supertags; `supertags[0]` is None.
        templates: template of each supertag's lexical label, or None if it has no lexical label.
        operations: O operations, `("IGNORE", "ROOT", ...)`.
    """

    supertags: Annotated[tuple[Supertag | None, ...], Sized("supertag")]
    templates: Annotated[tuple[str | None, ...], Sized("supertag")]
    operations: Annotated[tuple[Operation, ...], Sized("operation"), Different()]
    lemmas: LemmaTable
    observed: Observed = field(default_factory=Observed)

    @classmethod
    def from_trees(cls, trees: Sequence[Derivation], **options: Any) -> Lexicon:
        """Return the lexicon of a corpus; `learned` describes the options."""
        return cls.learned(trees, **options)[0]

    @classmethod
    def learned(
        cls,
        trees: Sequence[Derivation],
        *,
        polymorphic: bool = False,
        composed: bool = False,
        dictionary: str = "",
    ) -> tuple[Lexicon, list[Targets]]:
        """Return a corpus's lexicon, most frequent supertags first, and its trees as `Targets`.

        Args:
            polymorphic: whether to merge supertags that differ only in the name of an open source
                in a request (see `amparser.lexicon.supertags`).
            composed: whether to add unseen supertags that consist of known parts (see
                `amparser.lexicon.supertags`).
            dictionary: name of the lemma dictionary; empty for none.
        """
        labels = [[*map(_label, tree.tokens, tree.lexical_labels)] for tree in trees]
        counts = Counter(operation for tree in trees for operation in tree.operations)
        seen = Counter(
            (supertag, template)
            for tree, own in zip(trees, labels, strict=True)
            for supertag, (_, template) in zip(tree.fragments, own, strict=True)
            if supertag is not None
        )
        ranked = _ranked(seen, polymorphic=polymorphic)
        if composed:
            ranked += compositions(ranked)
        templates = (None, *(template for _, template in ranked))
        rest = sorted(set(counts) - {IGNORE, ROOT}, key=lambda o: (-counts[o], o))
        known = cls(
            (None, *(supertag for supertag, _ in ranked)),
            templates,
            (IGNORE, ROOT, *rest),
            LemmaTable.from_observations((), dictionary),
        )
        rows = [row for tree in trees if (row := known.encode(tree)) is not None]
        lemmas = [[lemma for lemma, _ in own] for own in labels]
        words = (
            (form, k, lemma)
            for row, own in zip(rows, lemmas, strict=True)
            for form, k, lemma in zip(row.tokens, row.tags, own, strict=True)
            if lemma is not None
        )
        lexicon = replace(
            known,
            lemmas=LemmaTable.from_observations(words, dictionary),
            observed=Observed.from_trees(rows, lemmas, templates),
        )
        return lexicon, rows

    @cached_property
    def table(self) -> TypeTable:
        """The types of all supertags as tables for the decoders."""
        return type_table([None if s is None else s.type for s in self.supertags], self.operations)

    @cached_property
    def supertag_parts(self) -> list[list[int]]:
        """Indices (from 0) of the parts of each supertag; see `amparser.lexicon.supertags`."""
        return part_indices(self.supertags, self.templates)

    @cached_property
    def _index(self) -> dict[tuple[Fragment, str | None], int]:
        pairs = zip(self.supertags, self.templates, strict=True)
        return {(s, t): k for k, (s, t) in enumerate(pairs) if s is not None}

    @cached_property
    def _operation_index(self) -> dict[str, int]:
        return {operation: o for o, operation in enumerate(self.operations)}

    def encode(self, derivation: Derivation) -> Targets | None:
        """Return a derivation as indices; None if a supertag or operation is not in the lexicon."""
        supertags, operations = [], []
        rows = zip(
            derivation.tokens,
            derivation.fragments,
            derivation.lexical_labels,
            derivation.operations,
            strict=True,
        )
        for form, supertag, fillers, operation in rows:
            k = 0 if supertag is None else self._number(supertag, _label(form, fillers)[1])
            o = self._operation_index.get(operation, -1)
            if k < 0 or o < 0:
                return None
            supertags.append(k)
            operations.append(o)
        heads = tuple([head + 1 for head in derivation.heads])
        return Targets(derivation.tokens, tuple(supertags), heads, tuple(operations))

    def _number(self, supertag: Fragment, template: str | None) -> int:
        """Return the index of a supertag or of its polymorphic form; -1 if it is unknown."""
        found = self._index.get((polymorphic_form(supertag), template))
        return self._index.get((supertag, template), -1) if found is None else found

    def derivation(
        self,
        tokens: Sequence[str],
        supertags: Sequence[int],
        heads: Sequence[int],
        operations: Sequence[int],
    ) -> Derivation:
        """Return the derivation for one supertag, head and operation per token.

        Heads count from 1; 0 is the artificial root. The constants may be polymorphic.
        """
        return Derivation(
            tuple(tokens),
            tuple([self.supertags[k] for k in supertags]),
            tuple(map(self._filler, tokens, supertags)),
            tuple([head - 1 for head in heads]),
            tuple([self.operations[o] for o in operations]),
        )

    def fragment(self, supertag: int) -> Fragment | str:
        """Return the fragment of a supertag, or `IGNORE` for the empty supertag."""
        return self.supertags[supertag] or IGNORE

    @cached_property
    def _filler(self) -> Callable[[str, int], tuple[str, ...]]:
        return Remembered(self._fillers, _MOST_WORDS)

    def _fillers(self, form: str, supertag: int) -> tuple[str, ...]:
        constant, template = self.supertags[supertag], self.templates[supertag]
        if constant is None or not constant.slots or template is None:
            return ()
        lemma = self.lemmas.lemma(form, supertag) if "$LEMMA$" in template else None
        return (Entry(form, lexical_label=template, lemma=lemma).label or "",)

    def familiar(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Replace function words that training lacks by other forms of their lemma.

        For example, `is` is replaced by `was` if training has only `was`, and a trusted dictionary
        has the same lemma for both.
        """
        return tuple(map(self._familiar, tokens))

    @cached_property
    def _familiar(self) -> Callable[[str], str]:
        return Remembered(self._familiar_word, _MOST_WORDS)

    def _familiar_word(self, form: str) -> str:
        if form.lower() in self.observed.uses or self.lemmas.lemmas_of(form):
            return form
        lemmas = self.lemmas.likely_lemmas(form.lower())
        if not lemmas:  # Loading the dictionary takes time, so it is used only if needed.
            return form
        found = next((word for lemma, word in self._function_words if lemma in lemmas), form)
        return found[:1].upper() + found[1:] if form[:1].isupper() else found

    @cached_property
    def _function_words(self) -> list[tuple[str, str]]:
        """Pairs of lemma and function word in training, most frequent first.

        A function word has no supertag whose template contains `$`.
        """
        language = self.lemmas.dictionary
        counts = {
            word: sum(uses.values())
            for word, uses in self.observed.uses.items()
            if language and not any("$" in (self.templates[k] or "") for k in uses)
        }
        ranked = sorted(counts, key=lambda word: (-counts[word], word))
        return [(lemma, word) for word in ranked if (lemma := lemma_in(language, word)) is not None]

    def misfit(self) -> str | None:
        """Return the first inconsistency of a lexicon that was read from a file, or None."""
        if self.operations[:2] != (IGNORE, ROOT):
            first = f"expected {IGNORE}, {ROOT} and others"
            return f".operations = {shown(list(self.operations))}: {first}"
        empty = [k for k, supertag in enumerate(self.supertags) if supertag is None]
        if empty != [0] or self.templates[0] is not None:
            return ".supertags: expected only the first to be empty"
        return None
