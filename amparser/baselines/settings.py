"""Settings of the sequence-to-sequence systems."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from amparser.conditions import Range
from amparser.learn.settings import DataSettings, PredictionTrainSettings
from amparser.nn.settings import Few, Rate, Size


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """Settings of the encoder and the decoder.

    Attributes:
        hidden_size: width of the decoder state, and of all states of a Transformer; each direction
            of a `bilstm` encoder has half this width.
        embedding_size: width of word embeddings; a Transformer uses `hidden_size` instead.
        layers: number of layers of the encoder, and of the decoder.
        heads: heads of the Transformer's attention.
        feedforward_size: width of the Transformer's hidden layers.
        dropout: rate for embeddings and for the output of each layer; a Transformer also applies it
            to attention and hidden layers.
        input_feeding: whether a recurrent decoder reads its last attentional state with the next
            word (Luong, Pham & Manning 2015, section 3.3).
        scaling: how a Transformer balances word embeddings and positions: `down` divides positions
            by the root of `hidden_size`, `up` multiplies embeddings by it (Csordas, Irie &
            Schmidhuber 2021, section 3).
        tied_embedding: whether a Transformer's output layer has the weights of the target embedding
            (Press & Wolf 2017).
    """

    hidden_size: Size = 512
    embedding_size: Size = 512
    layers: Few = 2
    heads: Size = 4
    feedforward_size: Size = 512
    dropout: Rate = 0.1
    input_feeding: bool = True
    scaling: Literal["down", "up"] = "down"
    tied_embedding: bool = False


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Settings of the search for the output.

    Attributes:
        beam_size: number of hypotheses that the beam keeps; 1 is greedy search.
        max_length: maximum tokens of an output.
        batch_size: sentences per batch.
    """

    beam_size: Size = 1
    max_length: Size = 700
    batch_size: Size = 64


@dataclass(frozen=True, slots=True)
class CheckpointSettings:
    """Settings of the pretrained model and of its training.

    Attributes:
        path: a folder with a checkpoint of Hugging Face's transformers; nothing is downloaded.
        prompt: the text to read; `{input}` is replaced by the sentence.
        lora_rank: rank of the adapters that are trained instead of the weights (Hu et al.
            2021); 0 trains all weights.
        lora_alpha: the output of adapters is scaled by `lora_alpha / lora_rank`.
        lora_dropout: dropout before the adapters.
        lora_targets: names of the layers with adapters, separated by commas.
        dtype: type of the weights. `bfloat16` loses small updates, so it needs adapters, which have
            32 bits.
    """

    path: str = ""
    prompt: str = "{input}"
    lora_rank: Annotated[int, Range(0, maximum=10_000)] = 0
    lora_alpha: Size = 32
    lora_dropout: Rate = 0.1
    lora_targets: str = "q_proj,v_proj"
    dtype: Literal["float32", "bfloat16"] = "float32"


@dataclass(frozen=True, slots=True)
class Seq2SeqSettings:
    """All settings of a model that is trained from scratch."""

    data: DataSettings = field(default_factory=DataSettings)
    network: NetworkSettings = field(default_factory=NetworkSettings)
    train: PredictionTrainSettings = field(default_factory=PredictionTrainSettings)
    decode: SearchSettings = field(default_factory=SearchSettings)


@dataclass(frozen=True, slots=True)
class FinetuneSettings:
    """All settings of a pretrained model that is fine-tuned."""

    data: DataSettings = field(default_factory=DataSettings)
    pretrained: CheckpointSettings = field(default_factory=CheckpointSettings)
    train: PredictionTrainSettings = field(default_factory=PredictionTrainSettings)
    decode: SearchSettings = field(default_factory=SearchSettings)
