"""The C library: where it is, its structs and functions as ctypes sees them, and its errors.

The structs mirror include/dedpul.h field by field; tests/test_library.py compares them with what the
compiler says.
"""
import ctypes
import os
import re
import signal
import threading
import weakref
from contextlib import contextmanager
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_size_t, c_ubyte, c_uint, c_void_p
from pathlib import Path

import numpy as np

OK, INVALID_ARGUMENT, INVALID_DATA, NO_MEMORY, IO, CANCELLED = range(6)

c_double_p = POINTER(c_double)


class Error(Structure):
    _fields_ = [("status", c_int), ("message", ctypes.c_char * 1024)]


class Bandwidth(Structure):
    _fields_ = [("rule", c_int), ("value", c_double)]


class Options(Structure):
    _fields_ = [
        ("method", c_char_p), ("density", c_char_p), ("bandwidth_p", Bandwidth), ("bandwidth_u", Bandwidth),
        ("smoothing", c_int), ("solver", c_int), ("alpha", c_double), ("resamples", c_uint),
        ("level", c_double), ("bands", c_int), ("seed", ctypes.c_uint64), ("threads", c_uint),
        ("allocator", c_void_p)]


class OptionInfo(Structure):
    _fields_ = [("name", c_char_p), ("value", c_char_p), ("default_value", c_char_p), ("help", c_char_p)]


class Warning_(Structure):
    _fields_ = [("code", c_int), ("name", c_char_p), ("message", c_char_p)]


class Interval(Structure):
    _fields_ = [
        ("resamples", c_uint), ("level", c_double), ("low", c_double), ("high", c_double),
        ("corrected_low", c_double), ("corrected_high", c_double), ("upper_bound", c_double)]


class Result(Structure):
    _fields_ = [
        ("method", c_char_p), ("density", c_char_p), ("alpha", c_double), ("alpha_c", c_double),
        ("alpha_n", c_double), ("rule", c_int), ("scale", c_double), ("mean_ratio", c_double),
        ("auc", c_double), ("bandwidth_p", c_double), ("bandwidth_u", c_double), ("n_positive", c_size_t),
        ("n_unlabeled", c_size_t), ("weight_positive", c_double), ("weight_unlabeled", c_double),
        ("ratio", c_double_p), ("posterior", c_double_p), ("interval", Interval),
        ("posterior_low", c_double_p), ("posterior_high", c_double_p), ("n_grid", c_size_t),
        ("grid_logit", c_double_p), ("grid_positive", c_double_p), ("grid_unlabeled", c_double_p),
        ("grid_ratio", c_double_p), ("n_points", c_size_t), ("point_logit", c_double_p),
        ("point_ratio", c_double_p), ("n_curve", c_size_t), ("curve_alpha", c_double_p),
        ("curve_d", c_double_p), ("n_warnings", c_size_t), ("warnings", POINTER(Warning_))]


class Sample(Structure):
    _fields_ = [("n", c_size_t), ("score", c_void_p), ("weight", c_void_p)]


class Columns(Structure):
    _fields_ = [
        ("label", c_char_p), ("score", c_char_p), ("weight", c_char_p), ("positive", c_char_p),
        ("ignore", c_char_p), ("most_levels", c_size_t), ("labels", c_char_p), ("shape", c_char_p)]


class Matrix(Structure):
    _fields_ = [("n", c_size_t), ("width", c_size_t), ("f64", c_void_p), ("f32", c_void_p)]


class Progress(Structure):
    _fields_ = [
        ("stage", c_char_p), ("step", c_size_t), ("steps", c_size_t), ("loss", c_double),
        ("best_step", c_size_t)]


ProgressFunction = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(Progress))


class FitOptions(Structure):
    _fields_ = [
        ("estimate", Options), ("classifier", c_char_p), ("plugin", c_void_p), ("pn", c_int),
        ("folds", c_uint), ("ensemble", c_uint), ("stopping", c_int), ("encode", c_int), ("scale", c_int),
        ("pca", c_uint), ("layers", c_char_p), ("batch_norm", c_int), ("dropout", c_double),
        ("rate", c_double), ("decay", c_double), ("batch", c_uint), ("epoch_steps", c_uint),
        ("epochs", c_uint), ("min_epochs", c_uint), ("patience", c_uint), ("loss", c_int),
        ("nn_beta", c_double), ("nn_gamma", c_double), ("tree_depth", c_uint), ("tree_rate", c_double),
        ("tree_l2", c_double), ("tree_rounds", c_uint), ("tree_patience", c_uint),
        ("progress", ProgressFunction), ("progress_context", c_void_p)]


