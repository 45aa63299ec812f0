"""Evaluations without known negatives: the command's, bit for bit."""
import pickle

import numpy as np
import pytest
from conftest import DATA, read_columns

import dedpul
from dedpul import metrics

pytestmark = pytest.mark.filterwarnings("ignore::dedpul.DedpulWarning")

MEASURES = ("precision", "recall", "lift", "f1")


@pytest.fixture(scope="module")
def truth():
    lines = (DATA / "wine_scores.csv").read_text().split()
    return np.array([line.endswith(",red") for line in lines[1:]])


@pytest.fixture(scope="module")
def result(scored):
    return dedpul.estimate(*scored)


@pytest.fixture(scope="module")
def blurred(scored, truth):
    """Scores, labels and truth of rows that are harder to tell apart."""
    random = np.random.default_rng(0)
    logit = np.log(scored[0] / (1 - scored[0])) + random.normal(0, 1.2, len(truth))
    return 1 / (1 + np.exp(-logit)), scored[1], truth


def value(number):
    return None if number != number else number


def as_json(found):
    """An evaluation as the command writes it."""
    def ranges(of, names):
        return {name: {end: value(number) for end, number in getattr(of, name)._asdict().items()}
                for name in names}
    at = found.threshold
    bins = [{name: row[name] for name in found.bins.dtype.names} for row in found.bins]
    answer = {"alpha": found.alpha, "level": found.level,
              **ranges(found, ("auc", "average_precision", "best_f1")),
              "threshold": {"score": value(at.score), "posterior": value(at.posterior), "rows": at.rows,
                            "flagged": at.flagged, **ranges(at, MEASURES)},
              "calibration": {"difference": found.calibration_difference,
                              "chance": found.calibration_chance, "bins": bins},
              "warnings": [{"code": w.code, "message": w.message} for w in found.warnings]}
    if found.truth is not None:
        answer["truth"] = {name: value(number) for name, number in found.truth._asdict().items()}
    return answer


@pytest.mark.parametrize("options", [
    {}, {"precision": 0.9}, {"recall": 0.8, "level": 0.9}, {"top": 500}, {"share": 0.1, "threads": 1},
    {"cost": "1:5", "alpha": 0.5}, {"max": "f1", "method": "dedpul"}, {"cost": "1000:1"}], ids=str)
def test_same_as_the_command(options, command, scored, truth, tmp_path):
    rows = np.column_stack([*scored, truth])
    np.savetxt(tmp_path / "t.csv", rows, delimiter=",", header="score,label,truth", comments="", fmt="%.17g")
    flags = [word for name, option in options.items() for word in ("--" + name, option)]
    answer = command("evaluate", tmp_path / "t.csv", "--truth", "truth", "--json", "--curve",
                     tmp_path / "c.csv", *flags)
    found = metrics.evaluate(*scored, truth=truth, **options)
    shown = as_json(found)
    assert {name: answer[name] for name in shown} == shown
    assert set(answer) - set(shown) == {"method", "n_positive", "n_unlabeled"}
    header = (tmp_path / "c.csv").read_text().split("\n")[0].split(",")
    assert list(found.curve.dtype.names) == header
    for name, column in zip(header, read_columns(tmp_path / "c.csv", *header)):
        assert np.allclose(found.curve[name], column, rtol=1e-5, atol=0), name


def test_truth_is_counted(blurred):
    """By hand, from the rows."""
    scores, labels, truth = blurred
    found = metrics.evaluate(scores, labels, truth=truth, threshold=0.4)
    flagged, unlabeled = scores >= 0.4, labels == 0
    positives = (flagged & unlabeled & truth).sum()
    assert found.threshold.rows == (flagged & unlabeled).sum()
    assert found.truth.precision == pytest.approx(positives / found.threshold.rows)
    assert found.truth.recall == pytest.approx(positives / (unlabeled & truth).sum())
    p, n = scores[unlabeled & truth], scores[unlabeled & ~truth]
    assert found.truth.auc == pytest.approx((p[:, None] > n).mean())
    for name in ("auc", "average_precision", "best_f1"):
        assert getattr(found, name).low < getattr(found.truth, name) < getattr(found, name).high
    for name in MEASURES:
        estimate = getattr(found.threshold, name)
        assert estimate.low < getattr(found.truth, name) < estimate.high


