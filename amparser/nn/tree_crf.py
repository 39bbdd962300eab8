"""A distribution over projective dependency trees (Eisner 1996), through torch-struct.

An AM dependency tree has ignored tokens: they hang from the artificial root
and take no part in anything else. The trees here span the tokens that are
*kept*. Ignored tokens are skipped as if they were not there, and exactly
one kept token hangs from the artificial root.

Potentials are `[B, n, n + 1]`: token i + 1 hangs from head h (0 is the
artificial root). Adding a constant to all potentials of one token changes
nothing, so log-probabilities of heads serve as potentials too.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import torch
from torch import Tensor
from torch_struct import DependencyCRF
from torch_struct.deptree import DepTree
from torch_struct.distributions import StructDistribution


class _SingleRootTree(DepTree):  # type: ignore[misc]
    multiroot = False


class _SingleRootCRF(DependencyCRF):  # type: ignore[misc]
    """`DependencyCRF(multiroot=False)`, which sets a class attribute that all others share."""

    arg_constraints: ClassVar[dict[str, object]] = {}

    def __init__(self, potentials: Tensor, lengths: Tensor) -> None:
        StructDistribution.__init__(self, potentials, lengths)
        self.struct = _SingleRootTree


class _Kept(NamedTuple):
    """The kept tokens of a batch, moved to the front.

    Attributes:
        tokens: `[B, m]`, 0-based positions in the sentence; padding stands for any token.
        lengths: `[B]`, how many are kept.
        valid: `[B, m]` bool, false on padding.
    """

    tokens: Tensor
    lengths: Tensor
    valid: Tensor


def log_partition(potentials: Tensor, kept: Tensor) -> Tensor:
    """The log of the summed exponentiated scores of all trees, `[B]`; O(n^3).

    Args:
        potentials: `[B, n, n + 1]`.
        kept: `[B, n]` bool; at least one token of each sentence.
    """
    front = _front(kept)
    return _partition(_arcs(potentials, front), front.lengths)


def log_likelihood(potentials: Tensor, heads: Tensor, kept: Tensor) -> Tensor:
    """The log-probability `[B]` of projective trees given by their heads `[B, n]`.

    The heads of ignored tokens do not matter.
    """
    scores = torch.take_along_dim(potentials, heads[:, :, None], 2).squeeze(-1)
    return scores.where(kept, 0.0).sum(-1) - log_partition(potentials, kept)


def edge_marginals(potentials: Tensor, kept: Tensor) -> Tensor:
    """The probability `[B, n, n + 1]` of each edge; 0 for ignored tokens."""
    with torch.inference_mode(False), torch.enable_grad():
        potentials = potentials.detach().clone().requires_grad_()
        return torch.autograd.grad(log_partition(potentials, kept.clone()).sum(), potentials)[0]


def _front(kept: Tensor) -> _Kept:
    lengths = kept.sum(-1)
    width = max(int(lengths.max()), 1)
    tokens = torch.argsort(kept.int(), dim=-1, descending=True, stable=True)[:, :width]
    return _Kept(tokens, lengths, torch.arange(width, device=kept.device) < lengths[:, None])


def _arcs(potentials: Tensor, front: _Kept) -> Tensor:
    """`[B, m, m]` potentials of head and dependent, those of the root on the diagonal."""
    rows = torch.take_along_dim(potentials, front.tokens[:, :, None], 1)
    arcs = torch.take_along_dim(rows, front.tokens[:, None] + 1, 2)
    diagonal = torch.eye(arcs.shape[-1], dtype=torch.bool, device=arcs.device)
    arcs = torch.where(diagonal, rows[:, :, :1], arcs).transpose(1, 2)
    inside = front.valid[:, :, None] & front.valid[:, None]
    # torch-struct takes -1e5 for log 0; an impossible arc must stay well above it.
    return arcs.where(inside, 0.0).clamp(min=-1e4)


def _partition(arcs: Tensor, lengths: Tensor) -> Tensor:
    partition: Tensor
    if arcs.requires_grad:
        partition = _SingleRootCRF(arcs, lengths).partition
        return partition
    # torch-struct writes in place into a copy of its input, which autograd
    # allows only when the input itself has a history.
    with torch.inference_mode(False), torch.enable_grad():
        partition = _SingleRootCRF(arcs.clone().requires_grad_(), lengths.clone()).partition
    return partition.detach()
