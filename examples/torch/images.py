"""Images of CIFAR-10 and MNIST, networks for them, and samples whose share of positives is known."""
import gzip
from pathlib import Path

import numpy as np
import torch
from torch import nn

POSITIVE = {"cifar10": (0, 1, 8, 9), "mnist": (1, 3, 5, 7, 9)}  # vehicles; odd digits


# ---- data ----

def _bytes(path):
    """The bytes of a file, which may be packed with gzip."""
    packed = Path(f"{path}.gz")
    return gzip.decompress(packed.read_bytes()) if packed.exists() else Path(path).read_bytes()


def read_cifar10(directory):
    """Images (n, 3, 32, 32) as bytes, and classes, from the files of the binary version."""
    records = np.concatenate([np.frombuffer(_bytes(Path(directory) / f"data_batch_{k}.bin"), np.uint8).reshape(-1, 3073)
                              for k in range(1, 6)])
    return torch.from_numpy(records[:, 1:].reshape(-1, 3, 32, 32).copy()), records[:, 0]


def read_mnist(directory):
    """Images (n, 1, 28, 28) as bytes, and classes, of the training and the test part."""
    def read(name, offset):
        parts = [np.frombuffer(_bytes(Path(directory) / f"{part}-{name}"), np.uint8, offset=offset)
                 for part in ("train", "t10k")]
        return np.concatenate(parts)
    return torch.from_numpy(read("images-idx3-ubyte", 16).reshape(-1, 1, 28, 28).copy()), read("labels-idx1-ubyte", 8)


def standardized(images):
    """Pixels (n, pixels), each with mean 0 and deviation 1 over all images; those that never change are 0."""
    pixels = images.flatten(1).float()
    deviation, mean = torch.std_mean(pixels, 0)
    return (pixels - mean) / deviation.clamp_min(1e-6)


def draw(classes, positive, n_labeled, n_positive, n_negative, seed):
    """Rows of a sample (labeled ones first), their labels, and the truth of the unlabeled rows."""
    random = np.random.default_rng(seed)
    is_positive = np.isin(classes, positive)
    p = random.permutation(np.flatnonzero(is_positive))[:n_labeled + n_positive]
    n = random.permutation(np.flatnonzero(~is_positive))[:n_negative]
    if len(p) < n_labeled + n_positive or len(n) < n_negative:
        raise ValueError(f"there are {is_positive.sum()} positive and {(~is_positive).sum()} negative images: too few")
    labels = np.repeat([1, 0], [n_labeled, n_positive + n_negative])
    return np.concatenate((p, n)), labels, np.repeat([1, 0], [n_positive, n_negative])


# ---- networks: those of images take bytes, so that a device holds them in little memory ----

class AllConvolutional(nn.Sequential):
    """The paper's network for CIFAR-10: light and all-convolutional (Springenberg et al., 2015), as dedpul's `conv`."""

    def __init__(self, channels=3, size=32):
        layers, inputs = [], channels
        for outputs, kernel, stride in ((16, 5, 1), (16, 3, 2), (32, 5, 1), (32, 3, 2), (32, 1, 1), (4, 1, 1)):
            layers += [nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()]
            inputs = outputs
        width = 4 * ((size + 3) // 4) ** 2
        super().__init__(*layers, nn.Flatten(), nn.Linear(width, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(),
                         nn.Linear(64, 1))

    def forward(self, images):
        return super().forward(images.float() / 128 - 1)


class Dense(nn.Sequential):
    """The paper's network for tables and for MNIST: two layers of 512 with batch norm. It takes standardized numbers."""

    def __init__(self, inputs):
        super().__init__(nn.Linear(inputs, 512, bias=False), nn.BatchNorm1d(512), nn.ReLU(),
                         nn.Linear(512, 512, bias=False), nn.BatchNorm1d(512), nn.ReLU(), nn.Linear(512, 1))


def _layer(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())


class _Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(_layer(width, width), _layer(width, width))

    def forward(self, images):
        return images + self.layers(images)


class Residual(nn.Sequential):
    """A small residual network of nine layers."""

    def __init__(self, channels=3, width=32):
        w = width
        super().__init__(
            _layer(channels, w), _layer(w, 2 * w), nn.MaxPool2d(2), _Block(2 * w), _layer(2 * w, 4 * w), nn.MaxPool2d(2),
            _layer(4 * w, 8 * w), nn.MaxPool2d(2), _Block(8 * w), nn.AdaptiveMaxPool2d(1), nn.Flatten(),
            nn.Dropout(0.2), nn.Linear(8 * w, 1))

    def forward(self, images):
        images = images.contiguous(memory_format=torch.channels_last)
        return super().forward(images.float() / 64 - 2)


# ---- random changes at training ----

def _moved(n, size, most, device):
    """For each image, the places that its rows or columns come from: moved at random, and mirrored at the edges."""
    place = torch.arange(size, device=device) + torch.randint(-most, most + 1, (n, 1), device=device)
    return (size - 1) - ((size - 1) - place.abs()).abs()


class Change:
    """Moves images by some pixels, mirrors half of them, and covers a square of each."""

    def __init__(self, move=4, mirror=True, cover=8):
        self.move, self.mirror, self.cover = move, mirror, cover

    def __call__(self, images):
        n, _, height, width = images.shape
        device = images.device
        y, x = _moved(n, height, self.move, device), _moved(n, width, self.move, device)
        if self.mirror:
            x = torch.where(torch.rand(n, 1, device=device) < 0.5, x.flip(1), x)
        changed = images[torch.arange(n, device=device)[:, None, None], :, y[:, :, None], x[:, None, :]]
        if self.cover:
            changed = torch.where(self._covered(n, height, width, device), torch.full_like(changed, 128), changed)
        return changed.permute(0, 3, 1, 2)

    def _covered(self, n, height, width, device):
        inside = []
        for size in (height, width):
            begin = torch.randint(-self.cover // 2, size - self.cover // 2, (n, 1), device=device)
            place = torch.arange(size, device=device)
            inside.append((place >= begin) & (place < begin + self.cover))
        return (inside[0][:, :, None] & inside[1][:, None, :])[..., None]
