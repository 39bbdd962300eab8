"""The systems by name."""

from __future__ import annotations

from amparser.baselines.network import Seq2SeqNetwork
from amparser.baselines.recurrent import RecurrentNetwork
from amparser.baselines.settings import NetworkSettings
from amparser.baselines.transformer import TransformerNetwork


def network_of(
    system: str, settings: NetworkSettings, source_size: int, target_size: int
) -> Seq2SeqNetwork:
    """A network with fresh weights, drawn from torch's global generator.

    Args:
        system: which kind.
        settings: its sizes.
        source_size, target_size: how many ids the two vocabularies have.

    Raises:
        ConfigError: sizes that do not go together.
    """
    if system == "transformer":
        return TransformerNetwork(settings, source_size, target_size)
    return RecurrentNetwork(system, settings, source_size, target_size)