class Compared(Structure):
    _fields_ = [
        ("method", c_char_p), ("status", c_int), ("alpha", c_double), ("low", c_double), ("high", c_double),
        ("seconds", c_double), ("is_reference", c_int), ("differs", c_int), ("note", c_char_p)]


class Comparison(Structure):
    _fields_ = [
        ("n_methods", c_size_t), ("methods", POINTER(Compared)), ("classifier", c_char_p),
        ("auc", c_double), ("seconds", c_double), ("n_positive", c_size_t), ("n_unlabeled", c_size_t),
        ("n_warnings", c_size_t), ("warnings", POINTER(Warning_))]


class ColumnInfo(Structure):
    _fields_ = [("name", c_char_p), ("use", c_char_p), ("n_levels", c_size_t), ("n_features", c_size_t)]


class ModelInfo(Structure):
    _fields_ = [
        ("version", c_char_p), ("classifier", c_char_p), ("has_pn", c_int), ("trained", c_char_p),
        ("height", c_size_t), ("width", c_size_t), ("channels", c_size_t), ("alpha", c_double),
        ("alpha_c", c_double), ("alpha_n", c_double), ("scale", c_double), ("auc", c_double),
        ("mean_ratio", c_double), ("rule", c_int), ("method", c_char_p), ("n_positive", c_size_t),
        ("n_unlabeled", c_size_t), ("n_columns", c_size_t), ("n_features", c_size_t),
        ("columns", POINTER(ColumnInfo)), ("n_members", c_size_t), ("n_points", c_size_t),
        ("settings", c_char_p)]


class PredictOptions(Structure):
    _fields_ = [
        ("pn", c_int), ("threads", c_uint), ("progress", ProgressFunction), ("progress_context", c_void_p)]


class Prediction(Structure):
    _fields_ = [
        ("rows", c_size_t), ("mean_posterior", c_double), ("unseen", c_size_t), ("unseen_column", c_char_p)]


# The C names of the structs, for the test that compares them.
STRUCTS = {
    "dedpul_error": Error, "dedpul_bandwidth": Bandwidth, "dedpul_options": Options,
    "dedpul_option_info": OptionInfo, "dedpul_warning": Warning_, "dedpul_interval": Interval,
    "dedpul_result": Result, "dedpul_sample": Sample, "dedpul_columns": Columns, "dedpul_matrix": Matrix,
    "dedpul_progress": Progress, "dedpul_fit_options": FitOptions, "dedpul_compared": Compared,
    "dedpul_comparison": Comparison, "dedpul_column_info": ColumnInfo, "dedpul_model_info": ModelInfo,
    "dedpul_predict_options": PredictOptions, "dedpul_prediction": Prediction,
}

_error = POINTER(Error)
# Result type and argument types of each function that is called.
FUNCTIONS = {
    "dedpul_version": (c_char_p, []),
    "dedpul_options_init": (None, [POINTER(Options)]),
    "dedpul_options_set": (c_int, [POINTER(Options), c_char_p, c_char_p, _error]),
    "dedpul_option_count": (c_size_t, []),
    "dedpul_option_at": (POINTER(OptionInfo), [c_size_t]),
    "dedpul_fit_options_init": (None, [POINTER(FitOptions)]),
    "dedpul_fit_options_set": (c_int, [POINTER(FitOptions), c_char_p, c_char_p, _error]),
    "dedpul_fit_option_count": (c_size_t, []),
    "dedpul_fit_option_at": (POINTER(OptionInfo), [c_size_t]),
    "dedpul_rule_name": (c_char_p, [c_int]),
    "dedpul_estimate_two": (c_int, [POINTER(Sample), POINTER(Sample), POINTER(Options),
                                    POINTER(POINTER(Result)), _error]),
    "dedpul_estimate": (c_int, [POINTER(Sample), c_void_p, POINTER(Options), POINTER(POINTER(Result)),
                                _error]),
    "dedpul_result_evaluate": (c_int, [POINTER(Result), c_size_t, c_void_p, c_void_p, c_void_p, _error]),
    "dedpul_result_free": (None, [POINTER(Result)]),
    "dedpul_columns_init": (None, [POINTER(Columns)]),
    "dedpul_table_read": (c_int, [c_char_p, POINTER(Columns), c_void_p, POINTER(c_void_p), _error]),
    "dedpul_table_from_matrix": (c_int, [POINTER(Matrix), c_void_p, c_void_p, c_void_p, POINTER(c_void_p),
                                         _error]),
    "dedpul_table_set_names": (c_int, [c_void_p, POINTER(c_char_p), _error]),
    "dedpul_table_set_shape": (c_int, [c_void_p, c_size_t, c_size_t, c_size_t, _error]),
    "dedpul_table_rows": (c_size_t, [c_void_p]),
    "dedpul_table_labels": (POINTER(c_ubyte), [c_void_p]),
    "dedpul_table_free": (None, [c_void_p]),
    "dedpul_classifier_count": (c_size_t, []),
    "dedpul_classifier_name": (c_char_p, [c_size_t]),
    "dedpul_fit": (c_int, [c_void_p, POINTER(FitOptions), POINTER(c_void_p), POINTER(POINTER(Result)),
                           c_void_p, _error]),
    "dedpul_compare": (c_int, [c_void_p, POINTER(FitOptions), c_char_p, POINTER(POINTER(Comparison)),
                               _error]),
    "dedpul_comparison_free": (None, [POINTER(Comparison)]),
    "dedpul_model_describe": (POINTER(ModelInfo), [c_void_p]),
    "dedpul_predict_options_init": (None, [POINTER(PredictOptions)]),
    "dedpul_model_predict": (c_int, [c_void_p, POINTER(Matrix), POINTER(PredictOptions), c_void_p, c_void_p,
                                     _error]),
    "dedpul_model_predict_file": (c_int, [c_void_p, c_char_p, POINTER(PredictOptions), c_char_p,
                                          POINTER(Prediction), _error]),
    "dedpul_model_save": (c_int, [c_void_p, c_char_p, _error]),
    "dedpul_model_load": (c_int, [c_char_p, c_void_p, c_void_p, POINTER(c_void_p), _error]),
    "dedpul_model_free": (None, [c_void_p]),
}


