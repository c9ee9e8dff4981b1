"""A user's own official SMPL, SMPL-H and SMPL-X files, evaluated by the `smplx` library.

Its licence, and that of the files, allows non-commercial use only: it is an extra and never on the default path.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.body.body import GENDERS, SHAPE_COMPONENTS, BodyShape
from solver.body.pickles.safe_pickle import load_pickled_arrays
from solver.body.regions import sole_vertices, suit_mask
from solver.body.whole_rig import (
    HANDS,
    JOINTS_OF_MODEL,
    KNUCKLES,
    folded_weights,
    smpl_rig,
    unfolded_weights,
    whole_rig,
)
from solver.errors import InputRefused, PoserError
from solver.files.npz_file import read_npz
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.memoise import memoised
from solver.rig.rig import Rig
from solver.size_limits import MAX_FACES, MAX_VERTICES
from solver.values import FloatArray, frozen_array

Array = NDArray[np.float64]

LICENCE_NOTE = "The smplx library and the official SMPL files may be used for non-commercial purposes only."
_ANOTHER = "Choose another file"
_AXES = {"v_template": 2, "shapedirs": 3, "J_regressor": 2, "weights": 2, "f": 2}
_NEEDED = tuple(_AXES)
# Metres, metres for one standard deviation, and shares: real files stay far below, and nothing overflows.
_MOST = {"v_template": 10.0, "shapedirs": 1.0, "J_regressor": 10.0, "weights": 2.0, "f": float(MAX_VERTICES)}
_LETTER = {"neutral": "neutral", "male": "m", "female": "f"}


class SmplBody:
    """Official body files of one folder (implements `Body`), posed by SMPL's 24 joints.

    Fingers go with left_hand and right_hand, which stand at the middle knuckles; jaw and eyes go with the head.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.id = f"smpl:{folder}"
        _lbs()  # fails at once if the library is missing
        self._files = files_in(folder)
        self._data = memoised(len(GENDERS))(lambda gender: _FoldedFile(self._file(gender)))
        self._rigs = memoised(256)(lambda betas, gender: self._data(gender).rig(betas))
        self._wholes = memoised(16)(lambda betas, gender: self._data(gender).whole_rig(betas))
        self._vertices = memoised(16)(lambda betas, gender: self._data(gender).vertices(betas))

    def _file(self, gender: str) -> Path:
        if gender not in self._files:
            raise InputRefused(self.folder, f"there is no {gender} body here", f"Choose {' or '.join(self._files)}")
        return self._files[gender]

    @property
    def _any(self) -> _FoldedFile:
        return self._data(next(iter(self._files)))

    @property
    def genders(self) -> tuple[str, ...]:
        """The genders that the folder has files for."""
        return tuple(self._files)

    @property
    def component_names(self) -> tuple[str, ...]:
        """One label for each of the 10 betas; official components have numbers, not names."""
        return tuple(f"Component {i + 1}" for i in range(SHAPE_COMPONENTS))

    @property
    def faces(self) -> NDArray[np.int32]:
        """(F, 3) triangles."""
        return self._any.faces

    @property
    def weights(self) -> FloatArray:
        """(V, 24) skinning weights, rows sum to 1."""
        return self._any.weights

    @property
    def whole_weights(self) -> FloatArray:
        """(V, 24 + R) skinning weights of all joints, the rigid ones behind the others."""
        return self._any.whole_weights()

    @property
    def sole_vertices(self) -> NDArray[np.int32]:
        """Indices of the vertices under the feet."""
        return self._any.soles

    @property
    def suit_mask(self) -> FloatArray:
        """(V,) in [0, 1], above 0.5 where cloth covers."""
        return self._any.suit

    def vertices(self, shape: BodyShape) -> FloatArray:
        """(V, 3) metres, rest vertices; the soles of the mean shape stand at y = 0."""
        return self._vertices(shape.betas.tobytes(), shape.gender)

    def lift(self, shape: BodyShape) -> float:
        """Metres by which our vertices and joints are above those of the file itself, whose origin is in the chest."""
        return self._data(shape.gender).lift

    def rig(self, shape: BodyShape) -> Rig:
        """The 24-joint rig of that shape; the same object for the same shape."""
        return self._rigs(shape.betas.tobytes(), shape.gender)

    def skeleton(self, shape: BodyShape) -> Rig:
        """The rig, for callers that need no roles."""
        return self.rig(shape)

    def whole_rig(self, shape: BodyShape) -> Rig:
        """All joints that the file has, in that shape; the same object for the same shape.

        That is fingers in an SMPL-H file, and jaw and eyes too in an SMPL-X file.
        """
        return self._wholes(shape.betas.tobytes(), shape.gender)


