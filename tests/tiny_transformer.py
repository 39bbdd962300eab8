"""A tiny random BERT checkpoint of `transformers` with a WordPiece tokenizer."""

import json
import string
from pathlib import Path

from tiny_checkpoints import write_weights

POSITIONS = 128


def write_bert(folder: Path, *, seed: int = 0, layers: int = 1) -> Path:
    """Write the checkpoint; words are split into letters except a few."""
    folder.mkdir(parents=True, exist_ok=True)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [*string.ascii_lowercase, ".", "?", *(f"##{c}" for c in string.ascii_lowercase)]
    words = [*special, *letters, "the", "a", "cat", "dog", "gave", "##ed"]
    (folder / "vocab.txt").write_text("".join(f"{word}\n" for word in words), encoding="utf-8")
    settings = {"tokenizer_class": "BertTokenizer", "do_lower_case": True}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    sizes = {"hidden_size": 16, "intermediate_size": 16, "num_attention_heads": 2}
    sizes |= {"num_hidden_layers": layers, "max_position_embeddings": POSITIONS}
    return write_weights("Bert", "Model", folder, len(words), seed, **sizes)
