"""Cross-fitting of PyTorch networks, its errors and checkpoints, fits and models."""
import doctest
import os
import pickle
import signal
import subprocess
import sys

import numpy as np
import pytest
from conftest import IS_SLOW, SOURCE

import dedpul

if IS_SLOW:
    pytest.skip("takes long where the library is instrumented", allow_module_level=True)
torch = pytest.importorskip("torch", reason="PyTorch is not installed: dedpul.torch is not tested")
from torch import nn  # noqa: E402
from torch.utils.data import Dataset  # noqa: E402

import dedpul.torch as bridge  # noqa: E402
from dedpul.torch import _folds, _model  # noqa: E402

torch.set_num_threads(1)  # small networks are slower with more
pytestmark = pytest.mark.filterwarnings("ignore::dedpul.DedpulWarning")
QUICK = {"folds": 3, "partitions": 1, "epochs": 4, "min_epochs": 1, "epoch_steps": 4, "batch": 32, "rate": 0.01,
         "device": "cpu"}


def two_layers():
    return nn.Sequential(nn.Linear(2, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 1))


@pytest.fixture(scope="module")
def rows():
    """300 labeled and 900 unlabeled rows, of which a third is positive."""
    random = np.random.default_rng(0)
    is_positive = np.arange(1200) < 600
    x = random.normal(size=(1200, 2)) + 3 * is_positive[:, None]
    return torch.tensor(x, dtype=torch.float32), (np.arange(1200) < 300).astype(int)


def log_loss(logits, labels):
    loss = np.logaddexp(0, np.where(labels == 1, -logits, logits))
    return (loss[labels == 1].mean() + loss[labels == 0].mean()) / 2


# ---- cross-fitting ----

def test_rows_are_scored_by_members_that_have_not_seen_them(rows):
    x, y = rows
    found = bridge.crossfit(two_layers, x, y, **{**QUICK, "partitions": 2})
    assert len(found.members) == 6
    expected = np.zeros(len(y))
    with torch.no_grad():
        for partition, fold in enumerate(found.fold):
            for held_out in range(3):
                own = fold == held_out
                expected[own] += found.members[3 * partition + held_out](x[own]).numpy()[:, 0] / 2
    np.testing.assert_allclose(found.logits, expected, atol=1e-5)
    for fold in found.fold:
        for label in (0, 1):
            counts = np.bincount(fold[y == label])
            assert counts.max() - counts.min() <= 1


def test_nothing_leaks():
    """A network that only remembers rows can tell nothing about those that it has not seen."""
    class Memory(nn.Module):
        def __init__(self):
            super().__init__()
            self.of_row = nn.Embedding(400, 1)
            nn.init.zeros_(self.of_row.weight)

        def forward(self, row):
            return self.of_row(row)

    labels = (np.arange(400) % 2).astype(int)
    found = bridge.crossfit(Memory, torch.arange(400), labels, **{**QUICK, "rate": 0.1, "patience": 9})
    assert (found.logits == 0).all()
    with torch.no_grad():
        seen = found.members[0](torch.arange(400)).numpy()[:, 0]
    assert seen[labels == 1].mean() > 0.01 > -0.01 > seen[labels == 0].mean()


def test_one_common_epoch(rows):
    x, y = rows
    found = bridge.crossfit(two_layers, x, y, **{**QUICK, "epochs": 60, "min_epochs": 3, "patience": 4, "rate": 0.1})
    losses = [epoch.loss for epoch in found.history]
    assert found.best_epoch == 3 + int(np.argmin(losses[2:]))
    assert len(losses) == found.best_epoch + 4 < 60
    assert abs(log_loss(found.logits, y) - losses[found.best_epoch - 1]) < 1e-5  # the kept state is that epoch's


def test_limit_of_epochs_is_told(rows):
    with pytest.warns(dedpul.DedpulWarning, match="epoch_limit"):
        bridge.crossfit(two_layers, *rows, **{**QUICK, "epochs": 2})


def test_groups_stay_together(rows):
    x, y = rows
    groups = np.arange(len(y)) % 100
    found = bridge.crossfit(two_layers, x, y, groups=groups, **{**QUICK, "epochs": 1})
    assert all(len(set(found.fold[0][groups == g])) == 1 for g in range(100))
    for label in (0, 1):
        counts = np.bincount(found.fold[0][y == label])
        assert counts.min() > 0.8 * counts.max()