def test_estimates_are_near(blurred):
    scores, labels, truth = blurred
    for threshold in (0.2, 0.4, 0.6):
        found = metrics.evaluate(scores, labels, truth=truth, threshold=threshold)
        for name, most in [("precision", 0.05), ("recall", 0.05), ("f1", 0.04), ("lift", 0.15)]:
            assert abs(getattr(found.threshold, name).value - getattr(found.truth, name)) < most, name
    assert abs(found.auc.value - found.truth.auc) < 0.02


def test_one_measure(scored):
    found = metrics.evaluate(*scored, threshold=("top", 300))
    assert metrics.roc_auc(*scored) == found.auc.value
    assert metrics.average_precision(*scored) == found.average_precision.value
    for name in MEASURES:
        assert getattr(metrics, name)(*scored, ("top", 300)) == getattr(found.threshold, name).value


@pytest.mark.parametrize("weighted", [False, True])
def test_a_score_as_threshold(weighted, blurred):
    scores, labels, _ = blurred
    weights = np.arange(len(scores)) % 3 + 0.1 if weighted else None
    counts = np.ones(len(scores)) if weights is None else weights
    for threshold in (0.123, 0.5, scores[labels == 0].max()):
        found = metrics.evaluate(scores, labels, weights=weights, threshold=threshold).threshold
        flagged = (labels == 0) & (scores >= threshold)
        assert found.rows == pytest.approx(counts[flagged].sum(), rel=1e-9)
        assert found.score == scores[flagged].min()


def test_a_posterior_as_threshold(result):
    for posterior in (0.3, 0.5, 0.8):
        found = result.evaluation(("posterior", posterior)).threshold
        assert found.rows == (result.posterior > posterior).sum()
    assert result.evaluation(("posterior", 0.5)).threshold == result.evaluation().threshold


def test_an_unknown_truth(blurred):
    scores, labels, truth = blurred
    every_other = np.where(np.arange(len(truth)) % 2, truth, np.nan)
    found = metrics.evaluate(scores, labels, truth=every_other)
    assert found.truth.rows == ((labels == 0) & ~np.isnan(every_other)).sum()
    signs = np.where(truth, 1, -1)
    assert metrics.evaluate(scores, labels, truth=signs).truth == \
        metrics.evaluate(scores, labels, truth=truth).truth


@pytest.mark.parametrize("options, message", [
    ({"threshold": ("precision", 0.999)}, "a precision of 0.999 cannot be had .* the highest .* is 0"),
    ({"threshold": ("precison", 0.9)}, "unknown goal 'precison'.*precision"),
    ({"threshold": ("precision", 2)}, "precision: '2' is not a share"),
    ({"threshold": ("top", 3000)}, "3000 rows cannot be flagged: there are 2198"),
    ({"threshold": ("cost", 3)}, "cost: '3' is not what a false positive and a false negative cost"),
    ({"threshold": ("max", "recall")}, "max: 'recall' is not f1"),
    ({"threshold": ("posterior", 1)}, "posterior: 1 is not a number above 0 and below 1"),
    ({"threshold": ("score", "a")}, "score: 'a' is not a number above 0 and below 1"),
    ({"threshold": 7}, "score: 7 is not a number above 0 and below 1"),
    ({"threshold": True}, "score: True is not a number"),
    ({"threshold": 0.999}, "no unlabeled row has a score of at least 0.999"),
    ({"threshold": "precision"}, "threshold: 'precision' is not a number or a pair such as"),
    ({"threshold": ("precision", 0.9, 1)}, "is not a number or a pair"),
    ({"level": 2}, "level"),
    ({"truth": [1, 0]}, "truth has 2 values, but the data has 2698"),
    ({"truth": np.full(2698, np.nan)}, "no class of an unlabeled row is known"),
    ({"truth": np.ones(2698)}, "are all positive"),
    ({"truth": np.arange(2698)}, "truth must be 1"),
    ({"truth": ["red"] * 2698}, "truth must be 1"),
    ({"method": "tice"}, "features"),
    ({"alpha": 0}, "alpha is 0.*nothing to evaluate"),
])
def test_wrong(options, message, scored):
    with pytest.raises(ValueError, match=message):
        metrics.evaluate(*scored, **options)


