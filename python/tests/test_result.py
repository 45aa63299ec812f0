"""Estimates from scores: the command's, bit for bit, and what a result can do."""
import gc
import pickle
import re
import threading
import time

import numpy as np
import pytest
from conftest import DATA, digits, read_columns, slow

import dedpul
from dedpul import _arrays, _library

OPTIONS = [
    {},
    {"method": "dedpul"},
    {"method": "dedpul_bbe", "smoothing": "paper"},
    {"method": "dedpul", "density": "gmm", "seed": 3},
    {"method": "dedpul", "bandwidth_p": "0.1sd", "bandwidth_u": "auto", "solver": "em", "seed": 5},
    {"interval": True, "level": 0.8},
    {"interval": "bootstrap", "threads": 1},
    {"bands": True, "posterior": "plain"},
    {"resamples": 20, "bands": True, "level": 0.9, "seed": 2**63},
    {"alpha": 0.1 + 0.2, "threads": 1},
]


def arguments(options):
    """As the command's."""
    for name, value in options.items():
        yield "--" + name.replace("_", "-")
        if value is not True:
            yield str(value)


@pytest.mark.filterwarnings("ignore::dedpul.DedpulWarning")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_same_as_the_command(options, command, scored, tmp_path):
    answer = command("scores", DATA / "wine_scores.csv", "--json", "--posteriors", tmp_path / "p.csv",
                     "--curve", tmp_path / "c.csv", *arguments(options))
    result = dedpul.estimate(*scored, **options)
    for name in ("method", "density", "alpha", "alpha_c", "alpha_n", "rule", "scale", "mean_ratio", "auc",
                 "bandwidth_p", "bandwidth_u", "n_positive", "n_unlabeled", "weight_positive"):
        value = getattr(result, name)
        assert answer[name] == (None if value != value else value), name
    assert answer["warnings"] == [{"code": w.code, "message": w.message} for w in result.warnings]
    assert (result.interval is None) == ("interval" not in answer)
    if result.interval is not None:
        assert {**answer["interval"]} == result.interval._asdict()
    ratio, posterior = read_columns(tmp_path / "p.csv", "ratio", "posterior")
    assert (digits(12, result.ratio) == ratio).all() and (digits(12, result.posterior) == posterior).all()
    if options.get("bands"):
        low, high = read_columns(tmp_path / "p.csv", "low", "high")
        assert (digits(6, result.posterior_low) == low).all()
        assert (digits(6, result.posterior_high) == high).all()
    else:
        assert result.posterior_low is None
    alpha, d = read_columns(tmp_path / "c.csv", "alpha", "d")
    assert np.allclose(result.curve_alpha, alpha, atol=1e-15) and (digits(12, result.curve_d) == d).all()


def test_weights_and_two_arrays(command, scored, tmp_path):
    scores, labels = scored
    weights = np.arange(len(scores)) % 3 + 0.5
    table = np.column_stack([labels, scores, weights])
    np.savetxt(tmp_path / "w.csv", table, delimiter=",", header="label,score,n", comments="", fmt="%.17g")
    answer = command("scores", tmp_path / "w.csv", "--weight", "n", "--json")
    one = dedpul.estimate(scores, labels, weights=weights)
    p = labels == 1
    two = dedpul.estimate_two(scores[p], scores[~p], weights_p=weights[p], weights_u=weights[~p])
    assert answer["alpha"] == one.alpha == two.alpha
    assert answer["weight_unlabeled"] == one.weight_unlabeled
    assert (one.posterior == two.posterior).all()


@pytest.mark.parametrize("change", [
    lambda y: y.astype(int), lambda y: y == 1, lambda y: np.where(y == 1, 1, -1), lambda y: list(y),
    lambda y: y.astype(np.uint8), lambda y: np.repeat(y, 2)[::2], lambda y: (y == 1).astype(object)])
def test_labels(change, scored):
    scores, labels = scored
    assert dedpul.estimate(scores, change(labels)).alpha == dedpul.estimate(scores, labels).alpha


def test_no_copies(scored):
    scores, labels = scored
    assert _arrays.vector(scores, "scores") is scores
    marks = labels == 1
    assert np.shares_memory(_arrays.labels(marks), marks)
    X = np.ones((3, 2), np.float32)
    assert np.shares_memory(_arrays.matrix(X)[0], X)
    assert np.shares_memory(_arrays.matrix(X.astype(float))[0], X) is False


