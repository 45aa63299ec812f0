"""Files of tensors, numbers and texts that are read without running any code in them."""
import os

import torch


def _plain(value):
    """Nested dicts and lists, with floats as texts: the safe reader of PyTorch 1.13 knows no floats."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return {"float": value.hex()} if isinstance(value, float) else value


def _restored(value):
    if isinstance(value, dict):
        if set(value) == {"float"}:
            return float.fromhex(value["float"])
        return {name: _restored(part) for name, part in value.items()}
    return [_restored(part) for part in value] if isinstance(value, list) else value


def write(path, state):
    """Replaces the file as a whole: after a crash it is the old or the new one, never a part."""
    path = os.fspath(path)
    with open(path + ".part", "wb") as file:
        torch.save(_plain(state), file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".part", path)


def read(path, device, kind):
    """The state of a file of this kind."""
    try:
        state = _restored(torch.load(path, map_location=device, weights_only=True))
        if state["kind"] == kind:
            return state
        problem = f"its kind is {state['kind']!r}"
    except OSError:
        raise
    except Exception as error:  # whatever another file makes torch.load raise
        problem = str(error).splitlines()[0]
    raise ValueError(f"{path} is no {kind} ({problem})")
