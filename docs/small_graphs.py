"""Write small meaning graphs in the manner of AMR: python docs/small_graphs.py FOLDER.

`train.amr` has 50 graphs, `test.amr` 20 others. The k-th number under `::alignments` is the token
of the graph's k-th node.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

NOUNS = ("boy", "girl", "dog", "teacher", "bird")
ADJECTIVES = ("big", "old", "quiet")
ALONE = {"sleeps": "sleep-01", "sings": "sing-01", "swims": "swim-01"}
TOGETHER = {"sees": "see-01", "likes": "like-01", "follows": "follow-02"}
CONTROL = {"wants": "want-01", "tries": "try-01"}


class Sentence:
    """Words, and the graph with the token of each of its nodes."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.tokens: list[str] = []
        self.count = 0

    def node(self, concept: str, token: int, edges: str = "") -> tuple[str, list[int]]:
        """A node with what hangs on it, and its token; `edges` is filled in by the caller."""
        self.count += 1
        return f"(n{self.count} / {concept}{edges})", [token]

    def noun(self) -> tuple[str, list[int]]:
        """A noun phrase, some with an adjective or a relative clause."""
        self.tokens.append(self.random.choice(("the", "a")))
        kind = self.random.choice(("bare", "bare", "adjective", "relative"))
        edges, tokens = "", []
        if kind == "adjective":
            self.tokens.append(self.random.choice(ADJECTIVES))
            below, tokens = self.node(self.tokens[-1], len(self.tokens))
            edges = f" :mod {below}"
        self.tokens.append(self.random.choice(NOUNS))
        noun, here = self.tokens[-1], len(self.tokens)
        if kind == "relative":
            verb = self.random.choice(list(ALONE))
            self.tokens += ["that", verb]
            below, tokens = self.node(ALONE[verb], len(self.tokens))
            edges = f" :ARG0-of {below}"
        text, own = self.node(noun, here, edges)
        return text, own + tokens

    def block(self) -> str:
        """The sentence with its graph."""
        subject, subject_tokens = self.noun()
        verb = self.random.choice([*ALONE, *TOGETHER, *CONTROL])
        self.tokens.append(verb)
        here = len(self.tokens)
        edges, tokens = f" :ARG0 {subject}", subject_tokens
        if verb in TOGETHER:
            below, more = self.noun()
            edges, tokens = f"{edges} :ARG1 {below}", tokens + more
        elif verb in CONTROL:
            inner = self.random.choice(list(ALONE))
            self.tokens += ["to", inner.removesuffix("s")]
            # The subject is the agent of both verbs: its variable is named again.
            name = subject[1 : subject.index(" ")]
            below, more = self.node(ALONE[inner], len(self.tokens), f" :ARG0 {name}")
            edges, tokens = f"{edges} :ARG1 {below}", tokens + more
        concept = (ALONE | TOGETHER | CONTROL)[verb]
        graph, own = self.node(concept, here, edges)
        alignments = " ".join(map(str, own + tokens))
        sentence = " ".join([*self.tokens, "."])
        return f"# ::snt {sentence}\n# ::alignments {alignments}\n{graph}\n\n"


def main(folder: Path) -> None:
    """Write the files."""
    folder.mkdir(parents=True, exist_ok=True)
    random = Random(1)
    blocks = list(dict.fromkeys(Sentence(random).block() for _ in range(100)))[:70]
    (folder / "train.amr").write_text("".join(blocks[:50]), encoding="utf-8")
    (folder / "test.amr").write_text("".join(blocks[50:]), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the files are written")
    main(parser.parse_args().folder)