def test_arrays_outlive_the_result(scored):
    posterior = dedpul.estimate(*scored).posterior
    copy = posterior.copy()
    gc.collect()
    for _ in range(3):
        dedpul.estimate(*scored, seed=1)
    assert (posterior == copy).all()
    with pytest.raises(ValueError):
        posterior[0] = 1


@pytest.mark.parametrize("options", [{}, {"posterior": "plain"}, {"method": "dedpul", "resamples": 20}],
                         ids=str)
def test_evaluate_and_pickle(options, scored):
    scores, labels = scored
    scores = scores + np.arange(len(scores)) * 1e-9  # no ties
    result = dedpul.estimate(scores, labels, interval=True, **options)
    again = pickle.loads(pickle.dumps(result))
    assert np.allclose(result.evaluate(scores[labels == 0]), result.posterior, atol=1e-9)
    grid = np.linspace(0, 1, 101)
    assert (again.evaluate(grid) == result.evaluate(grid)).all()
    assert (again.posterior == result.posterior).all() and again.interval == result.interval
    assert repr(again) == repr(result)
    assert not again.posterior.flags.writeable
    with pytest.raises(ValueError, match=r"score\[1\] is 2: scores must lie in \[0, 1\]"):
        result.evaluate([0.5, 2])


def test_a_pickle_of_an_earlier_version(scored):
    """Its result has no scales, because there was only one scale."""
    result = dedpul.estimate(*scored, posterior="plain")
    state = {name: value for name, value in vars(result).items() if name not in ("scales", "scale_weights")}
    again = dedpul.Result.__new__(dedpul.Result)
    again.__setstate__(state)
    assert (again.evaluate([0.2, 0.9]) == result.evaluate([0.2, 0.9])).all()


def test_interval_of_the_default(scored):
    """It comes from alpha's distribution, without resamples, and is wider at a higher level."""
    result = dedpul.estimate(*scored, interval=True)
    interval = result.interval
    assert result.method == "pooled" and interval.resamples == 0 and interval.level == 0.95
    assert 0 < interval.low < result.alpha < interval.high < 1
    assert (interval.percentile_low, interval.percentile_high) == (interval.low, interval.high)
    narrow = dedpul.estimate(*scored, interval=True, level=0.5).interval
    assert interval.low < narrow.low < result.alpha < narrow.high < interval.high
    assert dedpul.estimate(*scored, interval=True, resamples=0).interval == interval
    assert dedpul.estimate(*scored, interval=True, seed=1).interval == interval


@pytest.mark.parametrize("options", [{"interval": "bootstrap"}, {"interval": True, "method": "dedpul"}],
                         ids=str)
def test_interval_by_the_bootstrap(options, scored):
    """low and high are the corrected ones, which are printed; too few resamples give none."""
    interval = dedpul.estimate(*scored, **options).interval
    assert interval.resamples == _library.constants["DEDPUL_ENOUGH_RESAMPLES"]
    assert interval.low < interval.high < interval.upper_bound
    assert interval.percentile_low < interval.percentile_high
    assert (interval.low, interval.high) != (interval.percentile_low, interval.percentile_high)
    assert dedpul.estimate(*scored, **options, resamples=20).interval.resamples == 20
    assert dedpul.estimate(*scored, **options, resamples=1).interval is None


def test_values_of_interval(scored):
    p, u = (scored[0][scored[1] == label] for label in (1, 0))
    on = dedpul.estimate(*scored, interval=True).interval
    for value in (True, np.True_, "on"):
        assert dedpul.estimate(*scored, interval=value).interval == on
        assert dedpul.estimate_two(p, u, interval=value).interval == on
    for value in (False, np.False_, None, "off"):
        assert dedpul.estimate(*scored, interval=value).interval is None
        assert dedpul.estimate_two(p, u, interval=value).interval is None
    assert dedpul.estimate(*scored, interval=False, resamples=20).interval.resamples == 20


def test_posteriors_are_means_over_scales(scored):
    """Those of the default are less sure than plain ones, but their mean is alpha, too."""
    mean, plain = dedpul.estimate(*scored), dedpul.estimate(*scored, posterior="plain")
    for result in (mean, plain):
        assert np.isclose(result.scale_weights.sum(), 1) and (np.diff(result.scales) > 0).all()
        posterior = np.minimum(np.outer(result.ratio, result.scales), 1) @ result.scale_weights
        assert np.allclose(posterior, result.posterior, atol=1e-12)
        assert np.isclose(result.posterior.mean(), result.alpha, atol=1e-6)
    assert plain.scales.tolist() == [plain.scale] and plain.scale_weights.tolist() == [1]
    assert len(mean.scales) > 1 and mean.alpha == plain.alpha
    assert mean.posterior.max() < 1 == plain.posterior.max()
    dedpuls = dedpul.estimate(*scored, method="dedpul")
    assert dedpuls.scales.tolist() == [dedpuls.scale]


