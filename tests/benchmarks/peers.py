"""How fast amparser is against dependency parsers, trained on the same trees, in one run.

    pip install -c constraints.txt -e ".[bench]"
    python tests/benchmarks/peers.py [--models FOLDER] [--rounds 5]

The peers are spaCy's CNN tagger and parser, and UDPipe 1. Supertags are their tags and operations
their relations; ignored tokens hang from the root. Their training is short, which changes their
accuracy and hardly their speed; it takes a few minutes once, and `--models` keeps the models.

All run on one core and one thread: amparser from raw text to meanings (and to trees alone), spaCy
from raw text to trees, UDPipe from tokens to trees. Seconds are those that the core works for the
process, so that other work on the machine does not count. The rounds are interleaved; the table
has their median.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from published import DATA

from amparser.api import choose_settings, corpus_of, load
from amparser.compositions.nodes.dataset import TrainingExample
from amparser.compositions.nodes.gold import gold_trees
from amparser.corpora.reading import read_examples
from amparser.corpora.splits import chunks
from amparser.corpora.tokens import checked_tokens
from amparser.learn.system import CHUNK_SIZE
from amparser.lexicon.lexicon import Lexicon
from amparser.parser import Parser

CORPUS = DATA / "slog/cogs_lf"
SENTENCES = 6000
"""The number of training sentences of the peers."""
EPOCHS = 3
"""The epochs of spaCy, and of each part of UDPipe."""

Tree = tuple[list[str], list[int], list[str]]
"""Tags, heads (1-based; the root has 0) and relations."""


def tree_of(example: TrainingExample, lexicon: Lexicon) -> Tree:
    """A training tree as a dependency tree over all tokens."""
    root = example.operations.index(1) + 1
    heads = [head or (0 if token == root else root) for token, head in enumerate(example.heads, 1)]
    relations = [lexicon.operations[o] for o in example.operations]
    return [f"T{k}" for k in example.supertags], heads, relations


def train_spacy(examples: Sequence[TrainingExample], lexicon: Lexicon, folder: Path) -> None:
    """Train spaCy's small pipeline (`en_core_web_sm` has the same sizes)."""
    import spacy
    from spacy.tokens import Doc
    from spacy.training import Example

    spacy.util.fix_random_seed(0)
    nlp = spacy.blank("en")
    width = 96
    encoder = {
        "@architectures": "spacy.HashEmbedCNN.v2",
        "width": width,
        "depth": 4,
        "embed_size": 2000,
        "window_size": 1,
        "maxout_pieces": 3,
        "subword_features": True,
        "pretrained_vectors": None,
    }
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": width, "upstream": "tok2vec"}
    parser = {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": "parser",
        "extra_state_tokens": False,
        "hidden_width": 64,
        "maxout_pieces": 2,
        "use_upper": True,
        "tok2vec": listener,
    }
    tagger = {"@architectures": "spacy.Tagger.v2", "tok2vec": listener}
    nlp.add_pipe("tok2vec", config={"model": encoder})
    nlp.add_pipe("tagger", config={"model": tagger})
    nlp.add_pipe("parser", config={"model": parser})
    rows = []
    for example in examples:
        tags, heads, relations = tree_of(example, lexicon)
        words = list(example.tokens)
        at = [head - 1 if head else token for token, head in enumerate(heads)]
        gold = Doc(nlp.vocab, words=words, tags=tags, heads=at, deps=relations)
        rows.append(Example(Doc(nlp.vocab, words=words), gold))
    optimizer = nlp.initialize(lambda: rows)
    order = random.Random(0)
    for _ in range(EPOCHS):
        order.shuffle(rows)
        for start in range(0, len(rows), 64):
            nlp.update(rows[start : start + 64], sgd=optimizer, drop=0.1)
    nlp.to_disk(folder)


def conllu(examples: Iterable[TrainingExample], lexicon: Lexicon) -> str:
    """Training trees in CoNLL-U."""
    blocks = []
    for example in examples:
        rows = zip(example.tokens, *tree_of(example, lexicon), strict=True)
        lines = [
            f"{i}\t{form}\t{form.lower()}\t{tag}\t{tag}\t_\t{head}\t"
            f"{'root' if not head else relation}\t_\t_"
            for i, (form, tag, head, relation) in enumerate(rows, 1)
        ]
        blocks.append("\n".join(lines) + "\n\n")
    return "".join(blocks)


def train_udpipe(examples: Sequence[TrainingExample], lexicon: Lexicon, path: Path) -> None:
    """Train UDPipe's tagger and its parser, with the sizes of its published models."""
    from ufal import udpipe

    sentences = []
    error = udpipe.ProcessingError()
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(conllu(examples, lexicon))
    sentence = udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = udpipe.Sentence()
    model = udpipe.Trainer.train(
        "morphodita_parsito",
        sentences,
        sentences[:0],
        "none",
        f"iterations={EPOCHS};models=1",
        f"iterations={EPOCHS};embedding_upostag=20;embedding_feats=20;embedding_xpostag=0;"
        "embedding_form=50;embedding_lemma=0;embedding_deprel=20;learning_rate=0.01;"
        "learning_rate_final=0.001;l2=0.3;hidden_layer=200;batch_size=10;"
        "transition_system=swap;transition_oracle=static_lazy;structured_interval=0",
        error,
    )
    if error.occurred():
        raise SystemExit(f"UDPipe: {error.message}")
    path.write_bytes(model if isinstance(model, bytes) else model.encode("latin-1"))


