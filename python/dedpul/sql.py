"""Estimates from scores that stay in a database.

The database bins the scores, and the estimate is made from at most 10,000 weighted rows, however many there
are. `posteriors` lets the database compute the posterior of every row.

>>> import sqlite3
>>> connection = sqlite3.connect(":memory:")
>>> _ = connection.execute("CREATE TABLE scored (label INTEGER, score REAL)")
>>> scores = [0.6, 0.7, 0.8, 0.9, 0.1, 0.2, 0.3, 0.7, 0.8, 0.9]
>>> _ = connection.executemany("INSERT INTO scored VALUES (?, ?)", zip([1] * 4 + [0] * 6, scores))
>>> result = dedpul.sql.estimate(connection, "SELECT label, score FROM scored", alpha=0.5)
>>> dedpul.sql.posteriors(connection, "SELECT * FROM scored", result, into="answers")
>>> connection.execute("SELECT label, score, round(posterior, 2) FROM answers ORDER BY score LIMIT 1").fetchall()
[(0, 0.1, 0.0)]
"""
from __future__ import annotations

from ctypes import byref, c_size_t, create_string_buffer
from typing import Any, Optional, Sequence, Union

import numpy as np

from ._bins import LEAST, bin_rows, weighted_rows
from ._curve import N_CELLS, posterior_curve
from ._library import call, encode, library, list_options, new, text
from ._names import option_names, takes_all_names
from ._result import Result, estimate_rows
from ._warnings import DedpulWarning, warn

__all__ = ["estimate", "posteriors", "query"]

_DIALECTS = {"sqlite3": "sqlite", "duckdb": "duckdb", "_duckdb": "duckdb", "psycopg2": "postgres", "psycopg": "postgres",
             "pg8000": "postgres"}
_LABELS = {"1": 1, "0": 0, "-1": -1, "true": 1, "false": 0, "t": 1, "f": 0, "p": 1, "u": 0}
_FETCHED = 10_000  # rows at a time


def query(rows: str, *, dialect: str, label: str = "label", score: str = "score", weight: Optional[str] = None) -> str:
    """The SQL by which a database bins scores: the text that `dedpul sql` prints.

    Parameters
    ----------
    rows : str
        The query whose rows are binned.
    dialect : "postgres", "duckdb" or "sqlite"
    label, score, weight : str
        Names of its columns, as in `estimate`.

    Examples
    --------
    >>> dedpul.sql.query("SELECT * FROM scored", dialect="duckdb").startswith("WITH ")
    True
    """
    columns = new("dedpul_columns")
    columns.label, columns.score = encode(_name(label)), encode(_name(score))
    columns.weight = None if weight is None else encode(_name(weight))
    length, arguments = c_size_t(), (encode(dialect), encode(rows), byref(columns))
    call("dedpul_bins_query", *arguments, 0, None, byref(length))
    buffer = create_string_buffer(length.value + 1)
    call("dedpul_bins_query", *arguments, len(buffer), buffer, byref(length))
    return text(buffer.value)


@takes_all_names(option_names(of_fit=False))
@list_options(of_fit=False, without=["interval"])
def estimate(connection: Any, rows: str, *, label: str = "label", score: str = "score", weight: Optional[str] = None,
             dialect: Optional[str] = None, interval: Union[bool, str] = False, **options: Any) -> Result:
    """Estimates alpha from the scores in a database.

    Parameters
    ----------
    connection
        An open connection by Python's DB-API: to PostgreSQL (psycopg2, psycopg, pg8000), DuckDB or SQLite.
    rows : str
        A query, "SELECT ...", whose rows have a label and a score.
    label, score, weight : str
        Names of its columns, as `dedpul.estimate` takes them. Upper and lower case count.
    dialect : "postgres", "duckdb" or "sqlite", optional
        Which database it is, if the connection does not tell.
    interval : bool or "bootstrap"
        As in `dedpul.estimate`.
    **options
        Any option of `dedpul scores`, with _ for -. `dedpul.options()` lists them.

    Returns
    -------
    Result
        Its arrays, n_positive and n_unlabeled are about bins of scores; weight_positive and weight_unlabeled
        count the rows.

    Rows without a score are left out, with a warning that says how many they are. Scores out of [0, 1], other labels
    and bad weights are errors.
    """
    binned = query(rows, dialect=dialect or _dialect(connection), label=label, score=score, weight=weight)
    *read, missing = _read_bins(_execute(connection, binned), label, score, weight)
    bins = weighted_rows(bin_rows(*read))
    result = estimate_rows(*bins[:3], {**options, "interval": interval}, squares=bins.squares)
    if missing > 0:
        result.warnings.append(DedpulWarning("missing_scores", f"{missing} rows have no score and are left out"))
    warn(result.warnings, 3)
    return result


