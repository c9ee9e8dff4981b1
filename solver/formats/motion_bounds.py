"""The bounds of a motion that can be opened and saved again: scenes and importers ask the same function."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.size_limits import FARTHEST_ROOT_M, FPS_RANGE


class Fault(NamedTuple):
    """place: the frame, counted from 1, "" if the whole motion is meant."""

    place: str
    reason: str
    way_out: str


def motion_fault(root_positions: NDArray[np.floating], fps: float) -> Fault | None:
    """What keeps a motion with these (F, 3) places of its root, in metres, from being saved; None if nothing does."""
    low, high = FPS_RANGE
    if not low <= fps <= high:
        return Fault("", f"{fps:.3g} frames a second is not between {low:g} and {high:g}", "Correct the frame time")
    near = (np.abs(root_positions) <= FARTHEST_ROOT_M).all(axis=-1)  # also false for numbers that are not finite
    if near.all():
        return None
    frame = int(np.argmin(near))
    reason = f"the pelvis is farther than {FARTHEST_ROOT_M / 1e3:,.0f} km from the origin"
    return Fault(f"frame {frame + 1}", reason, "Check the file's unit, or move its motion to the middle")


def check_motion(source: object, root_positions: NDArray[np.floating], fps: float) -> None:
    """Raises InputRefused, which names the file and the frame, if such a motion could not be saved."""
    if fault := motion_fault(root_positions, fps):
        raise InputRefused(source, fault.reason, fault.way_out, fault.place)
