"""Times a step of 15 networks 50-512-512-1: one after the other, stacked, and stacked in a CUDA graph.

    PYTHONPATH=python bench/torch_members.py [DEVICE]
"""
import statistics
import sys
import time

import numpy as np
import torch
from torch.nn import Linear, ReLU, Sequential

from dedpul.torch._data import TensorRows
from dedpul.torch._folds import Examples, deal_folds
from dedpul.torch._settings import Settings
from dedpul.torch._training import Training

ROWS, STEPS, REPEATS = 40000, 100, 5


def network():
    return Sequential(Linear(50, 512), ReLU(), Linear(512, 512), ReLU(), Linear(512, 1))


def seconds_per_step(device, **how):
    """The median over some epochs."""
    labels = (np.arange(ROWS) < ROWS // 4).astype(np.uint8)
    data = torch.from_numpy(np.random.default_rng(0).normal(size=(ROWS, 50)).astype(np.float32))
    settings = Settings(folds=5, partitions=3, batch=64, epoch_steps=STEPS, device=device, **how)
    fold = deal_folds(labels, None, 5, 3, 0)
    training = Training(network, TensorRows(data), Examples(np.arange(ROWS), labels, None), fold, settings, "bench")
    why_not = training.capture_graphs()
    found = []
    for epoch in range(1, REPEATS + 2):  # the first one warms up
        begin = time.perf_counter()
        training._advance(epoch)
        found.append((time.perf_counter() - begin) / training.steps)
    return statistics.median(found[1:]), training.not_together, why_not


def main():
    device = sys.argv[1] if len(sys.argv) > 1 else "cuda" if torch.cuda.is_available() else "cpu"
    print(f"PyTorch {torch.__version__}, {torch.cuda.get_device_name() if device.startswith('cuda') else device}")
    loop = None
    for name, how in (("one after the other", {"together": False, "graph": False}),
                      ("one after the other, in graphs", {"together": False}),
                      ("together", {"together": True, "graph": False}),
                      ("together, in a graph", {"together": True})):
        seconds, _, why_not = seconds_per_step(device, **how)
        loop = loop or seconds
        note = f"  (no graph: {why_not})" if why_not and "graph" not in how else ""
        print(f"{name:<32} {1000 * seconds:8.3f} ms a step {loop / seconds:8.1f} times as fast{note}")


if __name__ == "__main__":
    main()