def posteriors(connection: Any, rows: str, result: Result, *, into: Union[str, Sequence[str]], score: str = "score",
               posterior: str = "posterior", view: bool = False, dialect: Optional[str] = None) -> None:
    """Lets the database compute the posterior of each row of a query, and keep it in a new table.

    Parameters
    ----------
    connection, score, dialect
        As in `estimate`.
    rows : str
        A query, "SELECT ...", whose rows have a score; they need not be those of the estimate.
    result : Result
        The estimate, from this database or from anywhere else.
    into : str, or a sequence of str
        Name of the new table. ("archive", "answers") is the table `answers` in the schema `archive`.
    posterior : str
        Name of the column of posteriors, which follows those of the query.
    view : bool
        Make a view, which computes posteriors anew whenever it is read.

    A row without a score, or with one out of [0, 1], has no posterior (NULL). If there are such rows in a table, a
    warning says how many. A labeled row gets the posterior that an unlabeled one with its score has. The call does
    not commit: do so if your connection does not by itself.
    """
    dialect = dialect or _dialect(connection)
    table = ".".join(_quote(name) for name in ([into] if isinstance(into, str) else into))
    source = "(\n" + rows.rstrip("; \t\r\n") + "\n) AS dedpul_source"
    names = [column[0] for column in _execute(connection, f"SELECT * FROM {source} LIMIT 0").description]
    _check_names(names, score, posterior)
    _execute(connection, f"CREATE {'VIEW' if view else 'TABLE'} {table} AS\n"
             + _posterior_query(source, names, score, posterior, posterior_curve(result), dialect))
    if not view:
        missing = _execute(connection, f"SELECT count(*) FROM {table} WHERE {_quote(posterior)} IS NULL").fetchone()[0]
        if missing > 0:
            warn([DedpulWarning("missing_scores", f"{missing} rows have no posterior, because their score is missing or "
                                "not from 0 to 1")], 2)


# ---- connections ----

def _dialect(connection):
    for kind in type(connection).__mro__:
        dialect = _DIALECTS.get(kind.__module__.split(".")[0])
        if dialect is not None:
            return dialect
    names = []
    while library.dedpul_sql_dialect_name(len(names)) is not None:
        names.append(text(library.dedpul_sql_dialect_name(len(names))))
    raise ValueError(f"a connection of the type {type(connection).__module__}.{type(connection).__qualname__} does not "
                     f"tell which database it is; give dialect=, one of {', '.join(names)}")


def _execute(connection, statement):
    cursor = connection.cursor()
    cursor.execute(statement)
    return cursor


# ---- names ----

def _name(value):
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not the name of a column")
    return value


def _quote(name):
    """A name in double quotes, so that nothing in it can end it."""
    if not _name(name):
        raise ValueError("a name is empty")
    encode(name)  # no NUL
    return '"' + name.replace('"', '""') + '"'


def _check_names(names, score, posterior):
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"the query has more than one column called {repeated[0]!r}; rename one by AS")
    if score not in names:
        raise ValueError(f"the query has no column {score!r} of scores; its columns are {', '.join(map(repr, names))}")
    if posterior in names:
        raise ValueError(f"the query has a column {posterior!r} already; name that of posteriors by posterior=")


# ---- rows of bins ----

