"""Data frames for the library, as streams of Apache Arrow's arrays.

A frame that has `__arrow_c_stream__` (Polars, pyarrow, DuckDB) hands out such a stream itself. One of pandas does so
only in newer versions, with pyarrow, and with its index among the columns; so `_Frame` makes the stream from its
columns, some rows at a time, without a copy if a column allows it.
"""
import ctypes
import importlib
import itertools
import numbers
import struct
import sys
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p, cast, memmove, memset, pointer, sizeof
from decimal import Decimal

import numpy as np

_ROWS = 1 << 16  # of an array


def is_pandas(X):
    pandas = sys.modules.get("pandas")  # it was imported if X is one of its frames
    return pandas is not None and isinstance(X, pandas.DataFrame)


def is_frame(X):
    if hasattr(X, "collect_schema") and not hasattr(X, "__arrow_c_stream__"):
        raise ValueError("X is a lazy frame: give X.collect()")
    return is_pandas(X) or hasattr(X, "__arrow_c_stream__")


def column_names(frame):
    """Names of the columns; None if these are not all texts, or the frame does not tell."""
    names = getattr(frame, "column_names", None)  # pyarrow's `columns` are the values
    if names is None:
        names = getattr(frame, "columns", None)
    if names is None or not all(isinstance(name, str) for name in names):
        return None
    return list(names)


def values_of(frame, name):
    """A column as it is; None if the frame does not give it."""
    try:
        return frame[name].to_numpy()
    except (AttributeError, KeyError, TypeError):  # the library, but not pandas, ignores blanks around names
        return None


@contextmanager
def stream_of(frame, wanted=None):
    """Where the library finds a stream of the frame's rows, which it releases.

    If there are names in `wanted`, the values of other columns are not needed.
    """
    if not is_pandas(frame):
        capsule = frame.__arrow_c_stream__()
        yield _pointer_of(capsule, b"arrow_array_stream")
        return
    made = _Frame(frame, wanted)
    try:
        yield ctypes.addressof(made.stream)
    except Exception:
        if made.raised is not None:
            raise made.raised from None
        raise


_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = c_void_p, [ctypes.py_object, c_char_p]


# ---- the structs of the interface, as include/common/dedpul_arrow.h has them ----

class _Schema(Structure):
    pass


class _Array(Structure):
    pass


class _Stream(Structure):
    _fields_ = [("get_schema", c_void_p), ("get_next", c_void_p), ("get_last_error", c_void_p),
                ("release", c_void_p), ("private_data", c_void_p)]


_Schema._fields_ = [("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64),
                    ("n_children", c_int64), ("children", POINTER(POINTER(_Schema))),
                    ("dictionary", POINTER(_Schema)), ("release", c_void_p), ("private_data", c_void_p)]
_Array._fields_ = [("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
                   ("n_children", c_int64), ("buffers", POINTER(c_void_p)), ("children", POINTER(POINTER(_Array))),
                   ("dictionary", POINTER(_Array)), ("release", c_void_p), ("private_data", c_void_p)]

_handed_out = {}  # what schemas and arrays refer to, until they are released
_keys = itertools.count(1)


@CFUNCTYPE(None, POINTER(_Schema))
def _release_schema(schema):
    _handed_out.pop(schema[0].private_data)
    schema[0].release = None


@CFUNCTYPE(None, POINTER(_Array))
def _release_array(array):
    _handed_out.pop(array[0].private_data)
    array[0].release = None


def _hand_out(struct, release, at):
    """Gives a struct to the library, which releases it."""
    key = next(_keys)
    _handed_out[key] = struct
    struct.release, struct.private_data = cast(release, c_void_p), key
    memmove(at, ctypes.addressof(struct), sizeof(struct))


def _children(struct, kind, children):
    struct.n_children = len(children)
    struct.children = (POINTER(kind) * len(children))(*(pointer(child) for child in children))
    return struct


def _array(length, buffers, null_count=0):
    """An array of these buffers, which are arrays of NumPy, bytes or None."""
    places = [buffer.ctypes.data if isinstance(buffer, np.ndarray) else cast(buffer, c_void_p).value
              for buffer in buffers]
    array = _Array(length, null_count, 0, len(buffers), 0, (c_void_p * len(buffers))(*places))
    array.owned = buffers  # the struct does not own them
    return array


# ---- columns of pandas ----

_FORMATS = {"i1": b"c", "u1": b"C", "i2": b"s", "u2": b"S", "i4": b"i", "u4": b"I", "i8": b"l", "u8": b"L",
            "f2": b"e", "f4": b"f", "f8": b"g"}


def _numbers(values):
    """Numbers of the machine's byte order, one behind the other."""
    return np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))


class _Numbers:
    """A column of NumPy's numbers."""

    def __init__(self, values):
        kind = values.dtype.str[1:]
        self.values = values if kind in _FORMATS else values.astype(np.float64)  # a long double
        self.format = _FORMATS[self.values.dtype.str[1:]]

    def array(self, begin, end):
        return _array(end - begin, [None, _numbers(self.values[begin:end])])


class _Booleans:
    format = b"b"

    def __init__(self, values):
        self.values = values

    def array(self, begin, end):
        return _array(end - begin, [None, np.packbits(self.values[begin:end], bitorder="little")])


class _Nullable:
    """Numbers or booleans of one of pandas' own types, which may be missing."""

    format = b"g"

    def __init__(self, series):
        self.series = series

    def array(self, begin, end):
        values = self.series.iloc[begin:end].to_numpy(dtype=np.float64, na_value=np.nan)
        return _array(end - begin, [None, np.ascontiguousarray(values)])