# ---- loading ----

def _package_version():
    """Of the header that this package was built from."""
    try:
        from ._version import version
        return version
    except ImportError:  # used from the source tree
        header = (Path(__file__).parents[2] / "include" / "dedpul.h").read_text()
        return ".".join(re.findall(r"#define DEDPUL_VERSION_[A-Z]+ (\d+)", header))


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
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


version = _package_version()
library = _load(version)


# ---- calls ----

class Cancelled(KeyboardInterrupt):
    """Ended by the progress function."""



def text(value):
    """A C string, or None."""
    return None if value is None else value.decode("utf-8", "replace")


def encode(value):
    """A text for C, whose texts end at the first NUL."""
    if "\0" in value:
        raise ValueError(f"{value!r} has a NUL in it")
    return value.encode()


def encode_path(path):
    path = os.fsencode(path)
    if 0 in path:
        raise ValueError(f"{path!r} has a NUL in it")
    return path


def call(function, *arguments):
    """Calls a function whose last parameter is the error, and raises what it says."""
    error = Error()
    status = getattr(library, function)(*arguments, byref(error))
    if status == OK:
        return
    message = error.message.decode("utf-8", "replace")
    raise {NO_MEMORY: MemoryError, IO: OSError, CANCELLED: Cancelled}.get(status, ValueError)(message)


class Watch:
    """Hands progress to a Python function, and ends the call on Ctrl-C or where that function raises."""

    def __init__(self, progress):
        self.progress = progress
        self.raised = None
        self.interrupted = False
        self.function = ProgressFunction(self._tell)

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
    """Within it, a call with these options tells of its progress and can be interrupted."""
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

def _option_text(value):
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return ",".join(_option_text(item) for item in value)
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, (str, int, float)):
        raise ValueError(f"{value!r} is no value of an option: those are texts, numbers and True or False")
    return str(value)


def make_options(kind, values):
    """Options of the struct `kind` from keyword arguments; None leaves the default."""
    options = kind()
    function = "dedpul_fit_options" if kind is FitOptions else "dedpul_options"
    getattr(library, function + "_init")(byref(options))
    options.texts = []  # the struct borrows them
    # A preset sets other options, so it goes first.
    for name, value in sorted(values.items(), key=lambda item: item[0] != "preset"):
        if value is None:
            continue
        words = encode(name.replace("_", "-")), encode(_option_text(value))
        options.texts.append(words)
        call(function + "_set", byref(options), *words)
    return options


def option_infos():
    """Name, form, default and help of all options of `estimate`, then of those that `fit` has besides."""
    for count, at in (("dedpul_option_count", "dedpul_option_at"),
                      ("dedpul_fit_option_count", "dedpul_fit_option_at")):
        yield [tuple(text(getattr(info[0], field)) for field, _ in OptionInfo._fields_)
               for info in (getattr(library, at)(i) for i in range(getattr(library, count)()))]
