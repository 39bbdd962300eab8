"""Fields of `model.json` altered, a few of each kind of folder; `AMPARSER_FUZZ` says how many."""

import os
from pathlib import Path
from random import Random

import pytest
from fields import Folder, alterations
from tiny_folders import KINDS

COUNT = int(os.environ.get("AMPARSER_FUZZ", "400")) // 16


@pytest.mark.parametrize("kind", KINDS)
def test_a_field_that_is_altered_is_named_or_makes_no_difference(kind: str, tmp_path: Path) -> None:
    folder = Folder(*KINDS[kind](tmp_path))
    dice = Random(kind)
    top = {place[0] for place in folder.places}
    assert {"system", "settings", "content", "checksums", "weights_sha256"} <= top
    # Each field of the head, and some of those inside.
    chosen = [place for place in folder.places if len(place) == 1]
    chosen += dice.sample(folder.places, min(COUNT, len(folder.places)))
    for place in chosen:
        values = list(alterations(folder.content, place))
        for alteration in dice.sample(values, min(len(values), 1 + COUNT // 400)):
            for on_purpose in (False, True):
                end, fault = folder.problem(alteration, on_purpose=on_purpose)
                assert fault is None, f"{place} = {alteration.what}: {end}: {fault}"
    folder.restore()
