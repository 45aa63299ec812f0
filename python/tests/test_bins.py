"""Bins of scores: exact if there are few, near enough if there are many, and the same from parts."""
import numpy as np
import pytest

import dedpul
from dedpul._bins import Bins, bin_rows, logit, merge, weighted_rows
from dedpul._result import estimate_rows


@pytest.fixture(scope="module")
def many():
    random = np.random.default_rng(0)
    scores = np.concatenate([random.beta(6, 2, 10_000), random.beta(6, 2, 30_000), random.beta(2, 6, 60_000)])
    return scores, np.repeat([1, 0], [10_000, 90_000])


def totals(bins):
    return [bins.positive.sum(), bins.unlabeled.sum(), (bins.score * (bins.positive + bins.unlabeled)).sum()]


def test_few_rows_stay_as_they_are():
    bins = bin_rows([0.3, 0.1, 0.1, 1.0, 0.1, 0.0], [1, 0, 1, 1, 0, 0], [1, 2, 3, 4, 5, 0])
    assert bins.score.tolist() == [0.0, 0.1, 0.3, 1.0]
    assert bins.positive.tolist() == [0, 3, 1, 4] and bins.unlabeled.tolist() == [0, 7, 0, 0]
    rows = weighted_rows(bins)
    assert rows.scores.tolist() == [0.1, 0.3, 1.0, 0.1] and rows.labels.tolist() == [1, 1, 1, 0]
    assert rows.weights.tolist() == [3, 1, 4, 7]


def test_true_classes_of_unlabeled_rows():
    parts = [bin_rows([0.3, 0.1, 0.1], [1, 0, 0], [1, 2, 3], truth=np.array([0, 1, 0])),
             bin_rows([0.1, 0.1, 0.3], [0, 0, 0], [4, 0.5, 6], truth=np.array([1, 2, 2]))]
    rows = weighted_rows(merge(parts))
    assert rows.scores.tolist() == [0.3, 0.1, 0.1, 0.1, 0.3] and rows.labels.tolist() == [1, 0, 0, 0, 0]
    assert rows.weights.tolist() == [1, 3, 6, 0.5, 6]
    assert np.array_equal(rows.truth, [np.nan, 0, 1, np.nan, np.nan], equal_nan=True)
    assert rows.squares.sum() == 1 + 4 + 9 + 16 + 0.25 + 36


def test_order_is_kept_where_it_can_be():
    """Bins are joined where there are only unlabeled rows, not where both labels are."""
    random = np.random.default_rng(0)
    logits = np.concatenate([random.uniform(2, 3, 4000), random.uniform(-6, -5.5, 16_000)])
    bins = bin_rows(1 / (1 + np.exp(-logits)), np.arange(20_000) < 2000)
    assert bins.n_rows() <= 10_000
    assert (bins.positive * bins.unlabeled).sum() < 200  # pairs of 4,000,000


def test_no_rows():
    assert bin_rows([], []).n_rows() == 0 and merge([bin_rows([], [])]).n_rows() == 0


def test_bins_keep_the_sums_and_the_bound(many):
    scores, labels = many
    bins = bin_rows(scores, labels)
    assert 3000 < bins.n_rows() <= 10_000
    assert (np.diff(bins.score) > 0).all()
    assert totals(bins) == pytest.approx([10_000, 90_000, scores.sum()])
    assert np.diff(logit(bins.score)).min() < logit(scores).std() / 100
    assert bin_rows(scores, labels, most=500).n_rows() <= 500


def test_scores_of_0_and_1_stay_apart(many):
    scores, labels = many[0].copy(), many[1]
    scores[::50], scores[1::50], scores[2::50] = 0, 1, 1 - 1e-15
    bins = bin_rows(scores, labels, most=1000)
    assert bins.score[0] == 0 and bins.score[-1] == 1
    assert bins.positive[0] == 200 and bins.unlabeled[-1] == 1800
    assert 0 < bins.score[1] and bins.score[-2] < 1


def test_one_far_row_does_not_cost_the_others_their_bins(many):
    scores, labels = many[0].copy(), many[1]
    scores[-1] = 1e-300
    assert bin_rows(scores, labels).n_rows() > 3000


def test_parts_make_the_same_bins(many):
    scores, labels = many
    whole = bin_rows(scores, labels)
    order = np.argsort(scores)  # the worst: each part is another stretch of the scores
    parts = [bin_rows(scores[rows], labels[rows]) for rows in np.array_split(order, 7)]
    merged = merge(iter(parts))
    assert isinstance(merged, Bins) and totals(merged) == pytest.approx(totals(whole))
    assert merged.n_rows() == pytest.approx(whole.n_rows(), rel=0.01)
    for method in ("pooled", "dedpul", "bbe"):
        alphas = [dedpul.estimate(*rows[:2], weights=rows[2], method=method).alpha
                  for rows in (weighted_rows(whole), weighted_rows(merged))]
        assert abs(alphas[0] - alphas[1]) < 1e-4, method


@pytest.mark.parametrize("method, error", [("pooled", 0.001), ("dedpul", 0.001), ("bbe", 0.001), ("roc", 0.01),
                                           ("en_e1", 0.01), ("en_e3", 0.01), ("en_em", 0.01), ("alphamax", 0.01),
                                           ("ntc_tice", 0.01), ("simple_alpha", 0.01), ("learned", 0.01),
                                           ("dedpul_bbe", 0.01)])
def test_estimates_are_those_of_the_rows(many, method, error):
    scores, labels = many
    rows = weighted_rows(bin_rows(scores, labels))
    alpha = dedpul.estimate(scores, labels, method=method).alpha
    assert abs(dedpul.estimate(rows.scores, rows.labels, weights=rows.weights, method=method).alpha - alpha) < error


@pytest.mark.parametrize("method", ["pooled", "learned"])
def test_weights_that_are_no_counts(many, method):
    """What they are worth is known from their squares, not from the number of bins."""
    scores, labels = many
    weights = np.random.default_rng(1).gamma(2, 0.2, len(scores))
    expected = dedpul.estimate(scores, labels, weights=weights, method=method, interval=True)
    rows = weighted_rows(merge([bin_rows(scores[half], labels[half], weights[half]) for half in (slice(0, None, 2),
                                                                                                 slice(1, None, 2))]))
    found, wrong = (estimate_rows(*rows[:3], {"method": method, "interval": True}, squares=squares)
                    for squares in (rows.squares, None))
    off, far = (np.abs(np.subtract(answer.interval[:2], expected.interval[:2])).max() for answer in (found, wrong))
    assert abs(found.alpha - expected.alpha) < 0.001
    assert off < 0.001 and far > 0.01
    with pytest.raises(ValueError, match=r"squares\[0\] is -1: sums of squares"):
        estimate_rows(*rows[:3], {}, squares=-np.ones(len(rows.scores)))