def _read_bins(cursor, label, score, weight):
    """Scores, labels, weights and their squares of the bins, and the number of rows that have no score."""
    parts, missing, outside, unfit = [np.empty((0, 4))], 0, [], []
    while True:
        fetched = cursor.fetchmany(_FETCHED)
        if not fetched:
            break
        rows = []
        for value, mean, n, *rest in fetched:
            square, count = rest or (n, n)
            if mean is None:
                missing += count
            elif not 0 <= mean <= 1:
                outside.append((count, mean))
            elif n is None or not 0 <= n <= 1e300:
                unfit.append(count)
            else:
                rows.append((mean, _label(value, label), n, square))
        parts.append(np.array(rows, float).reshape(-1, 4))
    if outside:
        raise ValueError(f"{sum(count for count, _ in outside)} rows have a {score!r} that is not from 0 to 1, such as "
                         f"{outside[-1][1]:g}: leave them out (WHERE), or bring scores into [0, 1] in the query")
    if unfit:
        raise ValueError(f"{sum(unfit)} rows have a {weight!r} that is missing, negative or not a number: leave them out "
                         "(WHERE), or give them a weight in the query (COALESCE)")
    scores, labels, weights, squares = np.concatenate(parts).T
    if {0, -1} <= set(labels):
        raise ValueError(f"{label!r} has both 0 and -1 among its values; labels are 1/0, 1/-1, true/false or p/u")
    return scores, labels, weights, squares, missing


def _label(value, name):
    number = None if value is None else _LABELS.get(value.lower().removesuffix(".0"))
    if number is None:
        what = "NULL" if value is None else repr(value)
        raise ValueError(f"{name!r} is {what} in some rows; labels are 1/0, 1/-1, true/false or p/u. Say in the query what "
                         f"others mean, such as \"SELECT CASE WHEN class = 'fraud' THEN 1 ELSE 0 END AS {name}\"")
    return number


# ---- posteriors ----

def _posterior_query(source, names, score, posterior, curve, dialect):
    columns = ", ".join(map(_quote, names))
    number = _quote(score)
    if dialect == "sqlite":  # whose columns of numbers may hold texts
        number = f"CASE WHEN typeof({number}) IN ('text', 'blob') THEN NULL ELSE {number} END"
    # The first line says the type of all: literals are decimal numbers, with which databases are slow.
    first = ", ".join(f"CAST({value!r} AS double precision)" for value in curve.lines[0])
    lines = ",\n".join([f"({first})", *(f"({', '.join(map(repr, line))})" for line in curve.lines[1:])])
    least, greatest = ("min", "max") if dialect == "sqlite" else ("least", "greatest")
    cell = f"{greatest}(0, {least}({N_CELLS - 1}, floor((dedpul_logit - ({curve.origin!r})) / {curve.width!r})))"
    return f"""WITH dedpul_curve (dedpul_cell, low, high, start, slope) AS MATERIALIZED (VALUES
{lines})
SELECT {columns}, start + slope * (dedpul_logit - low) AS {_quote(posterior)}
FROM (
  SELECT {columns}, dedpul_logit, {cell} AS dedpul_cell
  FROM (
    SELECT {columns}, ln(dedpul_inside / (1 - dedpul_inside)) AS dedpul_logit
    FROM (
      SELECT {columns}, CASE WHEN NOT (dedpul_score >= 0 AND dedpul_score <= 1) THEN NULL WHEN dedpul_score < {LEAST} THEN {LEAST}
        WHEN dedpul_score > {1 - LEAST} THEN {1 - LEAST} ELSE dedpul_score END AS dedpul_inside
      FROM (SELECT {columns}, CAST({number} AS double precision) AS dedpul_score FROM {source}) AS dedpul_scores
    ) AS dedpul_insides
  ) AS dedpul_logits
) AS dedpul_rows
LEFT JOIN dedpul_curve ON dedpul_curve.dedpul_cell = dedpul_rows.dedpul_cell AND dedpul_logit >= low AND dedpul_logit < high
"""
