"""Lexical labels of words whose lemma does not occur in training.

A label such as `fry.v.02` consists of a text and a sense. A lemma dictionary or an edit script
makes the text from the word's form. The sense is predicted from the encoder's state of the word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log
from typing import Any

from numpy.typing import NDArray

from amparser.decode.scores import FloatArray
from amparser.lexicon.dictionary import lemma_in
from amparser.lexicon.graph_inventory import Slot
from amparser.lexicon.senses import packaged_senses, part_of
from amparser.lexicon.spelling import Script, scripted

States = Callable[[Sequence[str]], NDArray[Any]]
"""Function from the words of a sentence to their states `[n, H]`."""


class UnseenWords:
    """Prediction of lexical labels for unseen words.

    Args:
        edit_scripts: edit scripts that make texts of labels from forms.
        dictionary: name of the lemma dictionary; empty for none.
        states: function that returns states of the encoder for which senses were learned; None if
            the model has another encoder.
    """

    def __init__(
        self, edit_scripts: Sequence[Script], dictionary: str, states: States | None
    ) -> None:
        self._edit_scripts, self._dictionary, self._states = edit_scripts, dictionary, states

    def labels(
        self, slot: Slot, form: str, script_logp: FloatArray, words: Sequence[str], place: slice
    ) -> list[str]:
        """Return all training labels that have the word's text, or else one new label.

        Args:
            slot: the slot of the label.
            form: the word in the slot's spelling, such as lower case.
            script_logp: log-probabilities (natural log) of edit scripts.
            words: words of the sentence.
            place: position of the word.
        """
        text = self._text(form, script_logp, slot)
        return slot.of_text(text) or [slot.guess(text, self._sense(slot, text, words, place))]

    def _sense(self, slot: Slot, text: str, words: Sequence[str], place: slice) -> str:
        part = part_of(slot.kind, slot.number)
        if part is None or self._states is None:
            return ""
        senses = packaged_senses()
        if (part, text) not in senses.first:
            return ""
        scores = senses.scores(part, text, self._states(words)[place].mean(axis=0))
        return f"{scores.argmax() + 1:02}"

    def _text(self, form: str, script_logp: FloatArray, slot: Slot) -> str:
        """Return the lemma in the dictionary, or else the result of the best edit script.

        The dictionary is used only if it is reliable for the slot. Edit scripts that give a text
        known from training are preferred.
        """
        dictionary = self._dictionary
        if dictionary and slot.spelling.lower and slot.trusts(dictionary):
            lemma = lemma_in(dictionary, form.lower())
            if lemma is not None:
                return lemma.lower()
        score_of: dict[str, float] = {}
        # Only the 16 most probable scripts are tried.
        for number in script_logp.argsort()[::-1][:16]:
            script = self._edit_scripts[number]
            if text := scripted(form, script):
                score = float(script_logp[number]) + log(slot.chance(form, script))
                if text in slot.senses:
                    # The bonus for a known text is in nats.
                    score += 2.0
                score_of[text] = max(score_of.get(text, score), score)
        return max(score_of, key=score_of.__getitem__) if score_of else form
