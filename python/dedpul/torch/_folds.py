"""Which rows each member learns from, which ones are watched, and how batches are drawn."""
import numpy as np
import torch

MOST_WATCHED = 20000  # rows of each class: enough to see the lowest loss
MOST_STEPS = 200  # of an epoch: what matters is the number of steps, not of passes


def mixed_seed(*numbers):
    """One seed from several numbers."""
    return int(np.random.SeedSequence([int(number) for number in numbers]).generate_state(1, np.uint64)[0]) >> 1


def _groups_of(groups, n):
    if groups is None:
        return np.arange(n)
    if isinstance(groups, torch.Tensor):
        groups = groups.cpu().numpy()
    groups = np.asarray(groups)
    if groups.shape != (n,):
        raise ValueError(f"groups must have one value for each of {n} rows, but their shape is {groups.shape}")
    return np.unique(groups, return_inverse=True)[1]


def _deal(labels, group, folds, seed):
    """Deals groups out to folds at random, the largest first, so that folds have about as many rows of each class."""
    random = np.random.default_rng(seed)
    n_groups = group.max() + 1
    counts = np.stack([np.bincount(group, labels == label, n_groups) for label in (0, 1)], 1)
    order = random.permutation(n_groups)
    order = order[np.argsort(-counts[order].max(1), kind="stable")]
    total = np.maximum(counts.sum(0), 1)
    filled, fold_of = np.zeros((folds, 2)), np.empty(n_groups, int)
    start = random.integers(folds)
    for g in order:
        after = ((filled + counts[g]) / total * (counts[g] > 0)).max(1)
        chosen = (start + np.argmin(np.roll(after, -start))) % folds
        fold_of[g] = chosen
        filled[chosen] += counts[g]
    return fold_of[group]


def deal_folds(labels, groups, folds, partitions, seed):
    """The fold of each row in each partition, (partitions, n)."""
    n = len(labels)
    if groups is not None:
        group = _groups_of(groups, n)
        fold = np.stack([_deal(labels, group, folds, mixed_seed(seed, 1, k)) for k in range(partitions)])
    else:
        fold = np.empty((partitions, n), int)
        for k in range(partitions):
            random = np.random.default_rng(mixed_seed(seed, 1, k))
            for label in (0, 1):
                rows = random.permutation(np.flatnonzero(labels == label))
                fold[k, rows] = (np.arange(len(rows)) + random.integers(folds)) % folds
    _check_folds(labels, fold, folds, groups is not None)
    return fold


def _check_folds(labels, fold, folds, has_groups):
    change = "use fewer folds (folds=)" + (", or smaller groups" if has_groups else "")
    for k, of_row in enumerate(fold):
        for label, name in ((1, "labeled"), (0, "unlabeled")):
            count = np.bincount(of_row[labels == label], minlength=folds)
            if count.min() == 0:
                raise ValueError(f"fold {int(np.argmin(count)) + 1} of partition {k + 1} has no {name} rows (there are "
                                 f"{int(count.sum())} in all): {change}")
            if count.max() == count.sum():
                raise ValueError(f"outside fold {int(np.argmax(count)) + 1} of partition {k + 1} there are no {name} rows "
                                 f"to learn from: {change}")


def choose_watched(labels, weighted, seed):
    """At most MOST_WATCHED rows of each class that have a weight, ascending."""
    random = np.random.default_rng(mixed_seed(seed, 2))
    chosen = [np.flatnonzero((labels == label) & weighted) for label in (0, 1)]
    chosen = [rows if len(rows) <= MOST_WATCHED else random.choice(rows, MOST_WATCHED, replace=False) for rows in chosen]
    return np.sort(np.concatenate(chosen))


class Examples:
    """What networks learn: a row, its class and a weight each. A row may be an example of both classes."""

    def __init__(self, row, label, weight):
        self.row, self.label = row, label
        self.weight = None if weight is None or (weight == 1).all() else weight

    def weights(self):
        return np.ones(len(self.row)) if self.weight is None else self.weight


class Decks:
    """Draws the batches of one member: rows of each class that are outside its fold.

    Without weights they are drawn without replacement, and shuffled again when all are drawn; with weights, each draw is
    in proportion to them.
    """

    def __init__(self, examples, fold, held_out):
        self.weight = examples.weights()
        learns = (fold[examples.row] != held_out) & (self.weight > 0)
        self.examples = [np.flatnonzero(learns & (examples.label == label)) for label in (0, 1)]
        self.row, self.has_weights = examples.row, examples.weight is not None

    def size(self, label):
        """How many rows the deck stands for: the sum of their weights, but at most their number."""
        chosen = self.examples[label]
        return min(self.weight[chosen].sum(), len(chosen))

    def draw(self, label, n, random):
        chosen = self.examples[label]
        if self.has_weights:
            sums = np.cumsum(self.weight[chosen])
            drawn = np.searchsorted(sums, random.random(n) * sums[-1], side="right")
            return self.row[chosen[np.minimum(drawn, len(chosen) - 1)]]
        times = -(-n // len(chosen))
        return self.row[np.concatenate([random.permutation(chosen) for _ in range(times)])[:n]]


def steps_per_epoch(decks, batch, least):
    """A pass over the smaller class, but at most MOST_STEPS and at least `least`."""
    sizes = min(min(deck.size(0), deck.size(1)) for deck in decks)
    return int(max(min(sizes / batch, MOST_STEPS), least, 1))
