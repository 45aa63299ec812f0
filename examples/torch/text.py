"""What share of unlabeled texts is about a topic? A small network learns on frozen embeddings of the texts.

    examples/torch/text.py DATA TOPIC [TOPIC...]

DATA is a directory with a subdirectory of text files for each topic, such as that of the 20 newsgroups. Half of the texts
about the topics named, at most --labeled, are labeled; all others are not. The embedding is a model of
sentence-transformers (--model), or, without one, the mean of a fixed random vector for each word.
"""
import argparse
import re
import zlib
from pathlib import Path

import numpy as np
import torch
from torch import nn

import dedpul.torch

WIDTH = 256


def read_texts(directory):
    """Texts and their topics."""
    files = sorted(path for path in Path(directory).glob("*/*") if path.is_file())
    return [path.read_text(errors="replace") for path in files], np.array([path.parent.name for path in files])


def embed_words(text):
    """The mean of fixed random vectors, one for each distinct word."""
    vectors = [np.random.default_rng(zlib.crc32(word.encode())).standard_normal(WIDTH)
               for word in set(re.findall(r"[a-z]{3,}", text.lower()))]
    return np.mean(vectors, 0) * np.sqrt(len(vectors)) if vectors else np.zeros(WIDTH)


def embed(texts, model):
    """(n, width) The embeddings do not learn: only the network on top of them does."""
    if model is not None:
        from sentence_transformers import SentenceTransformer
        return SentenceTransformer(model).encode(texts, convert_to_numpy=True)
    return np.stack([embed_words(text) for text in texts])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("topics", nargs="+")
    parser.add_argument("--model")
    parser.add_argument("--labeled", type=int, default=500)
    options = parser.parse_args()
    texts, topics = read_texts(options.data)
    is_positive = np.isin(topics, options.topics)
    if not is_positive.any():
        parser.error(f"{options.data} has no texts about {', '.join(options.topics)}")
    labels = np.zeros(len(texts), int)
    positive = np.random.default_rng(0).permutation(np.flatnonzero(is_positive))
    labels[positive[:min(options.labeled, len(positive) // 2)]] = 1
    x = torch.from_numpy(embed(texts, options.model)).float()
    x = (x - x.mean(0)) / x.std(0)

    def network():
        return nn.Sequential(nn.Linear(x.shape[1], 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 1))

    model = dedpul.torch.fit(network, x, labels, rate=2e-3, batch=32)
    truth = is_positive[labels == 0]
    print(f"{model}\nIn truth, alpha is {truth.mean():.4f}.")
    print(f"{((model.result.posterior > 0.5) == truth).mean():.4f} of the unlabeled texts are told right.")


if __name__ == "__main__":
    main()
