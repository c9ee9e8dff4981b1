"""A file's pose on another build: what lies on the floor lies there, and arms are out of the own body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.library.clear_limbs import clear_of
from app.document.library.floored import ends_on_floor, floored
from solver.body.body import Body, BodyShape
from solver.body.hands import Hands
from solver.contact.intersections import Skinned
from solver.formats.pose_json.pose_file import PosePerson
from solver.kinematics.fk import WorldJoints
from solver.kinematics.pose import Pose
from solver.memoise import memoised
from solver.rig.fewer_joints import unbent
from solver.rig.roles import ARMS

SLIDES_M = 0.003  # metres that hands on the floor may move so that joints turn less


@memoised(8, by_identity=True)
def fitted_pose(person: PosePerson, there: Body, here: Body, shape: BodyShape, hands: Hands | None) -> Pose:
    """A file's pose on another build; kept while that is asked again, as for each share of the way.

    there: the file's body. here, shape: the other one; joints that it lacks are not bent. hands: how fingers are held.
    """
    was = Skinned(there, person.shape, person.pose, hands)
    now = Skinned(here, shape, unbent(here.skeleton(shape), person.pose), hands)
    on_floor = replace(now, pose=floored(was, now))
    ends = ends_on_floor(on_floor)

    def lying(world: WorldJoints) -> list[tuple[int, NDArray[np.float64]]]:
        return [(end, world.positions[end].astype(np.float64)) for end in ends]

    return clear_of(on_floor, ARMS, lying=lying, slides=SLIDES_M)
