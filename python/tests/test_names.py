"""Arguments by the command's and by scikit-learn's names, and names that are wrong."""
import numpy as np
import pytest
from conftest import DATA, SOURCE

import dedpul
from dedpul import _names, metrics

pytestmark = pytest.mark.filterwarnings("ignore::dedpul.DedpulWarning")

CHEAP = {"ensemble": 1, "tree_rounds": 10}
SCORES, LABELS = np.linspace(0.01, 0.99, 50), np.arange(50) % 2


@pytest.mark.parametrize("name, meant", [
    ("weigth", "did you mean 'weights?'"), ("labl", "did you mean 'label'"),
    ("bandwith_p", "did you mean 'bandwidth_p'"), ("treads", "did you mean 'threads'"),
    ("tree_depth", "it is about fits of tables"), ("ignore", "it is about the columns of a file"),
    ("qqq", r"dedpul.options\(\) lists the options")])
def test_unknown(name, meant):
    """The message does not hold the array."""
    message = f"estimate.. got an unexpected keyword argument '{name}'; {meant}"
    with pytest.raises(TypeError, match=message) as caught:
        dedpul.estimate(SCORES, LABELS, **{name: SCORES})
    assert "0.01" not in str(caught.value)


@pytest.mark.parametrize("function", [dedpul.fit, dedpul.compare, metrics.evaluate, metrics.precision],
                         ids=lambda function: function.__name__)
def test_unknown_everywhere(function):
    with pytest.raises(TypeError, match=rf"{function.__name__}\(\) .*'wieghts'; did you mean 'weights'"):
        function(SCORES[:, None], LABELS, wieghts=SCORES)


def test_an_array_as_a_value():
    with pytest.raises(ValueError, match="alpha: an object of type ndarray is not a value") as caught:
        dedpul.estimate(SCORES, LABELS, alpha=SCORES)
    assert "0.01" not in str(caught.value)


def test_synonyms(scored, blobs):
    scores, labels = scored
    weights = np.arange(len(scores)) % 3 + 1
    alpha = dedpul.estimate(scores, labels, weights=weights, seed=1).alpha
    for names in ({"weight": weights}, {"sample_weight": weights}):
        assert dedpul.estimate(score=scores, label=labels, random_state=1, **names).alpha == alpha
        assert metrics.evaluate(scores, y=labels, goal=("top", 10), **names).alpha == alpha
    X, y = blobs
    fitted = dedpul.fit(X, y, classifier="gbdt", folds=2, seed=3, **CHEAP)
    for label in ("label", "labels", "y"):
        again = dedpul.fit(X, **{label: y}, estimator="gbdt", cv=2, random_state=3, **CHEAP)
        assert (again.scores == fitted.scores).all()
    with pytest.raises(TypeError, match="'weights' is given twice: 'weight' means the same"):
        dedpul.estimate(scores, labels, weights=weights, weight=weights)
    with pytest.raises(TypeError, match="'weights' is given twice"):
        dedpul.estimate(scores, labels, sample_weight=weights, weight=weights)


def test_columns_of_a_file(tmp_path):
    text = (DATA / "wine.csv").read_text().replace("label,", "colour,", 1)
    (tmp_path / "wine.csv").write_text(text.replace("\n1,", "\nred,"))
    expected = dedpul.fit(tmp_path / "wine.csv", columns={"label": "colour", "positive": "red", "ignore": "ph"},
                          classifier="gbdt", folds=2, **CHEAP)
    found = dedpul.fit(tmp_path / "wine.csv", label="colour", positive="red", ignore=["ph"], classifier="gbdt",
                       folds=2, max_levels=50, **CHEAP)
    assert found.alpha == expected.alpha and "ph" not in found.info["columns"]
    with pytest.raises(ValueError, match="label= and weight= name their columns"):
        dedpul.fit(tmp_path / "wine.csv", weights=SCORES)
    with pytest.raises(ValueError, match="label: an object of type ndarray"):
        dedpul.fit(tmp_path / "wine.csv", label=LABELS)
    with pytest.raises(TypeError, match="'most_levels' is given twice"):
        dedpul.fit(tmp_path / "wine.csv", most_levels=3, max_levels=3)


def test_the_classifier(blobs):
    pytest.importorskip("sklearn")
    classifier = dedpul.DedpulClassifier(classifier="gbdt", folds=2, seed=5, options=CHEAP)
    assert classifier.get_params()["random_state"] == 5 and classifier.cv == 2
    weights = np.where(np.arange(600) >= 400, 2.0, 1.0)
    X, y = blobs
    assert classifier.fit(X, y, weights=weights).alpha_ == classifier.fit(X, y, sample_weight=weights).alpha_
    with pytest.raises(TypeError, match=r"options=\{'tree_depth': ...\} takes it"):
        dedpul.DedpulClassifier(tree_depth=3)
    with pytest.raises(TypeError, match="'treshold'; did you mean 'threshold'"):
        dedpul.DedpulClassifier(treshold=0.3)


def test_the_list_is_the_documented_one():
    lines = (SOURCE / "python" / "README.md").read_text().split("\n")
    listed = [tuple(cell.strip(" `") for cell in " ".join(line.split("|")[1:-1]).replace(",", " ").split())
              for line in lines if line.startswith("| `")]
    assert [set(names) for names in listed] == [set(names) for names in _names.SYNONYMS]
