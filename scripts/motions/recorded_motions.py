"""The motions of the prepared motion capture, as the studies of recorded motions read them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_quaternion_xyzw
from solver.training.data.dataset import QUATERNION_SCALE, PoseData


def motions_of_split(data: PoseData, split: str) -> Iterator[Motion]:
    """Every clip of a split on the default body, in the data's order, hands straight."""
    for clip, of in enumerate(data.clip_splits):
        if of == split:
            frames = np.flatnonzero(data.frame_clip == clip)
            turns = from_quaternion_xyzw(data.quaternions_xyzw[frames] / QUATERNION_SCALE)
            hands = np.tile(np.eye(3), (len(frames), 2, 1, 1))
            yield Motion(data.root_positions[frames], np.concatenate([turns, hands], axis=1), data.fps)
