"""An estimator of poses as a plug-in, in 30 lines: it asks a program of yours, in an environment of its own.

Put this file into a package whose pyproject.toml says

    [project.entry-points."contrapposto.estimators"]
    my-estimator = "my_package.estimator_plug_in:estimate"

and install that beside Contrapposto. Then “my-estimator” stands in the settings, and `photo --estimator my-estimator`
takes it. The program is a command in the variable POSE_ESTIMATOR, such as “conda run -n hmr2 python my_hmr2.py”; it
gets two more arguments: a picture to read, and the .npz file to write, in any layout of docs/estimates.md.
"""

import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image


def estimate(rgb: np.ndarray, focal_px: float | None) -> dict[str, Any] | list[Any]:
    """The people in a picture, (H, W, 3) uint8. focal_px: its focal length in pixels, None if it is not known."""
    command = shlex.split(os.environ.get("POSE_ESTIMATOR", ""))
    if not command:
        raise RuntimeError("Set the variable POSE_ESTIMATOR to the command of your program")
    with tempfile.TemporaryDirectory() as folder:
        picture, answer = Path(folder, "picture.png"), Path(folder, "people.npz")
        Image.fromarray(rgb).save(picture)
        subprocess.run([*command, str(picture), str(answer)], check=True, timeout=600)
        if not answer.exists():  # nobody is in the picture
            return []
        with np.load(answer) as arrays:  # plain arrays alone: nothing in it can run
            people = dict(arrays)
    if focal_px is not None and "focal_length" not in people:
        people["focal_length"] = np.array(focal_px)
    return people