def files_in(folder: Path) -> dict[str, Path]:
    """The body files of a folder, by gender, as they are named; InputRefused where there are none."""
    if not folder.is_dir():
        raise InputRefused(folder, "there is no such folder", "Name the folder that holds SMPL_NEUTRAL.npz")
    files = {gender: path for gender in GENDERS if (path := find_file(folder, gender))}
    if not files:
        raise InputRefused(
            folder,
            "no body file was found",
            "Looked for SMPL, SMPLH or SMPLX_{NEUTRAL,MALE,FEMALE} and basicmodel_*_lbs_*, .npz or .pkl",
        )
    return files


def find_file(folder: Path, gender: str) -> Path | None:
    """The body file of one gender in a folder or its sub-folders smpl, smplh, smplx; .npz before .pkl."""
    names = (f"smpl_{gender}", f"smplh_{gender}", f"smplx_{gender}")
    found = []
    for place in (folder, *(folder / name for name in ("smpl", "smplh", "smplx"))):
        for path in sorted(place.glob("*")) if place.is_dir() else ():
            stem = path.stem.lower()
            named = stem in names or stem.startswith(f"basicmodel_{_LETTER[gender]}_")
            if named and path.suffix.lower() in (".npz", ".pkl"):
                found.append(path)
    return min(found, key=lambda path: path.suffix.lower() != ".npz", default=None)


class _FoldedFile:
    """One file's arrays, folded to 24 joints, the rest of its joints, and its evaluation by smplx."""

    def __init__(self, path: Path) -> None:
        import torch

        arrays = _read(path)
        self.lift = -float(arrays["v_template"][:, 1].min())
        self.template = arrays["v_template"] + [0.0, self.lift, 0.0]
        shapedirs = arrays["shapedirs"]
        missing = SHAPE_COMPONENTS - shapedirs.shape[2]
        self._torch = torch
        self._shapedirs = torch.from_numpy(np.pad(shapedirs, ((0, 0), (0, 0), (0, missing))))
        self._names = JOINTS_OF_MODEL[arrays["weights"].shape[1]]
        self._weights = arrays["weights"].astype(np.float32)
        self.rigid = tuple(name for name in self._names if name not in SMPL_JOINTS)
        knuckles = dict(zip(HANDS, KNUCKLES, strict=True))
        rows = [name if name in self._names else knuckles[name] for name in SMPL_JOINTS]
        regressor = arrays["J_regressor"]
        self._regressor = torch.from_numpy(regressor[[self._names.index(name) for name in rows]])
        self._rigid_regressor = torch.from_numpy(regressor[[self._names.index(name) for name in self.rigid]])
        weights: Array = np.asarray(folded_weights(arrays["weights"], self._names), dtype=np.float64)
        self.weights = frozen_array(weights, (len(self.template), 24), "weights")
        self.faces = np.ascontiguousarray(arrays["f"], dtype=np.int32)
        self.soles = sole_vertices(self.template, weights)
        self.suit = frozen_array(suit_mask(self.template, self._regressor.numpy() @ self.template), (None,), "suit")

    def _shaped(self, betas: bytes) -> Any:
        blend_shapes, _ = _lbs()
        values = self._torch.from_numpy(np.frombuffer(betas, np.float32).astype(np.float64))[None]
        return self._torch.from_numpy(self.template)[None] + blend_shapes(values, self._shapedirs)

    def vertices(self, betas: bytes) -> FloatArray:
        return frozen_array(self._shaped(betas)[0].numpy(), (len(self.template), 3), "vertices")

    def rig(self, betas: bytes) -> Rig:
        _, vertices_to_joints = _lbs()
        return smpl_rig(vertices_to_joints(self._regressor, self._shaped(betas))[0].numpy())

    def whole_rig(self, betas: bytes) -> Rig:
        _, vertices_to_joints = _lbs()
        rest = vertices_to_joints(self._rigid_regressor, self._shaped(betas))[0].numpy()
        return whole_rig(self.rig(betas), self.rigid, rest)

    def whole_weights(self) -> FloatArray:
        weights = unfolded_weights(self._weights, self._names)
        return frozen_array(weights, weights.shape, "weights")


