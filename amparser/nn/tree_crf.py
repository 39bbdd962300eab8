"""Distribution over projective dependency trees (Eisner 1996), computed by torch-struct.

In an AM dependency tree, ignored tokens have no edge except to the artificial root. The trees here
span only the *kept* tokens, and exactly one kept token is attached to the root.

Potentials have shape `[B, n, n + 1]`: entry h scores head h of token i + 1 (0 is the artificial
root). A constant added to all potentials of one token has no effect, so log-probabilities of heads
may serve as potentials.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch_struct.deptree import DepTree


class _SingleRootTree(DepTree):  # type: ignore[misc]
    """`DepTree` with a single root; a subclass, because `multiroot` is a class attribute."""

    multiroot = False


def log_partition(potentials: Tensor, kept: Tensor) -> Tensor:
    """Return `[B]`, the natural log of the sum of exp(score) over all trees, in O(n^3).

    Args:
        potentials: `[B, n, n + 1]`.
        kept: `[B, n]` bool; at least one kept token per sentence.
    """
    lengths = kept.sum(-1)
    width = max(int(lengths.max()), 1)
    # Move the kept tokens `[B, m]` to the front; the others become padding.
    tokens = torch.argsort(kept.int(), dim=-1, descending=True, stable=True)[:, :width]
    valid = torch.arange(width, device=kept.device) < lengths[:, None]
    rows = torch.take_along_dim(potentials, tokens[:, :, None], 1)
    arcs = torch.take_along_dim(rows, tokens[:, None] + 1, 2)
    diagonal = torch.eye(width, dtype=torch.bool, device=arcs.device)
    # `[B, m, m]`, head by dependent, with the root's potentials on the diagonal.
    arcs = torch.where(diagonal, rows[:, :, :1], arcs).transpose(1, 2)
    inside = valid[:, :, None] & valid[:, None]
    # torch-struct represents log 0 by -1e5; an impossible arc must stay well above it.
    return _partition(arcs.where(inside, 0.0).clamp(min=-1e4), lengths)


def log_likelihood(potentials: Tensor, heads: Tensor, kept: Tensor) -> Tensor:
    """Return `[B]`, natural log-probabilities of projective trees given by heads `[B, n]`.

    The heads of ignored tokens have no effect.
    """
    scores = torch.take_along_dim(potentials, heads[:, :, None], 2).squeeze(-1)
    return scores.where(kept, 0.0).sum(-1) - log_partition(potentials, kept)


def edge_marginals(potentials: Tensor, kept: Tensor) -> Tensor:
    """Return the marginal probability `[B, n, n + 1]` of each edge; 0 for ignored tokens."""
    with torch.inference_mode(False), torch.enable_grad():
        potentials = potentials.detach().clone().requires_grad_()
        return torch.autograd.grad(log_partition(potentials, kept.clone()).sum(), potentials)[0]


def _partition(arcs: Tensor, lengths: Tensor) -> Tensor:
    partition: Tensor
    if arcs.requires_grad:
        partition = _SingleRootTree().sum(arcs, lengths)
        return partition
    # torch-struct writes in place, which autograd allows only if the input requires a gradient.
    with torch.inference_mode(False), torch.enable_grad():
        partition = _SingleRootTree().sum(arcs.clone().requires_grad_(), lengths.clone())
    return partition.detach()