def test_one_threshold_only(scored):
    with pytest.raises(TypeError, match="one threshold too many"):
        metrics.evaluate(*scored, precision=0.9, recall=0.8)
    with pytest.raises(TypeError, match="one threshold too many"):
        metrics.evaluate(*scored, threshold=0.5, top=10)


def test_warnings_come_with_it(scored):
    with pytest.warns(dedpul.DedpulWarning) as caught:
        found = metrics.evaluate(*scored, method="dedpul")
    assert [warning.message.code for warning in caught] == [warning.code for warning in found.warnings]
    assert "alpha_as_known" in [warning.code for warning in found.warnings]
    assert caught[0].filename == __file__
    with pytest.warns(dedpul.DedpulWarning, match="discrete_scores"):  # about the estimate
        found = metrics.evaluate(np.round(scored[0], 1), scored[1])
    assert "discrete_scores" in [warning.code for warning in found.warnings]
    with pytest.warns(dedpul.DedpulWarning, match="alpha_as_known") as caught:
        metrics.roc_auc(*scored, method="dedpul")
    assert caught[0].filename == __file__


def test_texts(scored, truth):
    found = metrics.evaluate(*scored, truth=truth)
    for shown in (repr(found), found._repr_html_()):
        for number in (*found.auc, *found.threshold.f1, found.truth.best_f1):
            assert f"{number:.4f}" in shown
    assert "truth" not in repr(metrics.evaluate(*scored)) and "95% range" in repr(found)


# ---- results ----

def test_curves(result, scored):
    curves = result.curves()
    assert curves.tolist() == metrics.evaluate(*scored).curve.tolist()
    assert (np.diff(curves["score"]) < 0).all() and (np.diff(curves["rows"]) > 0).all()
    for name in MEASURES:
        assert (curves[name + "_low"] <= curves[name]).all() and (curves[name] <= curves[name + "_high"]).all()
    again = pickle.loads(pickle.dumps(result)).curves()
    assert again.tolist() == curves.tolist()


def test_curves_of_two_arrays(scored):
    scores, labels = scored
    order = np.argsort(labels == 0, kind="stable")
    weights = np.arange(len(scores)) % 3 + 0.5
    n = int(labels.sum())
    one = dedpul.estimate(scores, labels, weights=weights).curves()
    p, u = order[:n], order[n:]
    two = dedpul.estimate_two(scores[p], scores[u], weights_p=weights[p], weights_u=weights[u]).curves()
    assert one.tolist() == two.tolist()
    one = dedpul.estimate(scores, labels, weights=np.where(labels == 1, 2, 1)).curves()
    two = dedpul.estimate_two(scores[p], scores[u], weights_p=np.full(n, 2)).curves()
    assert one.tolist() == two.tolist()


def test_curves_are_of_the_rows_that_were(scored):
    """Not of what has become of the arrays since."""
    scores, labels = scored[0].copy(), scored[1] == 1
    result = dedpul.estimate(scores, labels)
    before = result.curves()
    scores[:], labels[:] = 0.5, False
    assert result.curves().tolist() == before.tolist()


def test_curves_of_a_fit(wine):
    X, y, _ = wine
    options = {"classifier": "gbdt", "folds": 2, "ensemble": 1, "tree_rounds": 20}
    for model in (dedpul.fit(X, y, **options), dedpul.fit(DATA / "wine.csv", **options)):
        found = model.result.evaluation(("top", 100))
        assert found.threshold.rows == 100
        assert found.threshold.score == np.sort(model.scores[y == 0])[-100]
    weights = np.arange(len(y)) % 2 + 1
    model = dedpul.fit(X, y, weights=weights, **options)
    assert model.result.curves()["rows"][-1] == weights[y == 0].sum()


def test_frames(result):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(result.curves())
    assert frame.columns.tolist()[:4] == ["score", "posterior", "rows", "flagged"] and len(frame) > 200


def test_a_pickle_of_an_earlier_version(result):
    state = {name: array for name, array in vars(result).items() if name != "_rows"}
    again = dedpul.Result.__new__(dedpul.Result)
    again.__setstate__(state)
    with pytest.raises(ValueError, match="dedpul.metrics.evaluate takes scores and labels"):
        again.curves()