def test_batches():
    """A pass without weights draws each row of the other folds once; with weights, rows come in proportion to them."""
    labels, fold = np.repeat([1, 0], 50).astype(np.uint8), np.arange(100) % 5
    random = np.random.default_rng(0)
    deck = _folds.Decks(_folds.Examples(np.arange(100), labels, None), fold, 2)
    drawn = deck.draw(1, 80, random)
    assert sorted(drawn[:40]) == sorted(drawn[40:]) == [i for i in range(50) if i % 5 != 2]
    weights = np.where(np.arange(100) % 2, 3.0, 1.0)
    drawn = _folds.Decks(_folds.Examples(np.arange(100), labels, weights), fold, 2).draw(0, 20000, random)
    assert (drawn >= 50).all() and (fold[drawn] != 2).all()
    assert abs((drawn % 2).mean() - 0.75) < 0.02


def test_weights_act_as_counts(rows):
    """Rows of weight 0 are learned from by nobody, and get a logit."""
    x, y = rows
    x = x.clone()
    x[::2] = 1e6  # would break training
    weights = (np.arange(len(y)) % 2).astype(float)
    found = bridge.crossfit(lambda: nn.Linear(2, 1), x, y, weights=weights, **{**QUICK, "rate": 0.1})
    assert np.isfinite(found.logits).all()
    assert log_loss(found.logits[1::2], y[1::2]) < 0.6


def test_seed(rows):
    before = torch.random.get_rng_state()
    first, again = (bridge.crossfit(two_layers, *rows, **{**QUICK, "seed": 3}) for _ in range(2))
    other = bridge.crossfit(two_layers, *rows, **{**QUICK, "seed": 4})
    assert (first.logits == again.logits).all() and (first.logits != other.logits).any()
    assert torch.equal(before, torch.random.get_rng_state())


def test_transform_and_schedule_act_at_training_only(rows):
    calls, rates = [], []

    def transform(batch):
        calls.append(len(batch))
        return batch

    def schedule(done):
        rates.append(done)
        return 0

    x, y = rows
    found = bridge.crossfit(lambda: nn.Linear(2, 1), x, y, transform=transform, schedule=schedule, together=False, **QUICK)
    steps = 3 * found.steps * len(found.history)
    assert calls == [64] * steps and len(rates) == steps and 0 == min(rates) < max(rates) < 1
    assert found.history[0].loss == found.history[-1].loss  # with a rate of 0 nothing changes


@pytest.mark.skipif(not hasattr(torch, "func"), reason="torch.func needs PyTorch 2")
def test_together(rows):
    """Stacked networks are the same as those trained one after the other, batch norm included."""
    def model():
        return nn.Sequential(nn.Linear(2, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))

    alone, together = (bridge.crossfit(model, *rows, together=how, **{**QUICK, "rate": 1e-3}) for how in (False, None))
    assert alone.notes["together"] == "together=False" and together.notes["together"] is None
    np.testing.assert_allclose(alone.logits, together.logits, atol=1e-4)
    unlike = bridge.crossfit(lambda: nn.Sequential(nn.Unflatten(1, (2, 1)), nn.Conv1d(2, 1, 1), nn.Flatten()), *rows, **QUICK)
    assert "convolutions" in unlike.notes["together"]


def test_several_devices(rows):
    """Members are dealt out, and each is where it was dealt to; the processor stands for two devices."""
    found = bridge.crossfit(two_layers, *rows, **{**QUICK, "device": ["cpu", "cpu:0"], "epochs": 8})
    assert len(found.members) == 3 and log_loss(found.logits, rows[1]) < 0.6


def test_mixed_precision(rows):
    found = bridge.crossfit(lambda: nn.Linear(2, 1), *rows, precision="bf16", **{**QUICK, "rate": 0.1})
    assert log_loss(found.logits, rows[1]) < 0.6


class Items(Dataset):
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], "a class"


