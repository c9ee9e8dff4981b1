"""The embedded body: our own files, evaluated by our own few lines of numpy."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from solver.body.body import GENDERS, SHAPE_COMPONENTS, BodyShape
from solver.errors import InputRefused
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS, Skeleton
from solver.made_once import made_once
from solver.reading import MEBIBYTE, open_regular
from solver.resources import resource_folder
from solver.values import FloatArray, frozen_array

LARGEST = 512 * MEBIBYTE
BODY_FOLDER = resource_folder("assets", "body")
_REINSTALL = "Restore the folder assets/body, or make it anew with python -m solver.body.build"


class _GenderData:
    """One gender's arrays, with the joints' dependence on shape worked out once."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise InputRefused(path, "this body file is missing", _REINSTALL)
        try:
            with open_regular(path, LARGEST) as opened, np.load(opened, allow_pickle=False) as file:
                arrays: dict[str, Any] = {name: file[name] for name in file.files if name != "posedirs"}
            self.template: FloatArray = arrays["v_template"]
            self.shapedirs: FloatArray = arrays["shapedirs"]
            regressor = arrays["J_regressor"].astype(np.float64)
            self.weights = frozen_array(arrays["weights"], (len(self.template), 24), "weights")
            self.faces: NDArray[np.int32] = arrays["f"].astype(np.int32)
            self.component_names = tuple(str(name) for name in arrays["component_names"])
            self.sole_vertices: NDArray[np.int32] = arrays["sole_vertices"]
            self.suit_mask = frozen_array(arrays["suit_mask"], (len(self.template),), "suit mask")
        except (OSError, KeyError, ValueError, EOFError, BadZipFile) as error:
            raise InputRefused(path, f"this body file cannot be read ({error})", _REINSTALL) from error
        for array in (self.faces, self.sole_vertices):
            array.flags.writeable = False
        self.joint_template = regressor @ self.template
        self.joint_dirs = np.einsum("jv,vik->jik", regressor, self.shapedirs)


class FreeBody:
    """The body that ships with the program (implements `Body`); the files load at first use of each gender."""

    id = "anny"

    def __init__(self, folder: Path = BODY_FOLDER) -> None:
        self._folder = folder
        self._data = made_once(len(GENDERS))(lambda gender: _GenderData(folder / f"{gender}.npz"))
        self._skeletons = made_once(256)(self._skeleton)
        self._vertices = made_once(16)(self._shaped)

    @property
    def component_names(self) -> tuple[str, ...]:
        """One label for each of the 10 betas."""
        return self._data("neutral").component_names

    @property
    def faces(self) -> NDArray[np.int32]:
        """(F, 3) triangles, the same for every gender."""
        return self._data("neutral").faces

    @property
    def weights(self) -> FloatArray:
        """(V, 24) skinning weights, rows sum to 1, the same for every gender."""
        return self._data("neutral").weights

    @property
    def sole_vertices(self) -> NDArray[np.int32]:
        """Indices of the vertices under the feet."""
        return self._data("neutral").sole_vertices

    @property
    def suit_mask(self) -> FloatArray:
        """(V,) in [0, 1]: 1 where the plain fitted suit covers the skin."""
        return self._data("neutral").suit_mask

    def vertices(self, shape: BodyShape) -> FloatArray:
        """(V, 3) metres, T-pose vertices; the soles of the mean shape stand at y = 0."""
        return self._vertices(shape.betas.tobytes(), shape.gender)

    def skeleton(self, shape: BodyShape) -> Skeleton:
        """The 24-joint skeleton of that shape; the same object for the same shape."""
        return self._skeletons(shape.betas.tobytes(), shape.gender)

    def joint_basis(self, gender: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Rest joints as an affine function of betas: (24, 3) template and (24, 3, 10) directions, metres."""
        data = self._data(gender)
        return data.joint_template, data.joint_dirs

    def _skeleton(self, betas: bytes, gender: str) -> Skeleton:
        data = self._data(gender)
        joints = data.joint_template + data.joint_dirs @ np.frombuffer(betas, np.float32)
        offsets = joints.copy()
        offsets[1:] -= joints[list(SMPL_PARENTS[1:])]
        return Skeleton(SMPL_JOINTS, SMPL_PARENTS, offsets)

    def _shaped(self, betas: bytes, gender: str) -> FloatArray:
        data = self._data(gender)
        values = np.frombuffer(betas, np.float32)
        shaped = data.template + data.shapedirs.reshape(-1, SHAPE_COMPONENTS).dot(values).reshape(-1, 3)
        return frozen_array(shaped, (len(data.template), 3), "vertices")
