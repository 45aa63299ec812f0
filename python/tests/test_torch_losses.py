"""Losses of dedpul.torch have the values and gradients of the C library."""
import os
import subprocess

import numpy as np
import pytest
from conftest import IS_SLOW, SOURCE

if IS_SLOW:
    pytest.skip("takes long where the library is instrumented", allow_module_level=True)
torch = pytest.importorskip("torch", reason="PyTorch is not installed: dedpul.torch.losses is not tested")
from dedpul.torch import losses  # noqa: E402

KINDS = {"balanced": 0, "upu": 1, "nnpu": 2, "cvir": 3}  # the order of enum risk_kind in src/math/risk.h
LOSSES = {"sigmoid": 0, "brier": 1, "logistic": 2}
TOOL = os.environ.get("RISK_VALUES", str(SOURCE / "build" / "dev" / "tests" / "risk_values"))


def by_c(kind, loss, alpha, beta, gamma, labeled, unlabeled, weights=None):
    """The risk and its slopes."""
    logits = np.concatenate((labeled, unlabeled))
    weights = np.ones(len(logits)) if weights is None else weights
    numbers = [KINDS[kind], LOSSES[loss], alpha, beta, gamma, len(labeled), len(unlabeled)]
    numbers += [*map(float, logits), *map(float, weights)]
    done = subprocess.run([TOOL], input=" ".join(map(repr, numbers)), capture_output=True, text=True, check=True)
    value, *slopes = map(float, done.stdout.split())
    return value, np.array(slopes)


def by_torch(function, labeled, unlabeled, *arguments, **named):
    """The same by autograd."""
    p, u = (torch.tensor(logits, dtype=torch.float64, requires_grad=True) for logits in (labeled, unlabeled))
    value = function(p, u, *arguments, **named)
    value.backward()
    return value.item(), np.concatenate((p.grad.numpy(), u.grad.numpy()))


def batches():
    random = np.random.default_rng(0)
    for n_1, n_0, shift in ((5, 8, 0), (20, 30, 0), (20, 30, -6), (1, 7, 3)):
        labeled, unlabeled = random.normal(1, 2, n_1), random.normal(shift, 2, n_0)
        yield labeled.astype(np.float32).astype(float), unlabeled.astype(np.float32).astype(float)


def compare(ours, theirs, is_value=True):
    if is_value:
        assert abs(ours[0] - theirs[0]) < 1e-6
    np.testing.assert_allclose(ours[1], theirs[1], rtol=2e-5, atol=1e-7)


def test_balanced():
    for p, u in batches():
        compare(by_torch(losses.balanced, p, u), by_c("balanced", "logistic", 0, 0, 0, p, u))


@pytest.mark.parametrize("loss", LOSSES)
def test_upu_and_nnpu(loss):
    steps_back = 0
    for p, u in batches():
        for alpha, beta, gamma in ((0.3, 0, 1), (0.9, 0, 0.5), (0.9, 0.02, 2)):
            compare(by_torch(losses.upu, p, u, alpha, loss), by_c("upu", loss, alpha, 0, 0, p, u))
            unbiased = by_torch(losses.upu, p, u, alpha, loss)[0]
            theirs = by_c("nnpu", loss, alpha, beta, gamma, p, u)
            is_negative = theirs[0] > unbiased + 1e-9  # then the value that C watches is cut off at 0
            steps_back += is_negative
            compare(by_torch(losses.nnpu, p, u, alpha, loss, beta, gamma), theirs, is_value=not is_negative)
    assert steps_back >= 2


def test_cvir():
    for p, u in batches():
        for alpha in (0, 0.25, 0.6, 1):
            compare(by_torch(losses.cvir, p, u, alpha), by_c("cvir", "logistic", alpha, 0, 0, p, u))


def test_pn():
    """Each row is an example of both classes; C has no slopes of weighted ones, so they are differences of values."""
    def risk(logits):
        return by_c("balanced", "logistic", 0, 0, 0, logits, logits, np.concatenate((posterior, 1 - posterior)))[0]

    random = np.random.default_rng(1)
    logits, posterior = random.normal(size=9), random.uniform(size=9)
    variable = torch.tensor(logits, requires_grad=True)
    value = losses.pn(variable, torch.tensor(posterior))
    value.backward()
    assert abs(value.item() - risk(logits)) < 1e-9
    step = 1e-5
    slopes = [(risk(logits + step * unit) - risk(logits - step * unit)) / (2 * step) for unit in np.eye(9)]
    np.testing.assert_allclose(variable.grad.numpy(), slopes, atol=1e-8)


def test_wrong_arguments():
    logits = torch.zeros(3)
    with pytest.raises(ValueError, match="loss: 'hinge' is unknown; known are sigmoid"):
        losses.upu(logits, logits, 0.5, "hinge")
    with pytest.raises(ValueError, match="alpha: 1.5 is not a share"):
        losses.cvir(logits, logits, 1.5)