def _read(path: Path) -> dict[str, Array]:
    arrays = load_pickled_arrays(path, _NEEDED) if path.suffix.lower() == ".pkl" else read_npz(path, _NEEDED)
    for name in _NEEDED:
        if name not in arrays:
            raise InputRefused(path, "this array is missing", "Choose an SMPL, SMPL-H or SMPL-X model file", place=name)
    _check_shapes(path, arrays)
    # Before comparing, since the absolute value of the least whole number is negative.
    arrays = {name: np.asarray(arrays[name], dtype=np.float64) for name in _NEEDED}
    for name, most in _MOST.items():
        if not (np.abs(arrays[name]) <= most).all():  # also false for NaN
            finite = np.isfinite(arrays[name]).all()
            reason = (
                f"holds a value beyond ±{most:g}, which no body has" if finite else "holds a value that is not finite"
            )
            raise InputRefused(path, f"the array {reason}", "Download it again", place=name)
    count = len(arrays["v_template"])
    if arrays["f"].min() < 0 or arrays["f"].max() >= count:
        raise InputRefused(path, f"a face refers to a vertex beyond the last of {count}", _ANOTHER, place="f")
    return arrays


def _check_shapes(path: Path, arrays: dict[str, Array]) -> None:
    """Refuse arrays that do not fit together; keep only the shape components that are used."""
    for name, axes in _AXES.items():
        if arrays[name].ndim != axes or not arrays[name].size:
            reason = f"the array has shape {arrays[name].shape}, expected {axes} axes with something in each"
            raise InputRefused(path, reason, _ANOTHER, place=name)
    count, joints = arrays["v_template"].shape[0], arrays["weights"].shape[-1]
    if joints not in JOINTS_OF_MODEL:
        reason = f"{joints} joints do not match SMPL's 24, SMPL-H's 52 or SMPL-X's 55"
        raise InputRefused(path, reason, _ANOTHER, place="weights")
    for name, most in (("v_template", MAX_VERTICES), ("f", MAX_FACES)):
        if len(arrays[name]) > most:
            raise InputRefused(path, f"has {len(arrays[name]):,} rows, more than {most:,}", _ANOTHER, place=name)
    arrays["shapedirs"] = arrays["shapedirs"][:, :, :SHAPE_COMPONENTS]
    shapes = {
        "v_template": (count, 3),
        "shapedirs": (count, 3, arrays["shapedirs"].shape[-1]),
        "J_regressor": (joints, count),
        "weights": (count, joints),
        "f": (len(arrays["f"]), 3),
    }
    for name, shape in shapes.items():
        if arrays[name].shape != shape:
            reason = f"the array has shape {arrays[name].shape}, expected {shape}"
            raise InputRefused(path, reason, _ANOTHER, place=name)


def _lbs() -> tuple[Any, Any]:
    """The library's shape and joint evaluation; PoserError with the licence's condition if it is not installed."""
    try:
        from smplx.lbs import blend_shapes, vertices2joints
    except ImportError as error:
        raise PoserError(
            'Official SMPL files need the smplx library: pip install "contrapposto[smpl]". ' + LICENCE_NOTE
        ) from error
    return blend_shapes, vertices2joints