def test_bands_of_the_default(scored):
    result = dedpul.estimate(*scored, bands=True)
    low, posterior, high = result.posterior_low, result.posterior, result.posterior_high
    assert (0 <= low).all() and (low <= posterior).all() and (posterior <= high).all() and (high <= 1).all()
    assert low.mean() < posterior.mean() - 0.01 and posterior.mean() + 0.01 < high.mean()
    assert result.interval == dedpul.estimate(*scored, interval=True).interval


def test_every_field_is_shown(scored):
    """A field of the struct that Python does not show must be left out on purpose."""
    result = dedpul.estimate(*scored, bands=True, resamples=20)
    fields = [name for name, _ in _library.types.dedpul_result._fields_]
    # label_check and propensities are about fits, and are None here
    nothing = [name for name in fields if getattr(result, name, None) is None]
    assert sorted(nothing) == ["label_check", "propensities", "size"]
    assert {"label_check", "propensities"} <= set(vars(result))
    for struct, shown, hidden in ((_library.types.dedpul_interval, dedpul.Interval, {"size"}),
                                  (_library.types.dedpul_propensities, dedpul.Propensities, {"size", "n_groups"}),
                                  (_library.types.dedpul_propensity_group, dedpul.PropensityGroup, set())):
        assert {name for name, _ in struct._fields_} - set(shown._fields) == hidden


def test_texts(scored):
    for kind, origin in (True, "95%, learned on simulated problems"), ("bootstrap", "95%, by 200 resamples"):
        result = dedpul.estimate(*scored, interval=kind)
        text = repr(result)
        assert f"alpha     {result.alpha:.4f}" in text
        interval = result.interval
        assert re.search(rf"{interval.low:.4f} to {interval.high:.4f} +{origin}", text)
        assert re.search(rf"at most +{interval.upper_bound:.4f} .*95% bound", text)
    page = result._repr_html_()
    assert f"{result.alpha:.4f}" in page and page.startswith("<table>")


def test_plot(scored, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = dedpul.estimate(*scored, interval=True).plot()
    assert len(axes.lines) == 3 and axes.get_xlabel() == "alpha"
    axes.figure.savefig(tmp_path / "d.png")


def test_warnings_have_codes():
    with pytest.warns(dedpul.DedpulWarning) as caught:
        result = dedpul.estimate_two([0.2, 0.5, 0.2, 0.5], [0.2, 0.5, 0.5, 0.2])
    codes = [warning.message.code for warning in caught]
    assert codes == [warning.code for warning in result.warnings]
    assert "uninformative_scores" in codes
    assert caught[0].filename == __file__
    assert str(caught[0].message).startswith(codes[0] + ": ")


@slow
@pytest.mark.filterwarnings("ignore::dedpul.DedpulWarning")
def test_others_run_meanwhile():
    random = np.random.default_rng(0)
    scores, labels = random.random(300000), random.random(300000) < 0.3
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)
    other = threading.Thread(target=tick)
    other.start()
    begin = time.perf_counter()
    try:
        dedpul.estimate(scores, labels, threads=1, resamples=5)
    finally:
        end = time.perf_counter()
        done.set()
        other.join()
    assert sum(begin < tick < end for tick in ticks) > 10


@slow
@pytest.mark.filterwarnings("ignore::dedpul.DedpulWarning")
def test_overhead(monkeypatch):
    random = np.random.default_rng(0)
    scores = random.random(1000000)
    labels = (random.random(1000000) < scores**2).astype(int)
    within = []
    original = _library.library.dedpul_estimate

    def timed(*arguments):
        begin = time.perf_counter()
        try:
            return original(*arguments)
        finally:
            within.append(time.perf_counter() - begin)
    monkeypatch.setattr(_library.library, "dedpul_estimate", timed)
    shares = []
    for _ in range(3):
        begin = time.perf_counter()
        dedpul.estimate(scores, labels)
        shares.append((time.perf_counter() - begin) / within[-1] - 1)
    assert min(shares) < 0.05, shares
