"""The examples of dedpul.torch run, on small data that are made here."""
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import IS_SLOW, SOURCE

if IS_SLOW:
    pytest.skip("takes long where the library is instrumented", allow_module_level=True)
pytest.importorskip("torch", reason="PyTorch is not installed: the examples of dedpul.torch are not tested")
sys.path.append(str(SOURCE / "examples" / "torch"))


def run(directory, *arguments):
    done = subprocess.run([sys.executable, "-W", "ignore", *map(str, arguments)], cwd=directory, capture_output=True,
                          text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})  # small networks are slower with more
    assert done.returncode == 0, done.stderr
    alpha = float(re.search(r"alpha +(0\.\d+)", done.stdout)[1])
    return alpha, float(re.search(r"In truth, alpha is (0\.\d+)", done.stdout)[1])


def test_residual_network():
    """The residual network takes too long here to learn; it takes images as they come, changed or not."""
    import images
    import torch
    data = torch.arange(5 * 3 * 32 * 32).reshape(5, 3, 32, 32).remainder(251).to(torch.uint8)
    changed = images.Change()(data)
    assert changed.shape == data.shape and changed.dtype == data.dtype and not torch.equal(changed, data)
    assert torch.equal(images.Change(move=0, mirror=False, cover=0)(data), data)
    assert images.Residual(width=4)(changed).shape == (5, 1)


def test_cifar10(tmp_path):
    """Images of class 0, the positives, are darker; there are as many files as there are of CIFAR-10."""
    random = np.random.default_rng(0)
    for k in range(1, 6):
        classes = random.integers(0, 2, 60) * 2  # 0: airplane; 2: bird
        pixels = random.integers(0, 128, (60, 3072)) + 64 * (classes[:, None] > 0)
        np.concatenate((classes[:, None], pixels), 1).astype(np.uint8).tofile(tmp_path / f"data_batch_{k}.bin")
    alpha, truth = run(tmp_path, SOURCE / "examples" / "torch" / "cifar10.py", tmp_path, "--network", "conv", "--labeled",
                       "50", "--positive", "40", "--negative", "80", "--epochs", "2")
    assert 0 < alpha < 1 and truth == round(1 / 3, 4)
    assert (tmp_path / "cifar10.dedpul").exists()


def test_text(tmp_path, texts):
    alpha, truth = run(tmp_path, SOURCE / "examples" / "torch" / "text.py", texts, "ships")
    assert abs(alpha - truth) < 0.1


def test_guide(tmp_path):
    """The Python of the guide runs, and its table is that of the results."""
    text = (SOURCE / "docs" / "guide" / "pytorch.md").read_text()
    (tmp_path / "examples").symlink_to(SOURCE / "examples")
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) == 2
    alpha, truth = run(tmp_path, "-c", "\n".join(blocks) + "\nprint('In truth, alpha is 0.5')")
    assert abs(alpha - truth) < 0.1
    table = subprocess.run([sys.executable, SOURCE / "experiments" / "torch_report.py",
                            SOURCE / "experiments" / "results" / "torch.csv"], capture_output=True, text=True, check=True)
    assert table.stdout in text
