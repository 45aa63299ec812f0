"""Times scikit-learn's classifiers of labeled against unlabeled rows, on one thread, as bench_peers does for ours.

sklearn_crossfit.py FILE ROWS LABELED WIDTH: FILE has float32 rows of this width. A table of ROWS comes first, and
its first LABELED rows are labeled; the others are new rows. Each classifier is cross-fitted by 5 folds: a row of the
table gets its score from the model that has not seen it, a new row the mean of all five. What is timed is what
cross_val_predict does; then, apart, the scores of new rows.

Writes the scores of all rows to FILE.0 and FILE.1 as float64. Prints a line per setting of BLAS: its name, and for
each classifier the CPU seconds, user and system, of the cross-fit and of the scores of new rows.
"""
import sys
import time

import blas
import numpy
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

# A network on centered and scaled columns, and boosted trees; what is not given is scikit-learn's default.
PEERS = (
    make_pipeline(StandardScaler(), MLPClassifier((64, 64), early_stopping=True, random_state=0)),
    HistGradientBoostingClassifier(random_state=0),
)


def crossfit(classifier, x, label):
    score, models = numpy.empty(len(x)), []
    for learned, held_out in StratifiedKFold(5, shuffle=True, random_state=0).split(x, label):
        models.append(clone(classifier).fit(x[learned], label[learned]))
        score[held_out] = models[-1].predict_proba(x[held_out])[:, 1]
    return score, models


def measure(path, rows, labeled, width):
    table, new = numpy.split(numpy.fromfile(path, "float32").reshape(-1, width), [rows])
    label = numpy.arange(rows) < labeled
    with threadpool_limits(1):
        for i, classifier in enumerate(PEERS):
            begin = time.process_time()
            score, models = crossfit(classifier, table, label)
            fitted = time.process_time()
            new_score = numpy.mean([model.predict_proba(new)[:, 1] for model in models], axis=0)
            yield from (fitted - begin, time.process_time() - fitted)
            numpy.concatenate((score, new_score)).tofile(f"{path}.{i}")


if sys.argv[-1] == "measure":
    print(*measure(sys.argv[1], *map(int, sys.argv[2:5])))
else:
    blas.run_in_each(__file__, *sys.argv[1:], "measure")
