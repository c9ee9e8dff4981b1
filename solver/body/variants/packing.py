"""Variants from a file: where skin and joints are, in steps of a fraction of a millimetre from a rule.

The rule scales the bones of the embedded adult of that gender; the file holds how large they are, where the joints are,
and how the skin differs from what the rule makes of the adult's. Shape changes a variant as it does the adult, scaled
bone by bone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.body.variants.rest import Array, Bones, RestBody, Skin

STEP_M = 2.5e-5  # in which the skin's differences are stored
ARRAYS = ("scales", "joints", "rigid", "skin")


def packed(adult: RestBody, skin: Array, joints: Array, rigid: Array, bones: Bones) -> dict[str, NDArray[Any]]:
    """The arrays of one gender. skin (V, 3), joints (24, 3) and rigid (R, 3): the variant's, metres."""
    known = Bones(bones.scales.astype(np.float32), bones.on)
    places = joints.astype(np.float32)
    off = (skin - known.skin(adult.skin, adult.joints, places)) / STEP_M
    if np.abs(off).max() > np.iinfo(np.int16).max:
        raise ValueError("the skin is further off the rule than can be stored")
    return {
        "scales": known.scales,
        "joints": places,
        "rigid": rigid.astype(np.float32),
        "skin": _split(np.round(off).astype(np.int16)),
    }


def unpacked(adult: RestBody, arrays: Mapping[str, NDArray[Any]], on: Skin) -> RestBody:
    """The rest that the arrays of one gender describe. Raises ValueError if they do not fit the adult."""
    off = _joined(arrays["skin"])
    wanted = (
        (arrays["scales"], adult.joints),
        (arrays["joints"], adult.joints),
        (arrays["rigid"], adult.rigid),
        (off, adult.skin),
    )
    for found, model in wanted:
        if found.shape != model.shape or not np.isfinite(found).all():
            raise ValueError(f"it holds {found.shape} numbers where the body has {model.shape}")
    bones = Bones(arrays["scales"].astype(np.float64), on)
    rest = bones.rest(adult, arrays["joints"].astype(np.float64))
    return rest._replace(skin=rest.skin + STEP_M * off, rigid=arrays["rigid"].astype(np.float64))


def fitted_scales(weights: Array, adult: RestBody, skin: Array, joints: Array) -> Array:
    """(24, 3) how much what each joint carries has grown, by least squares over its skin, axis by axis."""
    scales = np.ones((len(joints), 3))
    for j in range(len(joints)):
        share = weights[:, j, None]
        before, after = adult.skin - adult.joints[j], skin - joints[j]
        power = (share * before * before).sum(axis=0)
        scales[j] = np.where(power > 1e-9, (share * before * after).sum(axis=0) / np.maximum(power, 1e-9), 1.0)
    return np.clip(scales, 0.2, 3.0)


def _split(values: NDArray[np.int16]) -> NDArray[np.uint8]:
    """(3, 2, V): differences from the previous vertex, high bytes apart from low ones, which compresses better."""
    steps = np.diff(values.astype(np.int32), axis=0, prepend=0).astype(np.int16)
    both = np.ascontiguousarray(steps.T).view(np.uint8).reshape(3, -1, 2)
    return np.ascontiguousarray(both.transpose(0, 2, 1))


def _joined(split: NDArray[Any]) -> NDArray[np.float64]:
    """(V, 3) of `_split`; ValueError for another array."""
    if split.ndim != 3 or split.shape[:2] != (3, 2) or split.dtype != np.uint8:
        raise ValueError("its skin is not stored as that of a variant is")
    steps = np.ascontiguousarray(split.transpose(0, 2, 1)).view("<i2")[..., 0]
    return np.cumsum(steps.astype(np.int64), axis=1).T.astype(np.float64)
