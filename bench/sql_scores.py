"""Estimates from bins of scores in a database, next to those from the rows.

    sql_scores.py accuracy FILE.csv...   alpha and posteriors by SQLite from columns label and score of files
    sql_scores.py large N                N made scores in a PostgreSQL of our own: time, and the client's memory

The library is that of DEDPUL_LIBRARY. `dedpul fit TABLE --scores FILE.csv` makes files.
"""
import os
import resource
import sqlite3
import sys
import time
import warnings

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "python"), os.path.join(HERE, "..", "python", "tests")]

import dedpul  # noqa: E402

METHODS = {"pooled": 0.001, "dedpul": 0.001, "bbe": 0.001, "learned": 0.01, "dedpul_bbe": 0.01, "simple_alpha": 0.01,
           "en_e1": 0.01, "en_e3": 0.01, "en_em": 0.01, "ntc_tice": 0.01, "alphamax": 0.01, "roc": 0.01}
POSTERIORS = ("pooled", "dedpul", "bbe")
MOST = 1e-3  # that a posterior by the database may differ from the library's


def read(path):
    with open(path) as file:
        names = file.readline().strip().split(",")
    columns = np.loadtxt(path, delimiter=",", skiprows=1, usecols=[names.index("label"), names.index("score")])
    return columns[:, 0].astype(int), columns[:, 1]


def posterior_error(connection, result, scores, expected):
    """The largest difference to the posterior of the score: by places, the library tells rows with equal scores apart."""
    connection.execute("DROP TABLE IF EXISTS answers")
    dedpul.sql.posteriors(connection, "SELECT * FROM scored", result, into="answers")
    found = connection.execute("SELECT posterior FROM answers ORDER BY id").fetchall()
    return np.abs(np.array(found)[:, 0] - expected.evaluate(scores)).max()


def accuracy(paths):
    print(f"{'':24}{'rows':>8}{'bins':>7}  " + " ".join(f"{method:>12}" for method in METHODS) + "   posteriors by "
          + ", ".join(POSTERIORS) + ": against the library's/against the rows' with alpha given/without")
    worst, worst_posterior = dict.fromkeys(METHODS, 0.0), np.zeros(3)
    for path in paths:
        labels, scores = read(path)
        connection = sqlite3.connect(":memory:")
        connection.execute("CREATE TABLE scored (id INTEGER, label INTEGER, score REAL)")
        connection.executemany("INSERT INTO scored VALUES (?, ?, ?)",
                               zip(range(len(scores)), labels.tolist(), scores.tolist()))
        errors, posteriors = [], []
        for method in METHODS:
            result = dedpul.sql.estimate(connection, "SELECT * FROM scored", method=method)
            expected = dedpul.estimate(scores, labels, method=method)
            errors.append(abs(result.alpha - expected.alpha))
            worst[method] = max(worst[method], errors[-1])
            if method in POSTERIORS:
                own = posterior_error(connection, result, scores, result)
                given = dedpul.sql.estimate(connection, "SELECT * FROM scored", method=method, alpha=expected.alpha)
                at_alpha = dedpul.estimate(scores, labels, method=method, alpha=expected.alpha)
                posteriors.append((own, posterior_error(connection, given, scores, at_alpha),
                                   posterior_error(connection, result, scores, expected)))
        worst_posterior = np.maximum(worst_posterior, np.max(posteriors, axis=0))
        print(f"{os.path.basename(path):24}{len(scores):8}{len(result._rows.scores):7}  "
              + " ".join(f"{error:12.6f}" for error in errors) + "   " + " ".join("/".join(f"{error:.6f}" for error in three) for three in posteriors),
              flush=True)
    print(f"{'largest difference':41}" + " ".join(f"{worst[method]:12.6f}" for method in METHODS)
          + "   " + "/".join(f"{error:.6f}" for error in worst_posterior))
    print(f"{'at most':41}" + " ".join(f"{most:12}" for most in METHODS.values()) + f"   {MOST}")
    return all(worst[method] <= most for method, most in METHODS.items()) and worst_posterior[0] <= MOST


def large(n):
    from databases import Postgres
    server = Postgres()
    try:
        connection = server.connect()
        cursor = connection.cursor()
        start = time.monotonic()
        # 2% of the rows are labeled; 30% of the others are positive.
        cursor.execute("CREATE UNLOGGED TABLE scored (label smallint, score double precision)")
        cursor.execute("INSERT INTO scored SELECT label, 1 / (1 + exp(-(CASE WHEN label = 1 OR random() < 0.3 THEN 2 ELSE -2 END "
                       "+ 1.3 * sqrt(-2 * ln(1 - random())) * cos(6.283185307179586 * random())))) "
                       f"FROM (SELECT CASE WHEN random() < 0.02 THEN 1 ELSE 0 END AS label FROM generate_series(1, {n})) AS drawn")
        print(f"{n} rows made in {time.monotonic() - start:.0f} s", flush=True)
        start = time.monotonic()
        result = dedpul.sql.estimate(connection, "SELECT * FROM scored", interval=True)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"estimate: alpha {result.alpha:.4f} ({result.interval.low:.4f} to {result.interval.high:.4f}) from "
              f"{len(result._rows.scores)} bins in {time.monotonic() - start:.0f} s; the client's memory at its highest: "
              f"{memory:.0f} MB", flush=True)
        start = time.monotonic()
        dedpul.sql.posteriors(connection, "SELECT * FROM scored", result, into="answers", view=True)
        cursor.execute("SELECT avg(posterior) FROM answers WHERE label = 0")
        print(f"posteriors of all rows by a view: mean {cursor.fetchone()[0]:.4f} in {time.monotonic() - start:.0f} s; memory "
              f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    finally:
        server.stop()
    return memory < 200


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if len(sys.argv) < 3 or sys.argv[1] not in ("accuracy", "large"):
        sys.exit(__doc__)
    sys.exit(0 if (accuracy(sys.argv[2:]) if sys.argv[1] == "accuracy" else large(int(sys.argv[2]))) else 1)
