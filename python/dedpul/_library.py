"""Loads the C library, and calls its functions: structs, errors, progress, arrays, options."""
import ctypes
import os
import signal
import threading
import weakref
from contextlib import contextmanager
from ctypes import POINTER, byref, c_char_p, c_double, sizeof
from pathlib import Path
from textwrap import fill, indent

import numpy as np

from ._headers import read_headers, version_of
from ._types import make_types


# ---- loading ----

def _read_layout():
    """What the headers declare: stored in an installed package, read from the headers in the source tree."""
    try:
        from ._layout import layout
    except ImportError:
        layout = read_headers(Path(__file__).parents[2] / "include")
    return layout


def _load(version):
    """The library named by DEDPUL_LIBRARY, the one beside the package, or the one that is installed."""
    beside = Path(__file__).with_name("libdedpul.so")
    path = os.environ.get("DEDPUL_LIBRARY")
    if not path:
        path = str(beside) if beside.exists() else "libdedpul.so." + ".".join(version.split(".")[:2])
    try:
        library = ctypes.CDLL(path)
        library.dedpul_version.restype = c_char_p
    except (OSError, AttributeError) as error:
        raise ImportError(
            f"dedpul: the library {path} cannot be loaded ({error}); install the package with pip, install "
            "the library, or name it in the environment variable DEDPUL_LIBRARY") from None
    found = library.dedpul_version().decode()
    if found != version:
        raise ImportError(
            f"dedpul: the library {path} has version {found}, but this package is for {version}")
    return library


def _declare(library, functions):
    """Tells ctypes the types of all functions."""
    for name, (result, arguments) in functions.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"dedpul: the library has no function {name}; it was built from other headers "
                              "than this package, so build both again") from None
        function.restype = result
        function.argtypes = arguments


layout = _read_layout()
constants = layout["constants"]
version = version_of(layout)
types, functions = make_types(layout)
library = _load(version)
_declare(library, functions)


def new(name):
    """A struct with its defaults: `new("dedpul_options")`."""
    struct = getattr(types, name)()
    if name + "_init_sized" in functions:
        getattr(library, name + "_init_sized")(byref(struct), sizeof(struct))
    elif hasattr(struct, "size"):
        struct.size = sizeof(struct)
    return struct


# ---- calls ----

class Cancelled(KeyboardInterrupt):
    """The progress function ended the call."""


_EXCEPTIONS = {constants["DEDPUL_NO_MEMORY"]: MemoryError, constants["DEDPUL_IO"]: OSError,
               constants["DEDPUL_CANCELLED"]: Cancelled}


def text(value):
    """A C string, or None."""
    return None if value is None else value.decode("utf-8", "replace")


def encode(value):
    """A text for C. It must not hold a NUL, which ends a text there."""
    if "\0" in value:
        raise ValueError(f"{value!r} has a NUL in it; leave it out")
    return value.encode()


def encode_path(path):
    path = os.fsencode(path)
    if 0 in path:
        raise ValueError(f"{path!r} has a NUL in it; leave it out")
    return path


def call(function, *arguments):
    """Calls a function whose last parameter is the error, and raises an exception with its message."""
    error = types.dedpul_error()
    status = getattr(library, function)(*arguments, byref(error))
    if status != constants["DEDPUL_OK"]:
        raise _EXCEPTIONS.get(status, ValueError)(error.message.decode("utf-8", "replace"))


class Watch:
    """Hands progress to a Python function, and ends the call on Ctrl-C or if that function raises."""

    def __init__(self, progress):
        self.progress = progress
        self.raised = None
        self.interrupted = False
        self.function = types.dedpul_progress_function(self._tell)

    def _tell(self, _, state):
        if self.interrupted:
            return 1
        try:
            if self.progress is not None:
                state = state[0]
                self.progress(text(state.stage), state.step, state.steps, state.loss)
        except BaseException as error:  # it cannot pass through C
            self.raised = error
            return 1
        return 0

    def _interrupt(self, *_):
        self.interrupted = True


