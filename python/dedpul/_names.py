"""Names of arguments: the command's and scikit-learn's are taken, too, and unknown ones get a suggestion."""
import difflib
import functools
import inspect
import os

from ._frames import is_frame
from ._library import argument_name, option_infos, types

# The names of one thing: here, in the command, and in scikit-learn. A function that has one takes them all.
SYNONYMS = [
    ("scores", "score"),
    ("labels", "label", "y"),
    ("weights", "weight", "sample_weight"),
    ("groups", "group"),
    ("seed", "random_state"),
    ("folds", "cv"),
    ("classifier", "estimator"),
    ("most_levels", "max_levels"),
    ("threshold", "goal"),
]

# What the columns of a file or a frame are: arguments of `fit` and `compare` if X is one.
COLUMNS = [name for name, _ in types.dedpul_columns._fields_
           if name not in ("size", "score", "truth", "progress", "progress_context")]
_ALSO_ARRAYS = ("label", "labels", "weight", "group")


def option_names(of_fit):
    return [argument_name(info) for info in option_infos(of_fit)]


def _own_name(name, own):
    """Which of these names means the same; if none does, the name itself."""
    same = next((names for names in SYNONYMS if name in names), ())
    return next((other for other in (name, *same) if other in own), name)


def _own_names(given, own):
    """The arguments by the function's own names."""
    found = {}
    for name, value in given.items():
        other = _own_name(name, own)
        if other in found or (other != name and other in given):
            raise TypeError(f"{other!r} is given twice: {name!r} means the same")
        found[other] = value
    return found


def _hint(name, own):
    """What else could be meant by an unknown name."""
    known = own + [other for same in SYNONYMS if set(same) & set(own) for other in same]
    near = difflib.get_close_matches(name, known, 1)
    if name in option_names(of_fit=True):
        return f"options={{{name!r}: ...}} takes it" if "options" in own else "it is about fits of tables"
    if name in ("propensity", "propensity_value"):
        return "only fits take it"
    if name in COLUMNS:
        return "it is about the columns of a file or a frame"
    return f"did you mean {near[0]!r}?" if near else "dedpul.options() lists the options"


def _gather_columns(given, own, known):
    """Puts what the columns of a file are into the argument `columns`."""
    names = [name for name in given if name not in own and _own_name(name, known) in known]
    columns = {name: given.pop(name) for name in names}
    return {**given, "columns": {**(given.get("columns") or {}), **_own_names(columns, COLUMNS)}}


def takes_all_names(options=(), of_file=False):
    """The function takes its arguments, and these options, by all of their names."""
    def decorate(function):
        parameters = inspect.signature(function).parameters.values()
        own = [parameter.name for parameter in parameters if parameter.kind != parameter.VAR_KEYWORD]
        own += [name for name in options if name not in own]

        @functools.wraps(function)
        def named(*arguments, **given):
            X = arguments[0] if arguments else given.get("X")
            if of_file and isinstance(X, (str, os.PathLike)):
                given = _gather_columns(given, own, COLUMNS)
            elif of_file and is_frame(X):  # its labels and weights may be arrays
                given = _gather_columns(given, own, [name for name in COLUMNS if name not in _ALSO_ARRAYS])
            given = _own_names(given, own)
            for name in given:
                if name not in own:
                    raise TypeError(f"{function.__qualname__}() got an unexpected keyword argument {name!r}; "
                                    + _hint(name, own))
            return function(*arguments, **given)
        return named
    return decorate
