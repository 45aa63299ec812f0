"""What share of unlabeled texts is about a topic? By classifiers of scikit-learn on sparse counts of words.

    python3 examples/own_classifier.py DATA TOPIC

DATA is a directory with a subdirectory of text files for each topic. At most 500 of the texts about the topic, and at most
half of them, are labeled; all others are not.
"""
import sys

import numpy as np
from sklearn.datasets import load_files
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

import dedpul


def main(directory, topic):
    texts = load_files(directory, encoding="utf-8", decode_error="replace")
    if topic not in texts.target_names:
        sys.exit(f"{directory} has no topic {topic}; it has {', '.join(texts.target_names)}")
    is_about = texts.target == texts.target_names.index(topic)
    about = np.random.default_rng(0).permutation(np.flatnonzero(is_about))
    labels = np.zeros(len(texts.data), int)
    labels[about[:min(500, len(about) // 2)]] = 1
    truth = is_about[labels == 0]
    print(f"In truth, {truth.mean():.4f} of {len(truth)} unlabeled texts are about {topic}.")

    candidates = {f"logistic, C={c:g}": LogisticRegression(C=c, class_weight="balanced", max_iter=1000) for c in (1, 30)}
    candidates["naive Bayes"] = MultinomialNB()
    print(f"{'':18} alpha   95% interval     labeled AUC  told right")
    for name, candidate in candidates.items():
        classifier = make_pipeline(TfidfVectorizer(sublinear_tf=True), candidate)
        scores = cross_val_predict(classifier, texts.data, labels, cv=5, method="predict_proba")[:, 1]
        result = dedpul.estimate(scores, labels, interval=True)
        right = ((result.posterior > 0.5) == truth).mean()
        print(f"{name:18} {result.alpha:.4f}  {result.interval.low:.4f} to {result.interval.high:.4f}  {result.auc:.4f}"
              f"       {right:.4f}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
