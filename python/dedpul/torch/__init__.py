"""Your own PyTorch network as the classifier: cross-fitting, the share of positives, posteriors.

`crossfit` trains networks of yours so that each row gets the logit of networks that have not seen it. `fit` goes on to
alpha, its interval and posteriors, and gives a model that predicts new data. `losses` has the risks of positive-
unlabeled learning for training loops of your own.
"""
try:
    import torch as _torch  # noqa: F401
except ImportError as error:
    raise ImportError(f"dedpul.torch needs PyTorch 1.13 or later ({error}): install it with 'pip install torch', or "
                      "Debian's python3-torch") from None

from . import losses
from ._crossfit import CrossFit, Epoch, crossfit
from ._model import Model, fit, load

__all__ = ["CrossFit", "Epoch", "Model", "crossfit", "fit", "load", "losses"]
