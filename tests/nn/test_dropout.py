"""Dropout by random bytes has the properties of dropout."""

import pytest
import torch

from amparser.nn.lstm import Dropout


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
def test_the_mean_stays_and_the_share_is_dropped(share) -> None:
    torch.manual_seed(0)
    layer = Dropout(share)
    values = layer(torch.ones(1000, 1003))
    assert float((values == 0).float().mean()) == pytest.approx(share, abs=0.003)
    assert float(values.mean()) == pytest.approx(1, abs=0.003)
    assert len(values.unique()) == 2
    # Neighbours are dropped independently of each other.
    kept = (values != 0).float()
    both = float((kept[:, :-1] * kept[:, 1:]).mean())
    assert both == pytest.approx((1 - share) ** 2, abs=0.004)


def test_it_follows_the_seed_and_the_gradient_follows_it() -> None:
    layer = Dropout(0.3)
    first, second = [], []
    for found in (first, second):
        torch.manual_seed(5)
        values = torch.full((7, 5), 2.0, requires_grad=True)
        dropped = layer(values)
        dropped.sum().backward()
        assert torch.equal(values.grad, dropped.detach() / 2)
        found += [dropped.detach()]
    assert torch.equal(first[0], second[0])
    assert not torch.equal(first[0], layer(torch.full((7, 5), 2.0)))


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_rates_zero_and_one(share) -> None:
    values = torch.randn(4, 4)
    assert torch.equal(Dropout(share)(values), values * (1 - share))
    assert torch.equal(Dropout(0.5).eval()(values), values)
