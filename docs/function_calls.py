"""Write requests to an assistant and their calls: python docs/function_calls.py FOLDER.

`train.tsv` has 50 rows in the notation `term`, and nothing says which word a symbol comes from.
`test.tsv` has 20 others.
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path
from random import Random

TIMES = {"tomorrow": "tomorrow", "tonight": "tonight", "next friday": "next(friday)"}
TASKS = {
    "water the plants": "water(plants)",
    "call Ann": "call(person('ann'))",
    "call Bob": "call(person('bob'))",
    "feed the cat": "feed(cat)",
    "pay the rent": "pay(rent)",
}
REQUESTS = {
    "remind me to {task} {time}": "remind({task},{time})",
    "cancel my reminder to {task}": "cancel(reminder({task}))",
    "please remind me to {task} {time}": "remind({task},{time})",
    "when do I have to {task} ?": "ask(time({task}))",
    "move the reminder to {task} to {time}": "move(reminder({task}),{time})",
    "did I {task} {time} ?": "ask(done({task},{time}))",
}


def rows() -> list[tuple[str, str]]:
    """All requests, each with its call."""
    made = {
        (
            text.format(task=task, time=time),
            call.format(task=TASKS[task], time=TIMES[time]),
        ): None
        for (text, call), task, time in product(REQUESTS.items(), TASKS, TIMES)
    }
    found = list(made)
    Random(1).shuffle(found)
    return found


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    found = rows()
    for name, part in (("train", found[:-20]), ("test", found[-20:])):
        text = "".join(f"{sentence}\t{call}\n" for sentence, call in part)
        (folder / f"{name}.tsv").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
