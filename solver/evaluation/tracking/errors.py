"""How far a followed clip is from the true one, in the paper's figures: root-aligned, means and standard deviations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.rotations import geodesic_angle

Array = NDArray[np.floating]

CENTIMETRES = 100.0


@dataclass(frozen=True)
class ClipPoses:
    """F frames of J joints, metres: positions (F, J, 3) and local rotations (F, J, 3, 3)."""

    positions: Array
    local: Array


@dataclass
class Errors:
    """All errors of a row so far, each a list of arrays."""

    effectors: list[Array] = field(default_factory=list)
    turns: list[Array] = field(default_factory=list)
    speeds: list[Array] = field(default_factory=list)
    places: list[Array] = field(default_factory=list)
    astray: list[Array] = field(default_factory=list)
    seconds: list[Array] = field(default_factory=list)

    def add(self, found: ClipPoses, truth: ClipPoses, worn: Sequence[int], step_s: float, seconds: Array) -> None:
        """Add the errors of one clip; worn: joints with sensors; the root does not count."""
        away = _from_root(found.positions) - _from_root(truth.positions)
        joints = [joint for joint in worn if joint != 0]
        self.places.append(np.linalg.norm(away, axis=-1).ravel())
        self.effectors.append(np.linalg.norm(away[:, joints], axis=-1).ravel())
        self.astray.append(np.linalg.norm((found.positions - truth.positions)[:, joints], axis=-1).ravel())
        self.turns.append(geodesic_angle(found.local, truth.local).ravel())
        self.speeds.append((np.linalg.norm(np.diff(away, axis=0), axis=-1) / step_s).ravel())
        self.seconds.append(seconds)

    def figures(self) -> dict[str, float]:
        """The paper's four errors, with their standard deviations; how far sensors are missed in the world; times."""
        found: dict[str, float] = {}
        for name, values, scale in (
            ("effector_cm", self.effectors, CENTIMETRES),
            ("rotation_deg", self.turns, 180.0 / np.pi),
            ("velocity_cm_s", self.speeds, CENTIMETRES),
            ("position_cm", self.places, CENTIMETRES),
            ("astray_cm", self.astray, CENTIMETRES),
        ):
            everything = scale * np.concatenate(values)
            if len(everything):
                found |= {name: float(everything.mean()), f"{name}_std": float(everything.std())}
        seconds = np.concatenate(self.seconds)
        return found | {f"solve_ms_p{share}": float(1e3 * np.percentile(seconds, share)) for share in (50, 95)}


def _from_root(positions: Array) -> Array:
    return np.asarray(positions - positions[:, :1])