def trained_peers(models: Path) -> dict[str, float]:
    """Train the peers that the folder does not have; the seconds that each took."""
    missing = [name for name in ("spacy", "udpipe") if not (models / name).exists()]
    if not missing:
        return {}
    models.mkdir(parents=True, exist_ok=True)
    _, settings = choose_settings(benchmark="slog")
    gold = gold_trees(corpus_of(CORPUS, settings, benchmark="slog"), settings)
    examples = random.Random(0).sample(list(gold.train), SENTENCES)
    seconds = {}
    for name, train in (("spacy", train_spacy), ("udpipe", train_udpipe)):
        if name in missing:
            started = time.perf_counter()
            train(examples, gold.learned.lexicon, models / name)
            seconds[name] = time.perf_counter() - started
    return seconds


def raw_text(tokens: Sequence[str]) -> str:
    """A sentence as it is written: no space before its last sign."""
    text = " ".join(tokens)
    return text[:-2] + text[-1] if text[-2:-1] == " " and not text[-1].isalnum() else text


def meanings(parser: Parser, texts: Sequence[str]) -> int:
    """From raw text to meanings; returns how many."""
    return sum(result.meaning is not None for result in parser.stream(texts))


def trees(parser: Parser, texts: Sequence[str]) -> int:
    """From raw text to the indices of trees; returns how many."""
    tokenised = (checked_tokens(text) for text in texts)
    return sum(
        parse.found
        for chunk in chunks(tokenised, CHUNK_SIZE)
        for parse in parser.decode(parser.score(chunk))
    )


def systems(models: Path, texts: Sequence[str]) -> dict[str, Callable[[], int]]:
    """What is timed, by name; each call returns the number of sentences with a result."""
    import spacy
    from ufal import udpipe

    parser = load("slog")
    assert isinstance(parser, Parser)
    nlp = spacy.load(models / "spacy")
    model = udpipe.Model.load(str(models / "udpipe"))
    lines = [" ".join(checked_tokens(text)) for text in texts]

    def with_spacy() -> int:
        return sum(len(doc) > 0 for doc in nlp.pipe(texts, batch_size=CHUNK_SIZE))

    def with_udpipe() -> int:
        error = udpipe.ProcessingError()
        reader = udpipe.InputFormat.newHorizontalInputFormat()
        reader.setText("\n".join(lines) + "\n")
        sentence = udpipe.Sentence()
        count = 0
        while reader.nextSentence(sentence, error):
            model.tag(sentence, udpipe.Model.DEFAULT)
            model.parse(sentence, udpipe.Model.DEFAULT)
            count += 1
        return count

    return {
        "amparser, to meanings": lambda: meanings(parser, texts),
        "amparser, to trees": lambda: trees(parser, texts),
        "spaCy, to trees": with_spacy,
        "UDPipe 1, to trees": with_udpipe,
    }


def measured(
    calls: dict[str, Callable[[], int]], rounds: int, count: int
) -> dict[str, list[float]]:
    """Sentences of each system per second of CPU time, in each of the interleaved rounds."""
    for name, call in calls.items():  # loads and compiles
        if (found := call()) < 0.9 * count:
            raise SystemExit(f"{name}: {found} results for {count} sentences")
    rates: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            started = time.process_time()
            call()
            rates[name].append(count / (time.process_time() - started))
    return rates


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--models", type=Path, default=Path("peers"))
    arguments.add_argument("--rounds", type=int, default=5)
    given = arguments.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    torch.set_num_threads(1)
    for name, seconds in trained_peers(given.models).items():
        print(f"{name} trained in {seconds:.0f} s")
    examples = read_examples(CORPUS / "gen_sample.tsv.gz")
    texts = [raw_text(example.tokens) for example in examples]
    length = statistics.mean(len(example.tokens) for example in examples)
    print(f"{len(texts)} sentences of {length:.1f} tokens, one core, {given.rounds} rounds")
    rates = measured(systems(given.models, texts), given.rounds, len(texts))
    medians = {name: statistics.median(of_one) for name, of_one in rates.items()}
    spacy_rate = medians["spaCy, to trees"]
    for name, median in medians.items():
        low, high = min(rates[name]), max(rates[name])
        print(
            f"{name:24}{median:8.0f} sentences/s ({low:.0f}-{high:.0f}), "
            f"{median / spacy_rate:.2f} times spaCy"
        )


if __name__ == "__main__":
    main()
