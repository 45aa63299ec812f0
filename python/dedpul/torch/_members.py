"""Networks in training: one alone, or all of a device at once.

A *team* trains the networks of some members on one device. `Solo` holds one network. `Stack` holds several of the same
shape, whose parameters are stacked and whose steps run as one (torch.func.vmap). On a GPU either may replay a step as a
CUDA graph.
"""
from contextlib import nullcontext

import torch
from torch.nn.modules.conv import _ConvNd

from . import losses


def one_logit(output, n):
    """The logits of n rows as a vector."""
    if not isinstance(output, torch.Tensor):
        raise ValueError(f"make_model() gave a network that returns a {type(output).__name__}; it must return a tensor "
                         "with one logit for each row")
    if output.shape not in ((n,), (n, 1)):
        raise ValueError(f"make_model() gave a network whose output has the shape {tuple(output.shape)} for {n} rows; one "
                         "logit for each row is needed: end it with a single output, such as nn.Linear(..., 1)")
    return output.reshape(n).float()


def _has_tensor_rates(optimizer):
    """Only such an optimizer can be part of a CUDA graph."""
    return all(group.get("capturable") and isinstance(group["lr"], torch.Tensor) for group in optimizer.param_groups)


class _Team:
    """What both kinds share: the optimizer, the schedule, mixed precision, the graph."""

    def __init__(self, members, device, settings, parameters):
        self.members, self.device, self.settings = members, device, settings
        self.optimizer = self._make_optimizer(parameters)
        self.rates = [float(group["lr"]) for group in self.optimizer.param_groups]
        self.loss_sum = torch.zeros(len(members), device=device)
        self.graph = None

    def _make_optimizer(self, parameters):
        s = self.settings
        if s.optimizer is not None:
            return s.optimizer(parameters)
        if s.graph is not False and self.device.type == "cuda":
            try:
                rate = torch.tensor(s.rate, device=self.device)
                return torch.optim.Adam(parameters, lr=rate, weight_decay=s.decay, capturable=True, fused=True)
            except (ValueError, TypeError):  # before PyTorch 2.1 a rate is a number
                pass
        return torch.optim.Adam(parameters, lr=s.rate, weight_decay=s.decay)

    def set_rate(self, factor):
        for group, rate in zip(self.optimizer.param_groups, self.rates):
            if isinstance(group["lr"], torch.Tensor):
                group["lr"].fill_(rate * factor)
            else:
                group["lr"] = rate * factor

    def precision(self):
        """Mixed precision, if it is asked for."""
        if self.settings.precision is None:
            return nullcontext()
        return torch.autocast(self.device.type, dtype=torch.bfloat16)

    def step(self, batch):
        """One step on the inputs of all members; labeled rows come first."""
        self.optimizer.zero_grad(set_to_none=True)
        with self.precision():
            loss = self.losses(batch)
        loss.sum().backward()
        self.optimizer.step()
        self.loss_sum += loss.detach()

    def logits(self, batch, n):
        """Logits of a batch of n rows for each member, after train(False)."""
        with torch.no_grad(), self.precision():
            return self.outputs(batch, n)

    # ---- CUDA graphs ----

    def capture(self, rows, index, transform, pool):
        """Makes a graph of a step that gathers its rows, or returns the reason why there is none."""
        if not _has_tensor_rates(self.optimizer):
            return "the optimizer is not capturable, or its rate is no tensor"
        self.index = index.clone()
        before = self.state()
        try:
            aside = torch.cuda.Stream(self.device)
            aside.wait_stream(torch.cuda.current_stream(self.device))
            with torch.cuda.stream(aside):
                for _ in range(3):
                    self.step(transform(rows.gather(self.index, self.device)))
            torch.cuda.current_stream(self.device).wait_stream(aside)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, pool=pool):
                self.step(transform(rows.gather(self.index, self.device)))
            self.graph = graph
        except RuntimeError as error:
            if is_out_of_memory(error):
                raise
            return f"a step cannot be captured ({str(error).splitlines()[0]})"
        finally:
            self._undo(before)
            self.loss_sum.zero_()
        return None

    def replay(self, index):
        self.index.copy_(index)
        self.graph.replay()

    # ---- states ----

    def weights(self):
        """A copy of parameters and buffers, to finish with."""
        return {name: tensor.detach().clone() for name, tensor in self.tensors().items()}

    def state(self):
        """All that training goes on from."""
        return {"weights": self.weights(), "optimizer": _copied(self.optimizer.state_dict()["state"])}

    def set_weights(self, weights):
        with torch.no_grad():
            for name, tensor in self.tensors().items():
                tensor.copy_(weights[name])

    def restore(self, state):
        """Goes back to a state of this team or of one like it."""
        self.set_weights(state["weights"])
        groups = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": _copied(state["optimizer"]), "param_groups": groups})

    def _undo(self, state):
        """Goes back to the state before a graph was captured, in the memory that it points to."""
        self.set_weights(state["weights"])
        parameters = [parameter for group in self.optimizer.param_groups for parameter in group["params"]]
        for k, parameter in enumerate(parameters):
            for name, value in self.optimizer.state[parameter].items():
                value.copy_(state["optimizer"].get(k, {}).get(name, torch.zeros_like(value)))


