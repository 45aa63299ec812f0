"""Where batches come from: tensors or datasets, on one or several devices."""
import numpy as np
import torch
from torch.utils.data import ConcatDataset, DataLoader, default_collate

from .. import _arrays


def _input_of(items):
    """The default of `collate`: of an item that is a tuple, such as (image, class), the first part is the input."""
    return default_collate([item[0] if isinstance(item, (tuple, list)) else item for item in items])


def move(batch, device):
    """A tensor, tuple, list, dict or anything with a method `to`, on the device."""
    if isinstance(batch, dict):
        return {name: move(part, device) for name, part in batch.items()}
    if isinstance(batch, (tuple, list)):
        return type(batch)(move(part, device) for part in batch)
    return batch.to(device, non_blocking=True) if hasattr(batch, "to") else batch


class TensorRows:
    """Rows of a tensor, which is copied to a device if it fits into a half of its free memory."""

    is_tensor = True

    def __init__(self, tensor):
        self.tensor = tensor.detach()
        self.n = len(tensor)
        self._on = {}

    def on(self, device):
        if device not in self._on:
            self._on[device] = self.tensor
            size = self.tensor.numel() * self.tensor.element_size()
            if device.type != "cuda" or size < torch.cuda.mem_get_info(device)[0] / 2:
                self._on[device] = self.tensor.to(device)
        return self._on[device]

    def is_on(self, device):
        return self.on(device).device == device

    def gather(self, rows, device):
        """Inputs of these rows; `rows` has any shape."""
        source = self.on(device)
        return source[rows.to(source.device)].to(device, non_blocking=True)

    def batches(self, rows, device):
        """One input for each of the index tensors in `rows`."""
        return (self.gather(line, device) for line in rows)

    def check(self):
        pass

    def first_not_finite(self):
        """The first row that holds NaN or an infinite number, or None."""
        if not self.tensor.is_floating_point():
            return None
        for begin in range(0, self.n, 4096):
            piece = self.tensor[begin:begin + 4096]
            wrong = ~torch.isfinite(piece.flatten(1) if piece.dim() > 1 else piece[:, None]).all(1)
            if wrong.any():
                return begin + int(wrong.nonzero()[0])
        return None


class DatasetRows:
    """Rows of a map-style dataset, loaded anew for each batch."""

    is_tensor = False

    def __init__(self, dataset, collate, workers):
        self.dataset, self.collate, self.workers = dataset, collate or _input_of, workers
        self.n = len(dataset)

    def is_on(self, device):
        return False

    def batches(self, rows, device):
        # A generator of its own: the loader must not move the random state that networks draw from.
        generator = torch.Generator().manual_seed(torch.initial_seed())
        loader = DataLoader(self.dataset, batch_sampler=[line.tolist() for line in rows], collate_fn=self.collate,
                            num_workers=self.workers, pin_memory=device.type == "cuda", generator=generator)
        try:
            for batch in loader:
                yield move(batch, device)
        except IndexError as error:
            self.check()
            raise IndexError(f"the dataset has {self.n} rows by its length, but one of them cannot be read ({error})") \
                from error

    def check(self):
        if len(self.dataset) != self.n:
            raise ValueError(f"the dataset had {self.n} rows at the start and has {len(self.dataset)} now: it must not "
                             "change while networks train on it. Give a copy that stays as it is")

    def first_not_finite(self):
        return None


def read_rows(data, collate=None, workers=0):
    """Rows without labels."""
    if isinstance(data, np.ndarray):
        data = torch.from_numpy(np.ascontiguousarray(data))
    if isinstance(data, torch.Tensor):
        return TensorRows(data)
    if hasattr(data, "__getitem__") and hasattr(data, "__len__"):
        return DatasetRows(data, collate, workers)
    raise ValueError(f"data must be a tensor, an array or a dataset with a length, but it is a {type(data).__name__}")


def _join(labeled, unlabeled):
    if isinstance(labeled, torch.Tensor) and isinstance(unlabeled, torch.Tensor):
        return torch.cat((labeled, unlabeled))
    if isinstance(labeled, np.ndarray) and isinstance(unlabeled, np.ndarray):
        return np.concatenate((labeled, unlabeled))
    return ConcatDataset([labeled, unlabeled])


def read_data(data, labels, collate=None, workers=0):
    """Rows and their labels; without labels, data is a pair of labeled and unlabeled data."""
    if labels is None:
        if not isinstance(data, (tuple, list)) or len(data) != 2:
            raise ValueError("labels are missing: 1 for labeled positive rows and 0 for unlabeled ones; or give data as "
                             "a pair (labeled, unlabeled)")
        labels = np.repeat(np.array([1, 0], np.uint8), [len(data[0]), len(data[1])])
        data = _join(*data)
    rows = read_rows(data, collate, workers)
    if isinstance(labels, torch.Tensor):
        labels = labels.cpu().numpy()
    labels = _arrays.labels(labels)
    _arrays.same_length(labels, rows.n, "labels", "data")
    return rows, labels