@contextmanager
def watched(options, progress=None):
    """While it lasts, a call with these options reports its progress and can be interrupted."""
    watch = Watch(progress)
    options.progress = watch.function
    usual = signal.getsignal(signal.SIGINT)
    # A handler that raises would do so at the entry of the progress function, where ctypes drops it.
    guarded = callable(usual) and threading.current_thread() is threading.main_thread()
    if guarded:
        signal.signal(signal.SIGINT, watch._interrupt)
    try:
        yield
    except Cancelled:
        if watch.raised is not None:
            raise watch.raised from None
        raise
    finally:
        if guarded:
            signal.signal(signal.SIGINT, usual)
            if watch.interrupted:
                usual(signal.SIGINT, None)


def free_with(owner, function, pointer):
    """Frees C memory once its owner is gone; not at the interpreter's end, when arrays may still be used."""
    weakref.finalize(owner, getattr(library, function), pointer).atexit = False


def pointer_to(array):
    """Where C finds the numbers of a contiguous array, which must outlive the call; None is NULL."""
    return None if array is None else array.ctypes.data_as(POINTER(np.ctypeslib.as_ctypes_type(array.dtype)))


def view(pointer, n, owner):
    """A read-only array over C memory, which lives as long as the array does."""
    if n == 0 or not pointer:
        return np.empty(0)
    buffer = (c_double * n).from_address(ctypes.addressof(pointer.contents))
    buffer.owner = owner
    array = np.frombuffer(buffer)
    array.flags.writeable = False
    return array


# ---- options by name ----

def option_infos(of_fit):
    """What the library says about each option; without `of_fit`, only about those of estimates from scores."""
    infos = [library.dedpul_option_at(i)[0] for i in range(library.dedpul_option_count())]
    return [info for info in infos if of_fit or not info.needs_table]


def argument_name(info):
    """The keyword argument for an option."""
    return text(info.name).replace("-", "_")


def default_of(name):
    """The default of an option, as a text."""
    return next(text(info.default_value) for info in option_infos(True) if text(info.name) == name)


def option_form(info):
    """What an option takes: "N from 1 to 16 [5]", with the default in brackets."""
    form = text(info.value)
    if info.most > info.least:
        form += f" from {info.least:.15g} to {info.most:.15g}"
    return form if info.default_value is None else f"{form} [{text(info.default_value)}]"


def list_options(of_fit, without=()):
    """Adds the options to a docstring, after the sentence that says where they are listed.

    Those in `without` are left out, because the docstring has them as parameters.
    """
    def add(documented):
        sentence = "`dedpul.options()` lists them."
        if documented.__doc__ is not None:  # python -OO has none
            before, after = documented.__doc__.split(sentence)
            entries = "\n".join(f"{argument_name(info)} : {option_form(info)}\n"
                                + fill(text(info.help), 96, initial_indent="    ", subsequent_indent="    ")
                                for info in option_infos(of_fit) if argument_name(info) not in without)
            documented.__doc__ = f"{before}{sentence}\n\n{indent(entries, ' ' * 8)}{after}"
        return documented
    return add


def option_text(name, value):
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return ",".join(option_text(name, item) for item in value)
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, (str, int, float)):
        raise ValueError(f"{name}: an object of type {type(value).__name__} is not a value of an option; give "
                         "a text, a number, or True or False")
    return str(value)


def make_options(values, of_fit):
    """Options from keyword arguments; None leaves the default.

    Without `of_fit`, options of fits are refused.
    """
    options = new("dedpul_options")
    options.texts = []  # the struct borrows them
    unread = set() if of_fit else {info.name for info in option_infos(True) if info.needs_table}
    # A preset sets other options, so it goes first.
    for name, value in sorted(values.items(), key=lambda item: item[0] != "preset"):
        if value is None:
            continue
        words = encode(name.replace("_", "-")), encode(option_text(name, value))
        if words[0] in unread:
            raise ValueError(f"unknown option '{text(words[0])}' of an estimate from scores: it is about fits "
                             "of tables")
        options.texts.append(words)
        call("dedpul_options_set", byref(options), *words)
    return options
