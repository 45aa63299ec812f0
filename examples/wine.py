"""Which wines are red? Some red ones are labeled; the others, red and white, are not.

Cells begin with # %%: open it as a notebook (Spyder, VS Code, Jupytext), or run it as a script.
"""
# %% The data: 500 labeled red wines (label 1), and 1998 wines that nobody has labeled (0).
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_predict

import dedpul

data = Path(__file__).parent / "data"
table = np.loadtxt(data / "wine.csv", delimiter=",", skiprows=1)
X, y = table[:, 1:], table[:, 0].astype(int)
truth = np.loadtxt(data / "wine_truth.csv", delimiter=",", skiprows=1)[:, 1]  # of all rows; only to compare
print(f"{(y == 1).sum()} labeled and {(y == 0).sum()} unlabeled wines; of these, "
      f"{truth[y == 0].mean():.4f} are red")

# %% From the scores of any classifier, as long as it has not seen the row that it scores.
forest = RandomForestClassifier(100, min_samples_leaf=5, class_weight="balanced", random_state=0)
scores = cross_val_predict(forest, X, y, cv=5, method="predict_proba")[:, 1]
result = dedpul.estimate(scores, y, interval=True)
print(result)

# %% The curve D(alpha) should dip below 0 and cross it once (if matplotlib is installed).
try:
    result.plot().figure.savefig("wine.png")
except ImportError as missing:
    print(missing)

# %% The same as a scikit-learn classifier, with our boosted trees. Without a name, it uses networks and trees.
classifier = dedpul.DedpulClassifier("gbdt", interval=True).fit(X, y)
print(classifier.result_)
posterior = classifier.result_.posterior
print(f"{((posterior > 0.5) == truth[y == 0]).mean():.1%} of the unlabeled wines are told right")

# %% New wines.
new = np.loadtxt(data / "wine_new.csv", delimiter=",", skiprows=1)
new_truth = np.loadtxt(data / "wine_new_truth.csv", delimiter=",", skiprows=1)[:, 1]
print(f"{(classifier.predict(new) == new_truth).mean():.1%} of {len(new)} new wines are told right")

# %% One estimate is worth more when others agree.
print(dedpul.compare(X, y, methods=["learned", "dedpul", "bbe", "tice", "alphamax"], classifier="gbdt"))

# %% The command reads the same model file: dedpul predict wine.model examples/data/wine_new.csv
names = (data / "wine.csv").open().readline().strip().split(",")[1:]
model = dedpul.fit(X, y, names=names, classifier="gbdt")
model.save("wine.model")
print(dedpul.load_model("wine.model"))