class _Texts:
    """Texts, or objects that can be written as such.

    Each text is written once for an array, and rows have views of it.
    """

    format = b"vu"

    def __init__(self, series):
        self.series = series

    def array(self, begin, end):
        part = self.series.iloc[begin:end]
        try:
            codes, values = sys.modules["pandas"].factorize(part.values)  # missing ones are -1
        except (TypeError, NotImplementedError):  # some have no hash, or pyarrow cannot do it
            missing = part.isna().to_numpy()
            codes = np.where(missing, -1, np.arange(end - begin))
            values = np.where(missing, "", part.to_numpy(dtype=object))
        texts = [value.encode() if type(value) is str else self._text(value, begin + np.argmax(codes == code))
                 for code, value in enumerate(values)]
        views, long = _views(texts)
        validity = np.packbits(codes >= 0, bitorder="little")
        return _array(end - begin, [validity, views.take(codes), long, np.array([len(long)])], -1)

    def _text(self, value, row):
        if isinstance(value, (bool, np.bool_)):
            value = int(value)
        elif isinstance(value, numbers.Integral):
            value = int(value)
        elif isinstance(value, numbers.Real):
            value = float(value)
        elif not isinstance(value, (str, Decimal, sys.modules["pandas"].Interval)):
            raise ValueError(f"column '{self.series.name}': row {row + 1} is of the type '{type(value).__name__}', "
                             "which cannot be read: turn it into numbers or text, or leave it out (ignore=)")
        return str(value).encode()


def _views(texts):
    """Views of texts, and of an empty one behind them; and the bytes of the long ones."""
    views, long, used = [], [], 0
    for text in [*texts, b""]:
        if len(text) <= 12:
            views.append(struct.pack("=i12s", len(text), text))
        else:
            views.append(struct.pack("=i4sii", len(text), text[:4], 0, used))
            long.append(text)
            used += len(text)
    return np.frombuffer(b"".join(views), np.complex128), b"".join(long)  # a type that has 16 bytes


class _Categories:
    def __init__(self, series):
        self.codes = _Numbers(series.cat.codes.to_numpy())
        self.format = self.codes.format
        categories = series.cat.categories.to_series(name=series.name)
        self.dictionary = _column(categories)
        self.values = self.dictionary.array(0, len(categories))

    def array(self, begin, end):
        array = self.codes.array(begin, end)
        validity = np.packbits(self.codes.values[begin:end] >= 0, bitorder="little")
        array.buffers[0] = validity.ctypes.data
        array.owned.append(validity)
        array.null_count = -1
        array.dictionary = pointer(self.values)
        return array


class _Refused:
    """A column without values. If it is needed after all, the library says that it cannot be read."""

    def __init__(self, kind):
        self.format = {"M": b"tsn:", "m": b"tDn"}.get(kind, b"?")

    def array(self, begin, end):
        return _array(end - begin, [])


def _column(series):
    pandas = sys.modules["pandas"]
    dtype = series.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in "iuf":
        return _Numbers(series.to_numpy())
    if isinstance(dtype, np.dtype) and dtype.kind == "b":
        return _Booleans(series.to_numpy())
    if dtype.kind in "Mmc":
        return _Refused(dtype.kind)
    if hasattr(series, "cat"):
        return _Categories(series)
    if pandas.api.types.is_numeric_dtype(dtype) or pandas.api.types.is_bool_dtype(dtype):
        return _Nullable(series)
    return _Texts(series)


class _Frame:
    """A stream of the rows of a frame of pandas. Its columns have no names if not all are texts."""

    def __init__(self, frame, wanted):
        self.names = column_names(frame) or [""] * frame.shape[1]
        self.columns = [_column(frame.iloc[:, i]) if wanted is None or name in wanted else _Refused(None)
                        for i, name in enumerate(self.names)]
        self.n = len(frame)
        self.begin = 0
        self.raised = None
        self.callbacks = [CFUNCTYPE(c_int, c_void_p, c_void_p)(self._get_schema),
                          CFUNCTYPE(c_int, c_void_p, c_void_p)(self._get_next),
                          CFUNCTYPE(c_void_p, c_void_p)(lambda _: None),
                          CFUNCTYPE(None, POINTER(_Stream))(self._release)]
        self.stream = _Stream(*(cast(callback, c_void_p) for callback in self.callbacks))

    def _get_schema(self, _, out):
        return self._try(self._hand_out_schema, out)

    def _get_next(self, _, out):
        return self._try(self._hand_out_array, out)

    def _try(self, function, out):
        """An exception cannot pass through C."""
        try:
            function(out)
            return 0
        except BaseException as error:
            self.raised = error
            return 5  # EIO

    def _hand_out_schema(self, out):
        children = [_Schema(format=column.format, name=name.encode()) for name, column in zip(self.names, self.columns)]
        for child, column in zip(children, self.columns):
            if isinstance(column, _Categories):
                child.dictionary = pointer(_Schema(format=column.dictionary.format))
        _hand_out(_children(_Schema(format=b"+s", name=b""), _Schema, children), _release_schema, out)

    def _hand_out_array(self, out):
        if self.begin == self.n:
            memset(out, 0, sizeof(_Array))  # the end
            return
        end = min(self.begin + _ROWS, self.n)
        children = [column.array(self.begin, end) for column in self.columns]
        array = _children(_array(end - self.begin, [None]), _Array, children)
        array.parts = children
        self.begin = end
        _hand_out(array, _release_array, out)

    @staticmethod
    def _release(stream):
        stream[0].release = None


# ---- results ----

def make_frame(columns):
    """A frame of pandas, or of Polars or pyarrow if pandas is not there, from arrays by name."""
    for library, make in (("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table")):
        try:
            return getattr(importlib.import_module(library), make)(columns)
        except ImportError:
            pass
    raise ImportError("to_frame needs pandas, polars or pyarrow: install one of them")
