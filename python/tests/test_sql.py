"""Scores in PostgreSQL, DuckDB and SQLite."""
import sqlite3
import subprocess

import numpy as np
import pytest
from databases import DATABASES, ENVIRONMENT

import dedpul
from dedpul import sql
from dedpul._bins import bin_rows, weighted_rows

pytestmark = pytest.mark.filterwarnings("ignore::dedpul.DedpulWarning")

N = 20_000


@pytest.fixture(scope="module", params=DATABASES)
def database(request):
    server = DATABASES[request.param]()
    yield server
    server.stop()


@pytest.fixture
def connection(database):
    connection = database.connect()
    yield connection
    connection.close()


def run(connection, statement):
    cursor = connection.cursor()
    cursor.execute(statement)
    return cursor


def literal(value):
    if isinstance(value, float) and not np.isfinite(value):
        return f"CAST('{value}' AS double precision)"
    return "NULL" if value is None else repr(value)


def fill(connection, name, rows, columns="id integer, label integer, score double precision, weight double precision"):
    run(connection, f"CREATE TABLE {name} ({columns})")
    if rows:
        run(connection, f"INSERT INTO {name} VALUES " + ", ".join(f"({', '.join(map(literal, row))})" for row in rows))


@pytest.fixture(scope="module")
def rows():
    """Scores with both ends, ties and a far one."""
    random = np.random.default_rng(3)
    scores = np.concatenate([random.beta(6, 2, N // 10), random.beta(6, 2, 3 * N // 10), random.beta(2, 6, 6 * N // 10)])
    scores[:5], scores[-5:-1], scores[-1] = 1, 0, 1e-200
    scores[::7] = np.round(scores[::7], 2)
    return scores, np.repeat([1, 0], [N // 10, 9 * N // 10]), random.integers(1, 5, N).astype(float)


@pytest.fixture(scope="module")
def scored(database, rows):
    """A connection to a database that has the rows."""
    connection = database.connect()
    fill(connection, "scored", list(zip(range(N), *(values.tolist() for values in (rows[1], rows[0], rows[2])))))
    yield connection
    connection.close()


@pytest.fixture
def answers(scored):
    """The name of a table that a test makes."""
    yield "answers"
    run(scored, "DROP TABLE IF EXISTS answers")


@pytest.mark.parametrize("weighted", [False, True])
def test_bins_are_those_of_numpy(database, scored, rows, weighted):
    scores, labels, weights = rows
    query = sql.query("SELECT * FROM scored;", dialect=database.dialect, weight="weight" if weighted else None)
    found = [(int(row[0]), *map(float, row[1:3])) for row in run(scored, query).fetchall()]
    expected = weighted_rows(bin_rows(scores, labels, weights if weighted else None, most=17_000))
    expected = sorted(zip(expected.labels, expected.scores, expected.weights), key=lambda row: (row[1], row[0]))
    assert len(found) == len(expected)
    assert np.abs(np.array(found) - np.array(expected, float)).max() < 1e-9


@pytest.mark.parametrize("method, error", [("pooled", 0.001), ("dedpul", 0.001), ("bbe", 0.001), ("roc", 0.01)])
@pytest.mark.parametrize("weight", [None, "weight"])
def test_estimates_are_those_of_the_rows(scored, rows, method, error, weight):
    scores, labels, weights = rows
    expected = dedpul.estimate(scores, labels, weights=weights if weight else None, method=method)
    result = sql.estimate(scored, "SELECT * FROM scored", weight=weight, method=method)
    assert abs(result.alpha - expected.alpha) < error
    assert result.weight_unlabeled == pytest.approx(expected.weight_unlabeled)
    assert len(result._rows.scores) <= 10_000


@pytest.mark.parametrize("method", ["pooled", "bbe"])
def test_weights_that_are_no_counts(scored, rows, method):
    scores, labels, weights = rows
    expected = dedpul.estimate(scores, labels, weights=weights / 3, method=method, interval=True)
    result = sql.estimate(scored, "SELECT *, weight / 3 AS w FROM scored", weight="w", method=method, interval=True)
    assert abs(result.alpha - expected.alpha) < 0.001
    if method == "pooled":
        assert np.abs(np.subtract(result.interval[:2], expected.interval[:2])).max() < 0.002


@pytest.mark.parametrize("view", [False, True])
def test_posteriors_are_those_of_the_rows(scored, rows, view):
    into = 'seen' if view else 'kept'
    scores, labels, _ = rows
    result = sql.estimate(scored, "SELECT label, score FROM scored")
    sql.posteriors(scored, "SELECT * FROM scored -- all of them\n ; ", result, into=into, view=view)
    found = np.array(run(scored, "SELECT id, label, score, weight, posterior FROM " + into + " ORDER BY id").fetchall(), float)
    assert len(found) == N and np.allclose(found[:, 2], scores, rtol=1e-12)
    expected = dedpul.estimate(scores, labels).posterior
    assert np.abs(found[labels == 0, 4] - expected).max() < 1e-3
    assert np.abs(found[:, 4] - result.evaluate(scores)).max() < 2e-5  # both ends and labeled rows, too


def test_few_rows_are_not_binned(scored):
    few = "SELECT * FROM scored WHERE id % 20 = 3"
    found = np.array(run(scored, few).fetchall(), float)
    for method in ("pooled", "bbe", "roc", "ntc_tice", "alphamax"):
        expected = dedpul.estimate(found[:, 2], found[:, 1], method=method).alpha
        assert sql.estimate(scored, few, method=method).alpha == pytest.approx(expected, abs=1e-9), method


def test_options_and_intervals(scored):
    result = sql.estimate(scored, "SELECT * FROM scored", interval=True, alpha=None, threads=1)
    assert result.interval.low < result.alpha < result.interval.high
    assert sql.estimate(scored, "SELECT * FROM scored", alpha=0.25).rule == "given"
    with pytest.raises(TypeError, match="did you mean 'method'"):
        sql.estimate(scored, "SELECT * FROM scored", metod="bbe")


@pytest.mark.parametrize("labels", [(True, False), (1, -1)])
def test_labels_of_other_kinds(connection, rows, labels):
    scores, is_positive, _ = rows
    kind = "boolean" if labels[0] is True else "double precision"
    fill(connection, "scored", [(labels[0] if p else labels[1], s) for p, s in zip(is_positive.tolist(), scores.tolist())],
         f"label {kind}, score double precision")
    expected = dedpul.estimate(scores, is_positive).alpha
    assert abs(sql.estimate(connection, "SELECT * FROM scored").alpha - expected) < 0.001


def test_rows_without_a_score_are_counted(scored, answers):
    query = "SELECT label, CASE WHEN id < 3 THEN NULL ELSE score END AS score FROM scored"
    with pytest.warns(dedpul.DedpulWarning, match="missing_scores: 3 rows have no score"):
        result = sql.estimate(scored, query)
    assert result.weight_positive == N // 10 - 3 and result.warnings[-1].code == "missing_scores"
    with pytest.warns(dedpul.DedpulWarning, match="missing_scores: 3 rows have no posterior"):
        sql.posteriors(scored, query, result, into=answers)
    assert run(scored, "SELECT count(*) FROM answers WHERE posterior IS NULL").fetchone()[0] == 3


@pytest.mark.parametrize("what, message", [
    ("label, CASE WHEN id < 3 THEN -0.5 ELSE score END AS score", "3 rows have a 'score' that is not from 0 to 1, such as -0.5"),
    ("label, CASE WHEN id < 2 THEN 3 WHEN id < 7 THEN -3 ELSE score END AS score", "7 rows have a 'score' .* such as 3"),
    ("CASE WHEN id < 3 THEN 2 ELSE label END AS label, score", "'label' is '2' in some rows; labels are 1/0"),
    ("CASE WHEN id < 3 THEN NULL ELSE label END AS label, score", "'label' is NULL in some rows"),
    ("CASE WHEN id < 3 THEN -1 ELSE label END AS label, score", "'label' has both 0 and -1"),
    ("0 AS label, score", "there are 0 labeled positive rows")])
def test_bad_rows(scored, what, message):
    with pytest.raises(ValueError, match=message):
        sql.estimate(scored, f"SELECT {what} FROM scored")


@pytest.mark.parametrize("weight", ["-1", "NULL", "CAST('inf' AS double precision)"])
def test_bad_weights(database, scored, weight):
    if "inf" in weight and database.dialect == "sqlite":
        weight = "9e999"
    with pytest.raises(ValueError, match="4 rows have a 'w' that is missing, negative or not a number"):
        sql.estimate(scored, f"SELECT label, score, CASE WHEN id < 4 THEN {weight} ELSE 1 END AS w FROM scored", weight="w")


def test_not_a_number(database, connection):
    rows = [(i % 2, 0.1 + i / 20) for i in range(10)] + [(1, float("nan"))]
    if database.dialect == "sqlite":
        rows[-1] = (1, "much")  # which SQLite would take for 0
    fill(connection, "scored", rows, "label integer, score double precision")
    with pytest.raises(ValueError, match="1 rows have a 'score' that is not from 0 to 1, such as (nan|inf)"):
        sql.estimate(connection, "SELECT * FROM scored")


def test_no_rows(connection):
    fill(connection, "scored", [])
    with pytest.raises(ValueError, match="there are 0 labeled positive rows"):
        sql.estimate(connection, "SELECT * FROM scored")


def test_names_cannot_break_out(connection, rows):
    """Names with quotes, blanks and other statements are names."""
    scores, labels, _ = rows
    evil = 's"; DROP TABLE scored; --'
    quoted = '"' + evil.replace('"', '""') + '"'
    fill(connection, "scored", list(zip(labels.tolist()[::10], scores.tolist()[::10])),
         f'"a b" integer, {quoted} double precision')
    result = sql.estimate(connection, "SELECT * FROM scored", label="a b", score=evil)
    sql.posteriors(connection, "SELECT * FROM scored", result, score=evil, into=evil, posterior='p"')
    assert run(connection, f'SELECT count("p""") FROM {quoted}').fetchone()[0] == N // 10
    assert run(connection, "SELECT count(*) FROM scored").fetchone()[0] == N // 10
    for name in ('score" --', "scroe"):
        with pytest.raises(Exception, match="(?i)column"):
            sql.estimate(connection, "SELECT * FROM scored", label="a b", score=name)


@pytest.mark.parametrize("what, message", [("id", "no column 'score' of scores; its columns are 'id'"),
                                           ("score, 1 AS posterior", "column 'posterior' already"),
                                           ('score, 1 AS "Posterior"', "column 'posterior' already"),
                                           ("score, 1 AS dedpul_logit", "column 'dedpul_logit'; names that begin"),
                                           ("score, id, id", "more than one column called 'id'")])
def test_bad_columns(database, scored, what, message, answers):
    if "id, id" in what and database.dialect != "postgres":
        pytest.skip("DuckDB and SQLite rename columns of the same name")
    result = dedpul.estimate_two([0.6, 0.7, 0.8, 0.9], [0.1, 0.2, 0.3, 0.7, 0.8, 0.9], alpha=0.5)
    with pytest.raises(ValueError, match=message):
        sql.posteriors(scored, f"SELECT {what} FROM scored", result, into=answers)


def test_columns_of_any_name(scored, rows, answers):
    """Names that the query of posteriors uses itself are the user's, too."""
    scores = rows[0]
    result = sql.estimate(scored, "SELECT label, score FROM scored")
    named = ", ".join(f"0.99 AS {name}" for name in ("low", "high", "start", "slope"))
    sql.posteriors(scored, f"SELECT id, score, {named} FROM scored", result, into=answers)
    found = np.array(run(scored, "SELECT posterior FROM answers ORDER BY id").fetchall(), float)
    assert np.abs(found[:, 0] - result.evaluate(scores)).max() < 2e-5


def test_statements_are_in_the_transaction(connection):
    """What is not committed yet is seen, and nothing is committed."""
    run(connection, "CREATE TABLE scored (label integer, score double precision)")
    is_duckdb = hasattr(connection, "begin")
    connection.begin() if is_duckdb else connection.commit()
    if getattr(connection, "autocommit", None) is True:  # psycopg2, as the fixture has it
        connection.autocommit = False
    (connection if is_duckdb else connection.cursor()).execute(
        "INSERT INTO scored VALUES (1, 0.6), (1, 0.7), (0, 0.5), (0, 0.2)")
    result = sql.estimate(connection, "SELECT * FROM scored", alpha=0.5)
    sql.posteriors(connection, "SELECT * FROM scored", result, into="answers")
    connection.rollback()
    assert run(connection, "SELECT count(*) FROM scored").fetchone()[0] == 0
    with pytest.raises(Exception, match="answers"):
        run(connection, "SELECT * FROM answers")


def test_texts_of_sqlite():
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE scored (label, score)")
    connection.executemany("INSERT INTO scored VALUES (?, ?)", [("1", "0.6"), ("1", "0.7"), ("0", "0.5"), ("0", "0.2")])
    with pytest.raises(ValueError, match=r"CAST\(score AS REAL\) AS score"):
        sql.estimate(connection, "SELECT * FROM scored")
    sql.estimate(connection, "SELECT label, CAST(score AS REAL) AS score FROM scored", alpha=0.5)


def test_bad_arguments(connection):
    result = dedpul.estimate_two([0.6, 0.7, 0.8, 0.9], [0.1, 0.2, 0.3, 0.7, 0.8, 0.9], alpha=0.5)
    with pytest.raises(ValueError, match="None is not a query"):
        sql.estimate(connection, None)
    with pytest.raises(ValueError, match="the name of the table is missing"):
        sql.posteriors(connection, "SELECT 0.5 AS score", result, into=[])


def test_a_single_point(connection):
    """A curve that is level everywhere."""
    fill(connection, "scored", [(1, 0.6), (1, 0.7), (0, 0.5), (0, 0.5)], "label integer, score double precision")
    result = sql.estimate(connection, "SELECT * FROM scored", alpha=0.5)
    sql.posteriors(connection, "SELECT * FROM scored", result, into="answers")
    found = np.array(run(connection, "SELECT score, posterior FROM answers").fetchall())
    assert np.allclose(found[:, 1], result.evaluate(found[:, 0]))


def test_unknown_connections():
    class Connection:
        pass
    with pytest.raises(ValueError, match="Connection does not tell .* dialect=, one of postgres, duckdb, sqlite"):
        sql.estimate(Connection(), "SELECT 1")
    with pytest.raises(ValueError, match="dialect: 'oracle' is not known"):
        sql.query("SELECT 1", dialect="oracle")
    with pytest.raises(ValueError, match="3 is not the name of a column"):
        sql.query("SELECT 1", dialect="sqlite", label=3)
    with pytest.raises(ValueError, match="the query is empty"):
        sql.query(" ; ", dialect="sqlite")


@pytest.mark.parametrize("dialect", DATABASES)
def test_the_command_prints_the_same(command, dialect):
    assert command("sql", "SELECT * FROM t", "--dialect", dialect, "--weight", 'w"') == \
        sql.query("SELECT * FROM t", dialect=dialect, weight='w"')


def test_the_pipe_of_the_shell(database, scored, command, tmp_path):
    if database.dialect != "postgres":
        pytest.skip("psql is PostgreSQL's")
    schema = run(scored, "SHOW search_path").fetchone()[0]
    binned = command("sql", f"SELECT label, score FROM {schema}.scored")
    done = subprocess.run([f"{database.programs}/psql", "-h", database.directory, "-U", "postgres", "--csv", "-c", binned],
                          capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    (tmp_path / "bins.csv").write_text(done.stdout)
    answer = command("scores", tmp_path / "bins.csv", "--weight", "n", "--json")
    assert abs(answer["alpha"] - sql.estimate(scored, "SELECT * FROM scored").alpha) < 2e-4
