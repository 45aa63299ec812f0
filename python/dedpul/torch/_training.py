"""The members in training: batches, held-out logits, and when to stop."""
import time
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
import torch

from ._folds import Decks, choose_watched, mixed_seed, steps_per_epoch
from ._members import make_teams


class Epoch(NamedTuple):
    """An epoch of the training: the mean loss of its steps, and the loss of the averaged held-out logits."""

    epoch: int
    training_loss: float
    loss: float
    seconds: float


class Training:
    """The members in training, and when to stop."""

    def __init__(self, make_model, rows, examples, fold, settings, stage):
        self.rows, self.examples, self.fold, self.settings, self.stage = rows, examples, fold, settings, stage
        self.make_model = make_model
        self.n_members = settings.partitions * settings.folds
        self.decks = [Decks(examples, *self._held_out(m)) for m in range(self.n_members)]
        self._check_decks()
        self.steps = steps_per_epoch(self.decks, settings.batch, settings.epoch_steps)
        settings.n_unlabeled, settings.n_labeled = (
            min(settings.batch, min(len(deck.examples[label]) for deck in self.decks)) for label in (0, 1))
        self._find_watched()
        self.history, self.best_epoch, self.lowest, self.kept = [], 0, np.inf, None
        self._make_teams()

    def _check_decks(self):
        for member, deck in enumerate(self.decks):
            partition, fold = divmod(member, self.settings.folds)
            for label, name in ((1, "labeled"), (0, "unlabeled")):
                if len(deck.examples[label]) == 0:
                    raise ValueError(f"outside fold {fold + 1} of partition {partition + 1} no {name} row has a weight "
                                     "above 0: use fewer folds (folds=), or other weights")

    def _held_out(self, member):
        partition, held_out = divmod(member, self.settings.folds)
        return self.fold[partition], held_out

    def _unseen(self, member, rows):
        fold, held_out = self._held_out(member)
        return rows[fold[rows] == held_out]

    def _find_watched(self):
        examples, weight = self.examples, self.examples.weights()
        chosen = choose_watched(examples.label, weight > 0, self.settings.seed)
        self.watched_example = chosen
        self.watched = np.unique(examples.row[chosen])
        self.watched_weight = weight[chosen]

    def make(self, member):
        """A new network of the user's."""
        torch.manual_seed(mixed_seed(self.settings.seed, 3, member))
        model = self.make_model()
        if not isinstance(model, torch.nn.Module):
            raise ValueError(f"make_model() must return a torch.nn.Module, but it returned a {type(model).__name__}")
        return model

    def _make_teams(self):
        devices = self.settings.devices
        dealt = {device: list(range(self.n_members))[k::len(devices)] for k, device in enumerate(devices)}
        dealt = {device: members for device, members in dealt.items() if members}
        self.teams, self.not_together = make_teams(self.make, dealt, self.rows, self.settings)
        of_device = [[team for team in self.teams if team.device == device] for device in dealt]
        self.rounds = [[team for team in turn if team is not None] for turn in zip_longest(*of_device)]

    # ---- training ----

    def _transform(self, batch, is_stack):
        transform = self.settings.transform
        if transform is None:
            return batch
        if is_stack:  # to a transform, rows of all members are one batch
            return transform(batch.flatten(0, 1)).unflatten(0, batch.shape[:2])
        return transform(batch)

    def _draw(self, team, epoch):
        """Rows of an epoch's batches: (steps, rows) or, for all members of a stack, (steps, members, rows)."""
        lines = []
        for member in team.members:
            random = np.random.default_rng(mixed_seed(self.settings.seed, 4, member, epoch))
            drawn = [self.decks[member].draw(label, self.steps * n, random).reshape(self.steps, n)
                     for label, n in ((1, self.settings.n_labeled), (0, self.settings.n_unlabeled))]
            lines.append(np.concatenate(drawn, 1))
        return torch.from_numpy(np.stack(lines, 1) if team.is_stack else lines[0])

    def capture_graphs(self):
        """Makes CUDA graphs of the teams' steps where that can be done. Returns the reason why not, or None."""
        if self.settings.graph is False:
            return "graph=False"
        pools = {}
        for team in self.teams:
            if not self.rows.is_on(team.device) or team.device.type != "cuda":
                return "the data are not on a GPU"
            pool = pools.setdefault(team.device, torch.cuda.graph_pool_handle())
            index = self._draw(team, 0)[0].to(team.device)
            team.train(True)
            reason = team.capture(self.rows, index, lambda batch: self._transform(batch, team.is_stack), pool)
            if reason is not None:
                for other in self.teams:
                    other.graph = None
                return reason
        return None

    def _team_steps(self, team, epoch):
        """Takes the steps of an epoch, one at a time."""
        index = self._draw(team, epoch)
        team.train(True)
        team.loss_sum.zero_()
        batches = index.to(team.device) if team.graph else self.rows.batches(index, team.device)
        for step, batch in enumerate(batches):
            if self.settings.schedule is not None:
                done = (epoch - 1 + step / self.steps) / self.settings.epochs
                team.set_rate(self.settings.schedule(done))
            if team.graph is not None:
                team.replay(batch)
            else:
                team.step(self._transform(batch, team.is_stack))
            yield

    def _advance(self, epoch):
        for k, turn in enumerate(self.rounds):
            torch.manual_seed(mixed_seed(self.settings.seed, 5, epoch, k))
            for _ in zip_longest(*(self._team_steps(team, epoch) for team in turn)):
                pass  # teams take turns, so that their devices work side by side
        losses = np.concatenate([team.loss_sum.cpu().numpy() for team in self.teams]) / self.steps
        self._check_finite(losses, epoch)
        self.rows.check()
        return float(losses.mean())

    def _check_finite(self, values, epoch):
        if np.isfinite(values).all():
            return
        row = self.rows.first_not_finite()
        if row is not None:
            raise FloatingPointError(f"row {row} of data has a value that is not finite: fill it, or leave the row out")
        raise FloatingPointError(f"training broke down in epoch {epoch}: the loss is not finite any more. Use a lower rate "
                                 f"(rate=, now {self.settings.rate:g}), scale the inputs, or train without mixed precision")

    # ---- held-out logits ----

    def _score(self, team, wanted):
        """Logits of the rows wanted, one array for each member of the team."""
        longest = max(map(len, wanted))
        if longest == 0:
            return [np.empty(0) for _ in wanted]
        index = torch.from_numpy(np.stack([np.resize(rows, longest) for rows in wanted]))
        pieces = (index if team.is_stack else index[0]).split(self.settings.score_batch, -1)
        team.train(False)
        found = [team.logits(batch, piece.shape[-1])
                 for batch, piece in zip(self.rows.batches(pieces, team.device), pieces)]
        found = torch.cat(found, -1).double().cpu().numpy().reshape(len(wanted), longest)
        return [logits[:len(rows)] for logits, rows in zip(found, wanted)]

    def held_out(self, rows):
        """The mean over partitions of the held-out logit of each of these rows, in an array over all rows."""
        mean = np.zeros(self.rows.n)
        for team in self.teams:
            wanted = [self._unseen(member, rows) for member in team.members]
            for of_member, logits in zip(wanted, self._score(team, wanted)):
                mean[of_member] += logits / self.settings.partitions
        return mean

    def _watch(self):
        """The loss of the averaged held-out logits; both classes count the same."""
        logit = self.held_out(self.watched)[self.examples.row[self.watched_example]]
        label = self.examples.label[self.watched_example]
        loss = np.logaddexp(0, np.where(label == 1, -logit, logit))
        return sum(np.average(loss[label == k], weights=self.watched_weight[label == k]) for k in (0, 1)) / 2

    # ---- when to stop ----

    def _one_epoch(self, epoch):
        begin = time.perf_counter()
        training_loss = self._advance(epoch)
        loss = self._watch()
        self._check_finite(loss, epoch)
        fewest = min(self.settings.min_epochs, self.settings.epochs)
        if epoch >= fewest and (loss < self.lowest or self.best_epoch == 0):
            self.lowest, self.best_epoch = loss, epoch
            self.kept = [team.weights() for team in self.teams]
        self.history.append(Epoch(epoch, training_loss, float(loss), time.perf_counter() - begin))

    def _is_over(self):
        epoch = len(self.history)
        return epoch >= self.settings.epochs or self.best_epoch > 0 and epoch - self.best_epoch >= self.settings.patience

    def run(self, checkpoint):
        state = checkpoint.read() if checkpoint is not None else None
        if state is not None:
            self._go_on_from(state)
        reason = self.capture_graphs() if not self._is_over() else None
        while not self._is_over():
            self._one_epoch(len(self.history) + 1)
            if self.settings.progress is not None:
                self.settings.progress(self.stage, len(self.history), self.settings.epochs, self.history[-1].loss)
            if checkpoint is not None and (checkpoint.is_due() or self._is_over()):
                checkpoint.write(self._state())
        for team, weights in zip(self.teams, self.kept):
            team.set_weights(weights)
        return {"together": self.not_together, "graph": reason}

    def _state(self):
        return {"history": [list(epoch) for epoch in self.history], "best_epoch": self.best_epoch,
                "lowest": float(self.lowest), "kept": self.kept, "teams": [team.state() for team in self.teams]}

    def _go_on_from(self, state):
        self.history = [Epoch(*epoch) for epoch in state["history"]]
        self.best_epoch, self.lowest, self.kept = state["best_epoch"], state["lowest"], state["kept"]
        for team, own in zip(self.teams, state["teams"]):
            team.restore(own)

    def members(self):
        """The networks, with the weights that were kept."""
        found = [None] * self.n_members
        for team in self.teams:
            for member in team.members:
                found[member] = team.network(member, self.make).eval()
        return found
