"""Turns what users pass into the arrays that the library reads, without a copy if possible."""
import numpy as np


def is_missing(value):
    """Whether it is None, NaN, NaT or NA of pandas, which do not equal themselves."""
    is_same = value == value
    return value is None or not (isinstance(is_same, (bool, np.bool_)) and is_same)


def _array(values, name):
    if isinstance(values, str):
        raise ValueError(f"{name}: {values!r} is a text; give one value for each row")
    if np.ma.is_masked(values):
        raise ValueError(f"{name} has masked values: fill them or leave them out")
    try:
        return np.asarray(values)
    except ValueError as error:  # rows of different lengths
        raise ValueError(f"{name} is not an array of numbers ({error})") from None


def _numbers(values, name):
    """An array; numbers of pandas' own types, which may be NA, become doubles."""
    dtype = getattr(values, "dtype", None)
    if not isinstance(dtype, np.dtype) and getattr(dtype, "kind", "") in tuple("buif"):
        values = values.to_numpy(np.float64, na_value=np.nan)
    return _array(values, name)


def vector(values, name):
    """Numbers as a contiguous array of doubles."""
    array = _numbers(values, name)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, but its shape is {array.shape}")
    if array.dtype.kind not in "buif":
        raise ValueError(f"{name} must be numbers, but their type is {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.float64)


def same_length(array, n, name, other):
    if len(array) != n:
        raise ValueError(f"{name} has {len(array)} values, but {other} has {n}")


def labels(values, name="labels"):
    """Labels 1/0, 1/-1 or True/False as bytes 1 (labeled positive) and 0 (unlabeled)."""
    array = _numbers(values, name)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, but its shape is {array.shape}")
    if array.dtype.kind == "O" and all(isinstance(value, (bool, np.bool_)) for value in array):
        array = array.astype(bool)
    if array.dtype.kind not in "buif":
        raise ValueError(f"{name} must be 1 (labeled positive) and 0 or -1 (unlabeled), or True and False, "
                         f"but their type is {array.dtype}")
    array = np.ascontiguousarray(array)
    if array.dtype.kind == "b":
        return array.view(np.uint8)
    positive = array == 1
    if len(array) and not (positive | (array == 0)).all() and not (positive | (array == -1)).all():
        wrong = array[~positive & (array != 0) & (array != -1)]
        what = f"one is {wrong[0]}" if len(wrong) else "both 0 and -1 are there"
        raise ValueError(f"{name} must be 1 (labeled positive) and 0 or -1 (unlabeled), or True and False, "
                         f"but {what}")
    return positive.view(np.uint8)


def classes(values, n, unknown, name="truth"):
    """True classes, as `labels`, with `unknown` in place of NaN; None if there are none."""
    if values is None:
        return None
    array = _array(values, name)
    same_length(array, n, name, "the data")
    is_known = np.array([not is_missing(value) for value in array], bool) if array.dtype.kind == "O" else array == array
    values = array[is_known]
    known = np.full(n, unknown, np.uint8)
    known[is_known] = labels(np.array(values.tolist()) if array.dtype.kind == "O" else values, name)
    return known


def between(value, name):
    """A number above 0 and below 1."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)) \
            or not 0 < value < 1:
        raise ValueError(f"{name}: {value!r} is not a number above 0 and below 1")
    return float(value)


def logistic(logits):
    """The sigmoid, without overflow."""
    return 0.5 + 0.5 * np.tanh(0.5 * logits)


def whole(value, name):
    """A count that fits into an unsigned int."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) \
            or not 0 <= value < 2**32:
        raise ValueError(f"{name}: {value!r} is not a whole number from 0 to {2**32 - 1}")
    return int(value)


def weights(values, n, name="weights"):
    """Weights as doubles; None if there are none."""
    if values is None:
        return None
    array = vector(values, name)
    same_length(array, n, name, "the data")
    return array


def groups(values, n, name="groups"):
    """Codes of groups; None if there are none. A missing value is a group by itself."""
    if values is None:
        return None
    if isinstance(values, (list, tuple)):  # NumPy would turn a missing one among texts into a text
        values = np.array(values, dtype=object)
    array = _array(values, name)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, but its shape is {array.shape}")
    same_length(array, n, name, "the data")
    if hasattr(values, "isna"):
        alone = np.asarray(values.isna())
    elif array.dtype.kind == "O":
        alone = np.array([is_missing(value) for value in array], bool)
    else:
        alone = array != array
    codes = np.empty(n, np.uint32)
    texts = array.astype(str) if array.dtype.kind == "O" else array
    known, codes[~alone] = np.unique(texts[~alone], return_inverse=True)
    codes[alone] = np.arange(len(known), len(known) + alone.sum())
    return codes


def identifiers(values, n):
    """One identifier per row, as they are; None if there are none."""
    if values is None:
        return None
    array = _array(values, "id")
    if array.ndim != 1:
        raise ValueError(f"id must name a column, or have one value per row, but its shape is {array.shape}")
    same_length(array, n, "id", "the data")
    return array


def matrix(values, name="X"):
    """Rows of numbers as a contiguous matrix of doubles or floats, and the shape of images or None."""
    if hasattr(values, "tocsr"):
        raise ValueError(f"{name} is sparse, which the library's own classifiers do not take; use "
                         f"{name}.toarray()")
    array = _array(values, name)
    if array.dtype.kind == "O" and not any(isinstance(value, (str, bytes)) for value in array.flat):
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name} must be numbers ({error}); a data frame or a file may have texts") from None
    if array.dtype.kind not in "buif":
        raise ValueError(f"{name} must be numbers, but their type is {array.dtype}; a data frame or a file "
                         "may have texts")
    if not 2 <= array.ndim <= 4:
        raise ValueError(f"{name} must have 2 dimensions, or 3 or 4 for images, but its shape is "
                         f"{array.shape}. Reshape your data: x.reshape(-1, 1) for a single feature, "
                         "x.reshape(1, -1) for a single row")
    if 0 in array.shape:
        raise ValueError(f"{name} has {len(array)} rows and the shape {array.shape}: at least 1 row and 1 "
                         "feature are required")
    image = (array.shape[1:] + (1,))[:3] if array.ndim > 2 else None
    kind = np.float32 if array.dtype == np.float32 else np.float64
    return np.ascontiguousarray(array, dtype=kind).reshape(len(array), -1), image
