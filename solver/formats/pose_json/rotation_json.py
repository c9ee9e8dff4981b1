"""Rotations as JSON: quaternions [x, y, z, w], easy to write by hand, and matrices, which come back exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.files.json_checks import Node, plain
from solver.files.json_forms import Context, Definitions, Form, Schema
from solver.kinematics.rotations import from_quaternion_xyzw, nearest_rotation, to_quaternion_xyzw
from solver.values import FloatArray

AGREEMENT = 1e-5  # radians between a quaternion and the matrix written beside it
EXACT = 1e-5  # float32 is closer than this; through all joints of a body it adds up to a negligible amount
CHUNK = 256  # frames looked at at once


def quaternion_to_json(rotation: ArrayLike) -> list[float]:
    """(3, 3) -> [x, y, z, w] with w >= 0, 9 decimals."""
    return [round(float(v), 9) + 0.0 for v in to_quaternion_xyzw(rotation)]


def quaternion_from_json(node: Node) -> NDArray[np.floating]:
    """[x, y, z, w] of about unit length -> (3, 3); it is normalised."""
    quaternion = node.vector(4, limit=10.0)
    length = float(np.linalg.norm(quaternion))
    if not 0.9 <= length <= 1.1:
        node.refuse(
            f"has length {length:.3g}, but the quaternion of a rotation has length 1", "Write it as [x, y, z, w]"
        )
    return from_quaternion_xyzw(quaternion)


class Quaternion(Form):
    """A rotation (3, 3), in the file a quaternion of about unit length."""

    def value(self, node: Node, context: Context) -> NDArray[np.floating]:
        """The rotation in double precision."""
        return quaternion_from_json(node)

    def write(self, value: Any, context: Context) -> list[float]:
        """The quaternion with 9 decimals."""
        return quaternion_to_json(value)

    def schema(self, definitions: Definitions) -> Schema:
        """Four numbers."""
        definitions["quaternion"] = {
            "description": "x, y, z, w of about unit length.",
            "type": "array",
            "items": {"type": "number", "minimum": -10, "maximum": 10},
            "minItems": 4,
            "maxItems": 4,
        }
        return {"$ref": "#/$defs/quaternion"}


class Matrix(Form):
    """A rotation (3, 3) in single precision, in the file nine numbers row by row."""

    def value(self, node: Node, context: Context) -> FloatArray:
        """The rotation; one of few decimals is made exact."""
        matrix = node.vector(9, limit=1.1).astype(np.float32).reshape(3, 3)
        if not are_rotations(matrix[None]):
            node.refuse(
                "is not a rotation matrix", "Write nine numbers row by row, with rows of length 1 at right angles"
            )
        return orthonormalised(matrix[None])[0]

    def write(self, value: Any, context: Context) -> list[float]:
        """The shortest decimals that give the same numbers back."""
        return list(plain(np.asarray(value).reshape(9)))

    def schema(self, definitions: Definitions) -> Schema:
        """Nine numbers."""
        definitions["matrix"] = {
            "description": "A rotation matrix for column vectors, nine numbers row by row. Single precision, written "
            "so that it reads back exactly.",
            "type": "array",
            "items": {"type": "number", "minimum": -1.1, "maximum": 1.1},
            "minItems": 9,
            "maxItems": 9,
        }
        return {"$ref": "#/$defs/matrix"}


def are_rotations(matrices: FloatArray) -> bool:
    """Whether all (N, ..., 3, 3) are nearly rotations; some at a time, as there may be many."""
    parts = (matrices[at : at + CHUNK] for at in range(0, len(matrices), CHUNK))
    return all(bool(_skewness(part).max() < 1e-2) and _is_right_handed(part) for part in parts)


def orthonormalised(matrices: FloatArray) -> FloatArray:
    """(N, ..., 3, 3): those of few decimals made exact, or products along the joints would be no rotations."""
    mended = matrices
    for at in range(0, len(matrices), CHUNK):
        skew = _skewness(matrices[at : at + CHUNK]) > EXACT
        if skew.any():
            mended = mended if mended is not matrices else matrices.copy()
            part = mended[at : at + CHUNK]
            part[skew] = nearest_rotation(part[skew])
    return mended


def _skewness(matrices: FloatArray) -> FloatArray:
    """How far each (..., 3, 3) is from having rows of length 1 at right angles.

    Product by product: numpy multiplies many small matrices four times as slowly, and takes their determinants five.
    """
    rows = [matrices[..., i, :] for i in range(3)]
    skew = np.zeros(matrices.shape[:-2], np.float32)
    for i in range(3):
        for j in range(i, 3):
            np.maximum(skew, np.abs(_product(rows[i], rows[j]) - np.float32(i == j)), out=skew)
    return skew


def _is_right_handed(matrices: FloatArray) -> bool:
    """Whether all (..., 3, 3) have determinants above 0."""
    first, second, third = (matrices[..., i, :] for i in range(3))
    (a, b, c), (d, e, f) = ([row[..., i] for i in range(3)] for row in (second, third))
    across = np.stack([b * f - c * e, c * d - a * f, a * e - b * d], axis=-1)
    return bool(_product(first, across).min() > 0.0)


def _product(one: FloatArray, other: FloatArray) -> FloatArray:
    """(...,) of vectors (..., 3)."""
    product: FloatArray = one[..., 0] * other[..., 0] + one[..., 1] * other[..., 1] + one[..., 2] * other[..., 2]
    return product
