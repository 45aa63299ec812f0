"""What share of unlabeled images shows vehicles? Some vehicles are labeled; the truth is known, and shown beside.

    examples/torch/cifar10.py DATA                      # a small residual network; some seconds on a GPU
    examples/torch/cifar10.py DATA --network conv       # the paper's all-convolutional network

DATA is the directory of data_batch_1.bin to data_batch_5.bin (CIFAR-10, binary version), which may be packed with gzip.
"""
import argparse
import math

import images
import torch

import dedpul.torch


def rise_and_fall(done):
    """The factor of the rate: it rises for a tenth of the training and then falls to 0."""
    return min(done / 0.1, (1 + math.cos(math.pi * done)) / 2)


TRAININGS = {
    # It learns fast, and too much by heart: epochs are short, so that training stops in time.
    "residual": {"partitions": 3, "batch": 128, "rate": 5e-4, "schedule": rise_and_fall, "epochs": 25, "epoch_steps": 20,
                 "min_epochs": 2, "patience": 7, "transform": images.Change(),
                 "precision": "bf16" if torch.cuda.is_available() else None},
    "conv": {"partitions": 1, "batch": 64, "rate": 1e-4, "epochs": 250, "epoch_steps": 1, "min_epochs": 1, "patience": 7},
}
NETWORKS = {"residual": images.Residual, "conv": images.AllConvolutional}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--network", choices=NETWORKS, default="residual")
    parser.add_argument("--labeled", type=int, default=1000)
    parser.add_argument("--positive", type=int, default=10000, help="vehicles among the unlabeled images")
    parser.add_argument("--negative", type=int, default=30000)
    parser.add_argument("--epochs", type=int, help="at most")
    options = parser.parse_args()
    data, classes = images.read_cifar10(options.data)
    rows, labels, truth = images.draw(classes, images.POSITIVE["cifar10"], options.labeled, options.positive,
                                      options.negative, seed=0)
    training = TRAININGS[options.network]
    if options.epochs is not None:
        training = {**training, "epochs": options.epochs}
    model = dedpul.torch.fit(NETWORKS[options.network], data[rows], labels, progress=True, **training)
    print(f"\n{model}\nIn truth, alpha is {truth.mean():.4f}.")
    right = (model.result.posterior > 0.5) == truth
    print(f"{right.mean():.4f} of the unlabeled images are told right, without any image known to be no vehicle.")
    model.save("cifar10.dedpul")
    loaded = dedpul.torch.load("cifar10.dedpul", NETWORKS[options.network])
    print("Posteriors of five more images:", loaded.predict(data[:5]).round(3), "truth:",
          [int(c in images.POSITIVE["cifar10"]) for c in classes[:5]])


if __name__ == "__main__":
    main()
