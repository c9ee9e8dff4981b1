"""Measured errors of landmark networks on renderings of our bodies: errors of whole people, to learn from.

Made by `python -m scripts.photo.landmark_errors`; frames and units are those of
`solver.networks.lifter.CentredViewBatch`.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.files.atomic import write_bytes
from solver.files.reading import MEBIBYTE, open_regular
from solver.networks.lifter import POINTS
from solver.resources import resource_folder
from solver.values import ArrayValue

SHIPPED = resource_folder("assets", "lifter") / "landmark_errors.npz"
LARGEST = 64 * MEBIBYTE
_MAKE = "Make it with “python -m scripts.photo.landmark_errors”"


@dataclass(frozen=True, eq=False)
class LandmarkErrors(ArrayValue):
    """Of N people. space: (N, P, 3) metres. picture: (N, P, 2) shares of the person's extent. places: (K, P, 3) metres
    about the hips, where the points of the last K of them really were."""

    space: NDArray[np.float16]
    picture: NDArray[np.float16]
    places: NDArray[np.float16]


def save_landmark_errors(errors: LandmarkErrors, path: Path) -> None:
    """Write the file, all or nothing; InputRefused says why if it cannot be written."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, space=errors.space, picture=errors.picture, places=errors.places)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, buffer.getvalue())


def load_landmark_errors(path: Path = SHIPPED) -> LandmarkErrors:
    """Reads a file of `save_landmark_errors`; InputRefused says what is wrong with any other."""
    if not path.exists():
        raise InputRefused(path, "there is no such file", _MAKE)
    try:
        with open_regular(path, LARGEST) as file, np.load(file, allow_pickle=False) as stored:
            errors = LandmarkErrors(stored["space"], stored["picture"], stored["places"])
    except (zipfile.BadZipFile, EOFError, KeyError, ValueError, OSError) as error:
        raise InputRefused(path, f"it holds no errors of landmarks ({error})", _MAKE) from None
    people = len(errors.space)
    known = errors.places.shape[1:] == (POINTS, 3) and 0 < len(errors.places) <= people
    if not known or errors.space.shape != (people, POINTS, 3) or errors.picture.shape != (people, POINTS, 2):
        raise InputRefused(path, f"its arrays are not those of people with {POINTS} points", _MAKE)
    if not all(np.isfinite(part).all() for part in (errors.space, errors.picture, errors.places)):
        raise InputRefused(path, "it holds a value that is not finite", _MAKE)
    return errors
