"""Times training in PyTorch, on one thread, as bench_fit does for ours.

Prints a line per setting of BLAS: its name, the seconds of the small fit, and those per step of each large network.
"""
import statistics
import sys
import time

import blas

FOLDS, EPOCHS, BATCH, STEPS, WIDTHS = 5, 20, 64, 25, (50, 784)


def measure():
    import torch
    from torch.nn import BatchNorm1d, Linear, ReLU, Sequential
    from torch.nn.functional import softplus

    torch.set_num_threads(1)

    def start(net, rate):
        return net, torch.optim.Adam(net.parameters(), lr=rate, weight_decay=1e-4)

    def loss(logit, n_1):
        return (softplus(-logit[:n_1]).mean() + softplus(logit[n_1:]).mean()) / 2

    def train(net, optimizer, p, u, steps):
        net.train()
        draw_p, draw_u = torch.randperm(len(p)), torch.randperm(len(u))
        for i in range(0, steps * BATCH, BATCH):
            x = torch.cat((p[draw_p[i : i + BATCH]], u[draw_u[i : i + BATCH]]))
            optimizer.zero_grad(set_to_none=True)
            loss(net(x), BATCH).backward()
            optimizer.step()

    def fit(p, u):
        begin = time.perf_counter()
        fold_p, fold_u = torch.randperm(len(p)) % FOLDS, torch.randperm(len(u)) % FOLDS
        for k in range(FOLDS):
            net, optimizer = start(Sequential(Linear(1, 16), ReLU(), Linear(16, 1)), 1e-3)
            train_p, train_u = p[fold_p != k], u[fold_u != k]
            held_out, n_1 = torch.cat((p[fold_p == k], u[fold_u == k])), int((fold_p == k).sum())
            for _ in range(EPOCHS):
                train(net, optimizer, train_p, train_u, len(train_p) // BATCH)
                net.eval()
                with torch.no_grad():
                    loss(net(held_out), n_1).item()
        return time.perf_counter() - begin

    def step(width):
        layers = [Linear(width, 512, bias=False), BatchNorm1d(512), ReLU()]
        layers += [Linear(512, 512, bias=False), BatchNorm1d(512), ReLU(), Linear(512, 1)]
        net, optimizer = start(Sequential(*layers), 1e-4)
        p, u = torch.randn(2, STEPS * BATCH, width)
        seconds = []
        for _ in range(6):  # the first one warms up
            begin = time.perf_counter()
            train(net, optimizer, p, u, STEPS)
            seconds.append((time.perf_counter() - begin) / STEPS)
        return statistics.median(seconds[1:])

    train(*start(Linear(1, 1), 1e-3), *torch.randn(2, BATCH, 1), 1)
    return [fit(torch.randn(1000, 1) + 1, torch.randn(10000, 1)), *map(step, WIDTHS)]


if len(sys.argv) > 1:
    print(*measure())
else:
    blas.run_in_each(__file__, "measure")
