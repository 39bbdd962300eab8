"""Tiny random T5, LLaMA and BERT checkpoints of `transformers` with word tokenizers."""

from collections.abc import Iterable
from pathlib import Path

import torch

SPECIAL = ("<pad>", "</s>", "<s>", "<unk>")


def write_tokenizer(folder: Path, words: Iterable[str]) -> int:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from transformers import PreTrainedTokenizerFast

    known = [*SPECIAL, *sorted(set(words))]
    tokenizer = Tokenizer(WordLevel({word: i for i, word in enumerate(known)}, "<unk>"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    names = dict(zip(("pad_token", "eos_token", "bos_token", "unk_token"), SPECIAL, strict=True))
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)
    return len(known)


def write_weights(
    kind: str, head: str, folder: Path, size: int, seed: int = 0, **sizes: object
) -> Path:
    """Write random weights for a vocabulary: `kind` names the config, `head` the class."""
    import transformers
    from transformers.utils import logging

    logging.disable_progress_bar()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        config = getattr(transformers, f"{kind}Config")(vocab_size=size, **sizes)
        getattr(transformers, f"{kind}{head}")(config).save_pretrained(folder)
    return folder


def _written(kind: str, head: str, folder: Path, words: Iterable[str], **sizes: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return write_weights(kind, head, folder, write_tokenizer(folder, words), **sizes)


def write_t5(folder: Path, words: Iterable[str]) -> Path:
    sizes = {"d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 1, "num_decoder_layers": 1}
    ids = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}
    sizes |= {"num_heads": 2, "dropout_rate": 0.0}
    return _written("T5", "ForConditionalGeneration", folder, words, **sizes, **ids)


_SIZES = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2}


def write_llama(folder: Path, words: Iterable[str]) -> Path:
    ids = {"bos_token_id": 2, "eos_token_id": 1, "pad_token_id": 0}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 4}
    return _written("Llama", "ForCausalLM", folder, words, **_SIZES, **heads, **ids)


def write_bert(folder: Path, words: Iterable[str]) -> Path:
    from tokenizers.processors import TemplateProcessing
    from transformers import AutoTokenizer

    more = {"num_attention_heads": 2, "max_position_embeddings": 40, "pad_token_id": 0}
    _written("Bert", "ForMaskedLM", folder, words, **_SIZES, **more)
    fast = AutoTokenizer.from_pretrained(folder)
    fast.backend_tokenizer.post_processor = TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> $B:1 </s>:1",
        special_tokens=[("<s>", SPECIAL.index("<s>")), ("</s>", SPECIAL.index("</s>"))],
    )
    fast.save_pretrained(folder)
    return folder