def _copied(value):
    """A copy of nested dicts and lists of tensors."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, dict):
        return {name: _copied(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_copied(part) for part in value]
    return value


class Solo(_Team):
    is_stack = False

    def __init__(self, member, model, device, settings):
        self.model = model.to(device)
        super().__init__([member], device, settings, list(self.model.parameters()))

    def train(self, on):
        self.model.train(on)

    def losses(self, batch):
        n = self.settings.n_labeled
        logit = one_logit(self.model(batch), n + self.settings.n_unlabeled)
        return losses.balanced(logit[:n], logit[n:])[None]

    def outputs(self, batch, n):
        return one_logit(self.model(batch), n)

    def tensors(self):
        return self.model.state_dict(keep_vars=True)

    def network(self, member, make):
        return self.model


class Stack(_Team):
    is_stack = True

    def __init__(self, members, models, device, settings):
        from torch.func import functional_call, stack_module_state, vmap

        self.model = models[0].to(device)
        self.parameters, self.buffers = stack_module_state([model.to(device) for model in models])

        def forward(parameters, buffers, batch):
            return one_logit(functional_call(self.model, (parameters, buffers), (batch,)), len(batch))

        def loss(parameters, buffers, batch):
            logit, n = forward(parameters, buffers, batch), settings.n_labeled
            return losses.balanced(logit[:n], logit[n:])

        self._losses = vmap(loss, randomness="different")
        self._outputs = vmap(forward)
        super().__init__(members, device, settings, list(self.parameters.values()))

    def train(self, on):
        self.model.train(on)

    def losses(self, batch):
        return self._losses(self.parameters, self.buffers, batch)

    def outputs(self, batch, n):
        return self._outputs(self.parameters, self.buffers, batch)

    def tensors(self):
        return {**self.parameters, **self.buffers}

    def network(self, member, make):
        place, model = self.members.index(member), make(member)
        model.load_state_dict({name: tensor[place] for name, tensor in self.tensors().items()}, strict=False)
        return model.to(self.device)


def is_out_of_memory(error):
    return isinstance(error, getattr(torch.cuda, "OutOfMemoryError", ())) or "out of memory" in str(error) \
        or "can't allocate memory" in str(error) or "not enough memory" in str(error)


def why_not_together(models, rows, settings):
    """The reason why the networks cannot, or should not, train as one; None if they can."""
    if not hasattr(torch, "func"):
        return "torch.func needs PyTorch 2"
    if not rows.is_tensor:
        return "data is no tensor"
    if len(models) < 2:
        return "there is one network on each device"
    if settings.together is None and settings.optimizer is not None:
        return "an optimizer of your own may not treat the networks apart; together=True insists"
    if settings.together is None and any(isinstance(part, _ConvNd) for part in models[0].modules()):
        return "convolutions of stacked networks are slower than one after the other; together=True insists"
    return None


def make_teams(make, dealt, rows, settings):
    """Teams of the members dealt to each device, and the reason why they are not stacked, or None.

    `make(member)` gives a new network, always the same one for a member.
    """
    reason = None
    first = {device: [make(member) for member in members] for device, members in dealt.items()}
    if settings.together is not False:
        reason = next(filter(None, (why_not_together(models, rows, settings) for models in first.values())), None)
        if reason is None:
            try:
                teams = [Stack(dealt[device], models, device, settings) for device, models in first.items()]
                for team in teams:
                    _probe(team, rows, settings)
                # Anew, since the probe has moved random states and running means.
                return [Stack(members, [make(m) for m in members], device, settings)
                        for device, members in dealt.items()], None
            except (RuntimeError, NotImplementedError, TypeError) as error:
                if is_out_of_memory(error):
                    raise
                reason = f"the network does not run under torch.func.vmap ({str(error).splitlines()[0]})"
        if settings.together:
            raise ValueError(f"together=True: the networks cannot train as one, since {reason}")
    else:
        reason = "together=False"
    return [Solo(member, model, device, settings) for device, models in first.items()
            for member, model in zip(dealt[device], models)], reason


def _probe(team, rows, settings):
    n = settings.n_labeled + settings.n_unlabeled
    index = torch.arange(n).remainder(rows.n).expand(len(team.members), n)
    team.train(True)
    team.step(rows.gather(index, team.device))
    team.train(False)
    team.logits(rows.gather(index, team.device), n)
