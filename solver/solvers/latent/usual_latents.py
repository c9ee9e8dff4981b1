"""Which latents poses usually have: what a search leans to where sensors and time leave it open.

The autoencoder is to spread latents evenly about 0, and does so only nearly: along some directions recorded poses are
three times as far apart as along others. Made by `python -m scripts.networks.usual_latents`, in a file of its own
beside the weights, as it is measured and not trained.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load

from solver.errors import InputRefused
from solver.files.reading import MEBIBYTE, read_bytes

Array = NDArray[np.float64]

FILE = "usual.safetensors"
MEAN, SPREAD = "mean", "covariance"
_ELSE = "Make it anew with “python -m scripts.networks.usual_latents”, or remove it"


class UsualLatents(NamedTuple):
    """mean (L,): the usual latent. precision (L, L): the inverse covariance, scaled to 1 on the average."""

    mean: Array
    precision: Array


def isotropic_latents(size: int) -> UsualLatents:
    """Mean 0 and the same spread in all directions, for latents of `size` numbers."""
    return UsualLatents(np.zeros(size), np.eye(size))


def usual_latents_from(mean: NDArray[np.floating], covariance: NDArray[np.floating]) -> UsualLatents:
    """From the latents' mean (L,) and covariance (L, L). Raises ValueError if they cannot be these."""
    size = mean.size
    if (
        mean.ndim != 1
        or covariance.shape != (size, size)
        or not (np.isfinite(mean).all() and np.isfinite(covariance).all())
    ):
        raise ValueError("they are not a mean and a covariance")
    wide = 0.5 * (covariance + covariance.T).astype(np.float64)
    if not np.linalg.eigvalsh(wide).min() > 0.0:
        raise ValueError("the covariance has directions without any spread")
    pull = np.linalg.inv(wide)
    return UsualLatents(np.asarray(mean, np.float64), pull * size / np.trace(pull))


def checked_size(usual: UsualLatents, size: int) -> UsualLatents:
    """The usual latents, if they have `size` numbers; raises InputRefused otherwise."""
    if len(usual.mean) != size:
        raise InputRefused(FILE, f"the usual latents have {len(usual.mean)} numbers, the network's {size}", _ELSE)
    return usual


def read_usual_latents(folder: Path) -> UsualLatents | None:
    """The file beside the weights in `folder`; None if there is none. Raises InputRefused."""
    path = folder / FILE
    if not path.exists():
        return None
    try:
        tensors = load(read_bytes(path, MEBIBYTE))
        return usual_latents_from(tensors[MEAN], tensors[SPREAD])
    except (SafetensorError, ValueError, KeyError, IndexError) as error:
        raise InputRefused(path, f"it does not say how latents are spread ({str(error)[:200]})", _ELSE) from None
