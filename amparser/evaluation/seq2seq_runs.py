"""Runs of the baselines in an experiment: what they write instead of trees.

Their decoders are `greedy`, and `beam-N` for N outputs side by side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from amparser.baselines.notation import notation_of
from amparser.corpora.examples import checksum
from amparser.errors import InputError
from amparser.evaluation.predictions import predictions_of
from amparser.evaluation.runs import Digits, Run, digits, read_json, write_json
from amparser.learn.checkpoint import MODEL, write_atomically
from amparser.learn.config import to_dict
from amparser.learn.pairs import pair_files, read_targets
from amparser.learn.resume import checksum_of_json
from amparser.learn.systems import load_seq2seq
from amparser.learn.train_seq2seq import seq2seq_from_dict

GREEDY = "greedy"
_BEAM = re.compile(r"beam-([1-9][0-9]*)")


@dataclass(frozen=True)
class Seq2SeqRun(Run):
    """A sequence-to-sequence model that is trained and asked."""

    @cached_property
    def files(self) -> dict[str, Path]:
        """The data files of its target, by name."""
        return pair_files(self.data, self.config.data.target)

    def of_training(self, config: Any) -> dict[str, Any]:
        """The settings that training depends on."""
        found = to_dict(config)
        del found["decode"], found["train"]["device"]
        return found

    def kept_config(self) -> Any:
        """The settings of the model in the folder."""
        path = self.folder / f"{MODEL}.json"
        return seq2seq_from_dict(read_json(path).get("config", {}), where=str(path))

    def answers(self, split: str, decoders: Sequence[str], *, fresh: bool = False) -> list[Digits]:
        """How right the answers of each decoder to a split are; kept in the folder."""
        found = self._kept(split, fresh=fresh)
        missing = [decoder for decoder in decoders if decoder not in found]
        if missing:
            path = self.files[split]
            examples = read_targets(path, notation_of(self.config.data.target))
            for decoder in missing:
                search = replace(self.config.decode, beam_size=beam_of(decoder))
                seq2seq = load_seq2seq(self.folder, self.config.train.device).with_search(search)
                answers = predictions_of(seq2seq, examples)
                found[decoder] = {
                    "digits": digits(examples, answers.counts),
                    "malformed": answers.malformed(),
                    "sentences_per_second": round(answers.sentences_per_second, 2),
                }
                wrong = [
                    "\t".join((example.kind, example.sentence, kind or "", output.text))
                    for example, counts, kind, output in zip(
                        examples, answers.counts, answers.kinds, answers.outputs, strict=True
                    )
                    if not counts.graph
                ]
                readings = self.folder / f"wrong-{split}-{decoder}-{self._digest(split)}.tsv"
                write_atomically(readings, "".join(f"{line}\n" for line in wrong).encode())
                write_json(self._path(split), found)
        return [found[decoder]["digits"] for decoder in decoders]

    def malformed(self, split: str, decoders: Sequence[str]) -> dict[str, dict[str, int]]:
        """How many of these answers are malformed, by decoder and kind."""
        found = self._kept(split)
        return {decoder: found[decoder]["malformed"] for decoder in decoders}

    def _kept(self, split: str, *, fresh: bool = False) -> dict[str, Any]:
        path = self._path(split)
        return read_json(path) if path.exists() and not fresh else {}

    def _path(self, split: str) -> Path:
        return self.folder / f"answers-{split}-{self._digest(split)}.json"

    def _digest(self, split: str) -> str:
        search = to_dict(self.config.decode)
        del search["beam_size"], search["batch_size"]
        weights = read_json(self.folder / f"{MODEL}.json")["weights_sha256"]
        return checksum_of_json([search, checksum(self.files[split]), weights])[:10]


def decoder_of(beam_size: int) -> str:
    """The name of a search.

    >>> decoder_of(1), decoder_of(5)
    ('greedy', 'beam-5')
    """
    return GREEDY if beam_size == 1 else f"beam-{beam_size}"


def beam_of(decoder: str) -> int:
    """The inverse of `decoder_of`; raises InputError where there is no such search."""
    match = _BEAM.fullmatch(decoder)
    if decoder != GREEDY and match is None:
        raise InputError(f"no decoder {decoder!r}, expected greedy or beam-N")
    return int(match[1]) if match is not None else 1
