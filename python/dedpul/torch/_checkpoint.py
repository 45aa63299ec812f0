"""Writes the state of a training so that a killed one goes on from it."""
import os
import time

from . import _files

_KIND = "checkpoint of dedpul.torch 1"


class Checkpoint:
    def __init__(self, path, every, of_what):
        self.path, self.every, self.of_what = os.fspath(path), every, of_what
        self.written = time.monotonic()

    def read(self):
        """The state, or None if there is none."""
        if not os.path.exists(self.path):
            return None
        state = _files.read(self.path, "cpu", _KIND)
        for name, value in self.of_what.items():
            found = state["of_what"].get(name)
            if found != value:
                raise ValueError(f"{self.path} is the checkpoint of another training: its {name} is {found}, and here it "
                                 f"is {value}. Name another file (checkpoint=), or remove it")
        return state

    def is_due(self):
        return time.monotonic() - self.written >= self.every

    def write(self, state):
        _files.write(self.path, {**state, "kind": _KIND, "of_what": self.of_what})
        self.written = time.monotonic()
