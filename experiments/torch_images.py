"""Runs the cells of cifar10 and mnist by dedpul.torch, and adds a line to a CSV file for each run.

    experiments/torch_images.py DATA OUT.csv --set cifar10 --network residual --alphas 0.05,0.5 --repeats 0,1,2

The networks of positives against negatives (pn) learn from posteriors with the share given, as `error` asks for. What is
in the file is not done again. experiments/results/torch.csv was made with the defaults on cifar10, and on mnist with
--partitions 1 --pn-epochs 4, on one GPU; it has no seconds for runs that shared the GPU with more than one other. The
paper's networks are `conv` on cifar10 and `dense` on mnist. conv_c and dense_c are those of the C library
(dedpul bench datasets --sets cifar10 --alphas 0.5 --repeats 5 --preset paper --stopping common, and --sets mnist).
"""
import argparse
import csv
import math
import os
import sys
import time
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "examples" / "torch")]
import dedpul  # noqa: E402
import dedpul.torch  # noqa: E402
import images  # noqa: E402

CELLS = {  # labeled, and positives and negatives among the unlabeled
    "cifar10": {0.05: (1000, 1578, 30000), 0.25: (1000, 10000, 30000), 0.5: (1000, 19000, 19000),
                0.75: (1000, 19000, 6333), 0.95: (1000, 19000, 1000)},
    "mnist": {0.05: (1000, 1811, 34418), 0.25: (1000, 11472, 34418), 0.5: (1000, 34418, 34418),
              0.75: (1000, 34582, 11527), 0.95: (1000, 34582, 1820)},
}
FIELDS = ["set", "network", "alpha", "repeat", "dedpul", "pooled", "low", "high", "error", "error_pn", "auc", "seconds",
          "epoch", "pn_epoch"]


def cosine(done):
    """A rate that rises for a tenth of the training and then falls to 0."""
    return min(done / 0.1, (1 + math.cos(math.pi * done)) / 2)


def training_of(options):
    """Settings of the training: the published ones for the paper's networks, but with one common stopping epoch."""
    if options.network != "residual":
        return {"partitions": 1, "rate": 1e-4, "batch": 64, "epoch_steps": 1, "min_epochs": 1, "patience": 7, "epochs": 250}
    is_colored = options.set == "cifar10"
    return {"partitions": options.partitions, "rate": options.rate, "batch": options.batch, "schedule": cosine,
            "epochs": options.epochs, "epoch_steps": options.steps, "min_epochs": 2, "patience": options.patience,
            "precision": "bf16" if torch.cuda.is_available() else None, "decay": options.decay,
            "transform": images.Change(move=4 if is_colored else 2, mirror=is_colored, cover=options.cover)}


def make_network(options):
    channels, size = (3, 32) if options.set == "cifar10" else (1, 28)
    if options.network == "residual":
        return lambda: images.Residual(channels, options.width)
    if options.network == "dense":
        return lambda: images.Dense(channels * size * size)
    return lambda: images.AllConvolutional(channels, size)


def run(data, classes, options, alpha, repeat):
    cell = CELLS[options.set][alpha]
    place = list(CELLS[options.set]).index(alpha)
    rows, labels, truth = images.draw(classes, images.POSITIVE[options.set], *cell, seed=1000 * place + repeat)
    begin = time.perf_counter()
    is_pn = options.network == "residual"
    pn = {"epochs": options.pn_epochs, "patience": options.pn_epochs, "epoch_steps": 80, "rate": options.pn_rate}
    model = dedpul.torch.fit(make_network(options), data[rows], labels, options={"alpha": truth.mean(), "method": "dedpul"},
                             pn=pn if is_pn else False, seed=repeat, **training_of(options))
    seconds = time.perf_counter() - begin
    scores = model.crossfit.scores
    found = {method: dedpul.estimate(scores, labels, method=method, interval=method == "pooled")
             for method in ("dedpul", "pooled")}
    error = ((model.result.posterior > 0.5) != truth).mean()
    of_pn = model.pn_posterior
    interval = found["pooled"].interval
    return {"dedpul": found["dedpul"].alpha, "pooled": found["pooled"].alpha, "low": interval.low, "high": interval.high,
            "error": error, "error_pn": ((of_pn > 0.5) != truth).mean() if is_pn else "", "auc": model.result.auc,
            "seconds": seconds, "epoch": model.crossfit.best_epoch, "pn_epoch": model.pn_crossfit.best_epoch if is_pn else ""}


def done_already(path):
    if not os.path.exists(path):
        return set()
    with open(path, newline="") as file:
        return {(row["set"], row["network"], float(row["alpha"]), int(row["repeat"])) for row in csv.DictReader(file)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="directory of cifar10/ and mnist/")
    parser.add_argument("out")
    parser.add_argument("--set", choices=CELLS, default="cifar10")
    parser.add_argument("--network", choices=("conv", "dense", "residual"), default="residual")
    parser.add_argument("--alphas", default="0.05,0.25,0.5,0.75,0.95")
    parser.add_argument("--repeats", default="0")
    for name, default in (("width", 32), ("batch", 128), ("epochs", 25), ("steps", 20), ("patience", 7), ("partitions", 3),
                          ("cover", 8), ("pn_epochs", 6)):
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=default)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--pn-rate", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=1e-4)
    options = parser.parse_args()
    read = {"cifar10": images.read_cifar10, "mnist": images.read_mnist}[options.set]
    data, classes = read(Path(options.data) / options.set)
    if options.network == "dense":
        data = images.standardized(data)
    done = done_already(options.out)
    for repeat in map(int, options.repeats.split(",")):
        for alpha in map(float, options.alphas.split(",")):
            key = {"set": options.set, "network": options.network, "alpha": alpha, "repeat": repeat}
            if tuple(key.values()) in done:
                continue
            row = {**key, **run(data, classes, options, alpha, repeat)}
            row = {name: f"{row[name]:.6g}" if isinstance(row[name], float) else row[name] for name in FIELDS}
            with open(options.out, "a", newline="") as file:
                writer = csv.DictWriter(file, FIELDS)
                if file.tell() == 0:
                    writer.writeheader()
                writer.writerow(row)
            print(*row.values(), flush=True)


if __name__ == "__main__":
    main()
