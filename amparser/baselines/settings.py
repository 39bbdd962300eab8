"""What can be set about a sequence-to-sequence model; `learn.config` reads the sections.

The files in `training/` hold the papers' values and say where each comes from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from amparser.nn.settings import Range, Rate, Size

System = Literal["transformer", "lstm", "bilstm", "gru"]
Target = Literal["cogs", "varfree", "fol", "clf", "vf"]

Count = Annotated[int, Range(0)]


@dataclass(frozen=True, slots=True)
class PairSettings:
    """What is trained on.

    Attributes:
        target: the notation to be written: `cogs` or `varfree` for SLOG and COGS,
            `fol`, `clf` or `vf` for SyGNS.
        fraction: the share of train that is used, picked at random by `train.seed`.
        held_out: the share of train that serves as dev where there is no file of it.
    """

    target: Target = "cogs"
    fraction: Annotated[float, Range(0.001, maximum=1)] = 1.0
    held_out: Annotated[float, Range(0.001, maximum=0.5)] = 0.1


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """The encoder and the decoder.

    Attributes:
        hidden_size: width of a decoder's state; a `bilstm` has half of it in each
            direction of the encoder. For a Transformer the width of all states.
        embedding_size: width of word embeddings; a Transformer's are `hidden_size` wide.
        layers: as many in the encoder as in the decoder.
        heads: of the Transformer's attention.
        feedforward_size: width of the Transformer's hidden layers.
        dropout: on embeddings and on the output of each layer; a Transformer's also on
            attention and on its hidden layers.
        input_feeding: a recurrent decoder sees its last attentional state with the
            next word (Luong, Pham & Manning 2015, section 3.3).
        scaling: how word embeddings and positions of a Transformer are brought to one
            scale: `down` divides positions by the root of `hidden_size`, `up`
            multiplies embeddings by it (Csordas, Irie & Schmidhuber 2021, section 3).
        tied_embedding: a Transformer's output layer has the weights of the target
            embedding (Press & Wolf 2017).
        norm_first: a Transformer normalises before each sublayer and once at the end, as
            OpenNMT does; else after each (Vaswani et al. 2017).
    """

    hidden_size: Size = 512
    embedding_size: Size = 512
    layers: Size = 2
    heads: Size = 4
    feedforward_size: Size = 512
    dropout: Rate = 0.1
    input_feeding: bool = True
    scaling: Literal["down", "up"] = "down"
    tied_embedding: bool = False
    norm_first: bool = False


@dataclass(frozen=True, slots=True)
class FitSettings:
    """How the network is trained.

    Attributes:
        max_steps: updates of the weights, at most.
        max_epochs: passes through train, at most; 0 for no such limit.
        batch_size: sentences in a batch, at most.
        batch_tokens: padded tokens of sentences and targets in a batch, at most; 0 for
            no such limit.
        accumulate: batches that make one update.
        learning_rate: of `constant`, the highest of `linear`; the factor of `noam`.
        schedule: after warm-up `constant`, or `linear`, to zero behind the last step; or
            `noam` (Vaswani et al. 2017, equation 3).
        warmup_steps: the rate rises linearly for so long.
        adam_beta2: decay of Adam's second moment.
        label_smoothing: the share of probability that goes to all words alike.
        gradient_clip: the norm of the gradient is cut to this; 0 for never.
        validate_every: steps between two looks at dev, each with a checkpoint; 0 for
            one after each epoch.
        select: which weights are kept: `last`, or those of the best `loss` or
            `accuracy` on dev.
        patience: stop after so many looks at dev without a better figure of `select`;
            0 for never.
        seed: of the initial weights, the order of the batches, and dropout.
        device: `auto` takes a GPU where there is one.
    """

    max_steps: Size = 50_000
    max_epochs: Count = 0
    batch_size: Size = 128
    batch_tokens: Count = 0
    accumulate: Size = 1
    learning_rate: Annotated[float, Range(0)] = 1e-4
    schedule: Literal["constant", "linear", "noam"] = "constant"
    warmup_steps: Count = 0
    adam_beta2: Annotated[float, Range(0, 1)] = 0.999
    label_smoothing: Rate = 0.0
    gradient_clip: Annotated[float, Range(0)] = 1.0
    validate_every: Count = 500
    select: Literal["last", "loss", "accuracy"] = "last"
    patience: Count = 0
    seed: Count = 1
    device: Literal["auto", "cpu", "cuda"] = "auto"


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How an output is found.

    Attributes:
        beam_size: 1 is greedy search.
        max_length: tokens of an output, at most.
        length_penalty: alpha of Wu et al. 2016, equation 14; 0 compares log-probabilities.
        batch_size: sentences at a time.
    """

    beam_size: Size = 1
    max_length: Size = 700
    length_penalty: Annotated[float, Range(0)] = 0.0
    batch_size: Size = 64


@dataclass(frozen=True, slots=True)
class CheckpointSettings:
    """The pretrained model, and what of it is trained.

    Attributes:
        path: a folder with a checkpoint of Hugging Face's transformers, or the name of
            one on its hub, which is then downloaded.
        prompt: what is read; `{input}` stands for the sentence.
        lora_rank: rank of the adapters that are trained instead of the weights (Hu et al.
            2021); 0 trains all weights.
        lora_alpha: the adapters' share is `lora_alpha / lora_rank`.
        lora_dropout: before the adapters.
        lora_targets: names of the layers that have one, separated by commas.
        dtype: of the weights; `bfloat16` with adapters only, which are of 32 bits, since
            small updates are lost in it.
    """

    path: str = ""
    prompt: str = "{input}"
    lora_rank: Count = 0
    lora_alpha: Size = 32
    lora_dropout: Rate = 0.1
    lora_targets: str = "q_proj,v_proj"
    dtype: Literal["float32", "bfloat16"] = "float32"


@dataclass(frozen=True, slots=True)
class FinetuneConfig:
    """All settings of a pretrained model that is fine-tuned."""

    system: Literal["t5", "llama"] = "t5"
    data: PairSettings = field(default_factory=PairSettings)
    pretrained: CheckpointSettings = field(default_factory=CheckpointSettings)
    train: FitSettings = field(default_factory=FitSettings)
    decode: SearchSettings = field(default_factory=SearchSettings)


@dataclass(frozen=True, slots=True)
class Seq2SeqConfig:
    """All settings of a model that is trained from scratch."""

    system: System = "transformer"
    data: PairSettings = field(default_factory=PairSettings)
    network: NetworkSettings = field(default_factory=NetworkSettings)
    train: FitSettings = field(default_factory=FitSettings)
    decode: SearchSettings = field(default_factory=SearchSettings)
