"""Times an epoch of the convolutional network in PyTorch, on one thread, as bench_conv does for ours.

Prints a line per order of an image's values in memory: its name and the seconds of an epoch.
"""
import statistics
import time

import torch
from torch.nn import BatchNorm2d, Conv2d, Flatten, Linear, ReLU, Sequential
from torch.nn.functional import softplus

BATCH, STEPS, SCORED, PIECE = 64, 12, 8000, 64
CONVOLUTIONS = ((3, 16, 5, 1), (16, 16, 3, 2), (16, 32, 5, 1), (32, 32, 3, 2), (32, 32, 1, 1), (32, 4, 1, 1))


def network():
    layers = []
    for inputs, outputs, kernel, stride in CONVOLUTIONS:
        layers += [Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), BatchNorm2d(outputs), ReLU()]
    return Sequential(*layers, Flatten(), Linear(256, 128), ReLU(), Linear(128, 64), ReLU(), Linear(64, 1))


def measure(order):
    net = network().to(memory_format=order)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-4, weight_decay=1e-4)
    p, u, held_out = (torch.randn(n, 3, 32, 32).to(memory_format=order) for n in (BATCH * STEPS, BATCH * STEPS, SCORED))
    seconds = []
    for _ in range(4):  # the first one warms up
        begin = time.perf_counter()
        net.train()
        draw_p, draw_u = torch.randperm(len(p)), torch.randperm(len(u))
        for i in range(0, STEPS * BATCH, BATCH):
            x = torch.cat((p[draw_p[i : i + BATCH]], u[draw_u[i : i + BATCH]]))
            optimizer.zero_grad(set_to_none=True)
            logit = net(x)
            ((softplus(-logit[:BATCH]).mean() + softplus(logit[BATCH:]).mean()) / 2).backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            for i in range(0, SCORED, PIECE):
                net(held_out[i : i + PIECE])
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds[1:])


torch.set_num_threads(1)
for name, order in (("channels first", torch.contiguous_format), ("channels last", torch.channels_last)):
    print(f"{name}: {measure(order)}")