def test_datasets(rows):
    """The same rows give the same logits from a tensor, a dataset, a pair and with batches of another kind."""
    class FromDict(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = two_layers()

        def forward(self, batch):
            return self.inner(batch["x"])

    x, y = rows
    expected = bridge.crossfit(two_layers, x, y, together=False, **QUICK).logits
    kinds = {"dataset": bridge.crossfit(two_layers, Items(x), y, **QUICK),
             "workers": bridge.crossfit(two_layers, Items(x), y, workers=1, **{**QUICK, "epochs": 1}),
             "pair": bridge.crossfit(two_layers, (x[:300], x[300:]), together=False, **QUICK),
             "datasets": bridge.crossfit(two_layers, (Items(x[:300]), Items(x[300:])), **QUICK),
             "collate": bridge.crossfit(FromDict, Items(x), y, collate=lambda items: {
                 "x": torch.stack([item[0] for item in items])}, **QUICK)}
    for name, found in kinds.items():
        if name != "workers":
            np.testing.assert_allclose(found.logits, expected, atol=1e-5, err_msg=name)


def test_progress(rows, capsys):
    told = []
    bridge.crossfit(two_layers, *rows, progress=lambda *state: told.append(state), **QUICK)
    assert [state[:3] for state in told] == [("network", epoch, 4) for epoch in (1, 2, 3, 4)]
    bridge.crossfit(two_layers, *rows, progress=True, **QUICK)
    assert "epoch 4 of at most 4" in capsys.readouterr().err


# ---- errors name what to change ----

def test_two_columns(rows):
    with pytest.raises(ValueError, match=r"shape \(64, 2\) for 64 rows; one logit .* nn.Linear\(..., 1\)"):
        bridge.crossfit(lambda: nn.Linear(2, 2), *rows, **QUICK)


def test_no_module(rows):
    with pytest.raises(ValueError, match="must return a torch.nn.Module, but it returned a list"):
        bridge.crossfit(list, *rows, **QUICK)


def test_loss_that_is_not_finite(rows):
    x, y = rows
    with pytest.raises(FloatingPointError, match=r"broke down in epoch 1: .* lower rate \(rate=, now 1e\+30\)"):
        bridge.crossfit(two_layers, x, y, **{**QUICK, "rate": 1e30})
    broken = x.clone()
    broken[17, 1] = float("nan")
    with pytest.raises(FloatingPointError, match="row 17 of data has a value that is not finite"):
        bridge.crossfit(two_layers, broken, y, **QUICK)


def test_fold_without_labeled_rows(rows):
    x, y = rows
    few = np.zeros_like(y)
    few[:2] = 1
    with pytest.raises(ValueError, match=r"fold \d of partition 1 has no labeled rows \(there are 2 in all\): use fewer"):
        bridge.crossfit(two_layers, x, few, **QUICK)
    with pytest.raises(ValueError, match="no labeled rows .* or smaller groups"):
        bridge.crossfit(two_layers, x, y, groups=np.repeat([0, 1, 2, 3], 300), **QUICK)
    with pytest.raises(ValueError, match=r"outside fold \d of partition 1 no labeled row has a weight above 0"):
        bridge.crossfit(two_layers, x, y, weights=(np.arange(1200) == 7) + (y == 0.0), **QUICK)


def test_dataset_that_changes_its_length(rows):
    x, y = rows
    items = Items(x.clone())

    def shrink(*_):
        items.x = items.x[:-100]

    with pytest.raises(ValueError, match="had 1200 rows at the start and has 1100 now: it must not change"):
        bridge.crossfit(two_layers, items, y, progress=shrink, **QUICK)


def test_out_of_memory(rows):
    class Huge(nn.Linear):
        def forward(self, x):
            return super().forward(x) + torch.empty(1 << 50).sum()

    with pytest.raises(MemoryError, match=r"out of memory on cpu .*batch=, now 32 .*score_batch=.*together=False"):
        bridge.crossfit(lambda: Huge(2, 1), *rows, together=False, **QUICK)


@pytest.mark.parametrize("wrong, message", [
    ({"folds": 1}, "folds: 1 is too low"), ({"precision": "fp8"}, "precision: 'fp8' is unknown"),
    ({"rate": 0}, "rate must be above 0"), ({"weights": [1.0]}, "weights has 1 values"),
    ({"labels": None}, "labels are missing")])
def test_wrong_arguments(rows, wrong, message):
    with pytest.raises(ValueError, match=message):
        bridge.crossfit(two_layers, rows[0], **{"labels": rows[1], **QUICK, **wrong})


def test_unknown_argument(rows):
    with pytest.raises(TypeError, match="epoch"):
        bridge.crossfit(two_layers, *rows, epoch=3)


# ---- checkpoints ----

KILLED = """
import os, signal, sys
import numpy as np, torch
sys.path.insert(0, {tests!r})
import test_torch as t
def kill(stage, epoch, epochs, loss):
    if epoch == {at} and stage == {stage!r}:
        os.kill(os.getpid(), signal.SIGKILL)
x = torch.from_numpy(np.load({x!r}))
t.bridge.fit(t.two_layers, x, np.arange(1200) < 300, pn=True, checkpoint={path!r}, checkpoint_every=0, progress=kill, **t.QUICK)
"""


@pytest.mark.parametrize("stage", ["network", "pn network"])
def test_killed_run_resumes(rows, tmp_path, stage):
    x, y = rows
    np.save(tmp_path / "x.npy", x.numpy())
    script = KILLED.format(tests=str(SOURCE / "python" / "tests"), at=3, stage=stage, x=str(tmp_path / "x.npy"),
                           path=str(tmp_path / "state"))
    killed = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    told = []
    resumed = bridge.fit(two_layers, x, y, pn=True, checkpoint=tmp_path / "state",
                         progress=lambda *state: told.append(state), **QUICK)
    whole = bridge.fit(two_layers, x, y, pn=True, **QUICK)
    # The callback of an epoch comes before its checkpoint.
    assert [state[1] for state in told if state[0] == stage] == [3, 4]
    assert (resumed.crossfit.logits == whole.crossfit.logits).all()
    assert (resumed.pn_posterior == whole.pn_posterior).all()
    assert [e.loss for e in resumed.crossfit.history] == [e.loss for e in whole.crossfit.history]


def test_checkpoint_of_another_training(rows, tmp_path):
    path = tmp_path / "state"
    first = bridge.crossfit(two_layers, *rows, checkpoint=path, **QUICK)
    done = bridge.crossfit(two_layers, *rows, checkpoint=path, **QUICK)  # has nothing left to do
    assert (first.logits == done.logits).all()
    with pytest.raises(ValueError, match="checkpoint of another training: its seed is 0, and here it is 1"):
        bridge.crossfit(two_layers, *rows, checkpoint=path, **{**QUICK, "seed": 1})
    path.write_bytes(b"no checkpoint")
    with pytest.raises(ValueError, match="is no checkpoint of dedpul.torch"):
        bridge.crossfit(two_layers, *rows, checkpoint=path, **QUICK)


# ---- fits and models ----

def test_fit(rows, tmp_path):
    x, y = rows
    model = bridge.fit(two_layers, x, y, pn=True, **{**QUICK, "epochs": 12, "partitions": 2})
    assert abs(model.alpha - 1 / 3) < 0.07 and model.result.interval.low < 1 / 3 < model.result.interval.high
    expected = dedpul.estimate(model.crossfit.scores, y, interval=True)
    assert model.alpha == expected.alpha and (model.result.posterior == expected.posterior).all()
    truth = np.arange(300, 1200) < 600
    for posterior in (model.result.posterior, model.pn_posterior, model.predict(x[300:]), model.predict(x[300:], pn=True)):
        assert ((posterior > 0.5) == truth).mean() > 0.93
    assert np.abs(model.predict(x, batch=7) - model.predict(x)).max() < 1e-5
    model.save(tmp_path / "model")
    loaded = bridge.load(tmp_path / "model", two_layers, "cpu")
    assert (loaded.predict(x) == model.predict(x)).all() and (loaded.predict(x, pn=True) == model.predict(x, pn=True)).all()
    assert loaded.result.interval == model.result.interval and (loaded.pn_posterior == model.pn_posterior).all()
    assert repr(loaded) == repr(model)
    assert loaded.result.evaluation().auc == model.result.evaluation().auc
    with pytest.raises(ValueError, match="does not make the networks that were saved"):
        bridge.load(tmp_path / "model", lambda: nn.Linear(2, 1), "cpu")


def test_options_of_the_estimate(rows):
    model = bridge.fit(two_layers, *rows, options={"method": "dedpul", "alpha": 0.4, "interval": False}, **QUICK)
    assert model.alpha == 0.4 and model.result.method == "dedpul" and model.result.interval is None
    with pytest.raises(ValueError, match="fit it with pn=True"):
        model.predict(rows[0], pn=True)


def test_settings_of_pn(rows):
    model = bridge.fit(two_layers, *rows, pn={"epochs": 2}, **QUICK)
    assert len(model.crossfit.history) == 4 and len(model.pn_crossfit.history) == 2
    with pytest.raises(ValueError, match="folds and partitions are those of the first"):
        bridge.fit(two_layers, *rows, pn={"folds": 2}, **QUICK)


def test_files_run_no_code(tmp_path):
    class Evil:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "made by the file"),)

    for name, write in (("pickle", pickle.dump), ("torch", torch.save)):
        with open(tmp_path / name, "wb") as file:
            write({"kind": "model of dedpul.torch 1", "evil": Evil()}, file)
        with pytest.raises(ValueError, match="is no model of dedpul.torch"):
            bridge.load(tmp_path / name, two_layers, "cpu")
    assert not (tmp_path / "made by the file").exists()


def test_docstrings():
    found = doctest.testmod(_model)
    assert found.attempted > 0 and found.failed == 0
