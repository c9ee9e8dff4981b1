"""The two motions that curves compare: the source motion or the joints' way from key to key, and what is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.curves.values import Array
from app.document.model.actor import Actor
from app.document.over_time.source_motion import source_motion
from solver.body.catalog import load_body
from solver.kinematics.joint_paths import velocities
from solver.kinematics.pose import Motion
from solver.rig.rig import Rig


class Motions(NamedTuple):
    """A person's motion in the world. before: what it is compared with, None if there is nothing. after: as
    shown."""

    rig: Rig
    before: Motion | None
    after: Motion

    def both(self, made: Callable[[Motion], Array]) -> tuple[Array, Array | None]:
        """What `made` gives for the motion after the edit, and for the one before."""
        return made(self.after), None if self.before is None else made(self.before)


def motions_of(actor: Actor) -> Motions:
    """The motions of somebody whose clip has at least two frames."""
    clip = actor.clip
    pose = clip.placement.pose(clip.keys[0].pose)
    after = actor.motion() or Motion(
        np.repeat(pose.root_position[None], len(clip), axis=0),
        np.repeat(pose.rotations[None], len(clip), axis=0),
        clip.fps,
    )
    return Motions(load_body(actor.build.body).rig(actor.build.shape), source_motion(actor), after)


def speed(places: NDArray[np.floating], fps: float) -> Array:
    """(F, ..., 3) metres as (F, ...) metres a second."""
    return np.asarray(np.linalg.norm(velocities(places, fps), axis=-1))
