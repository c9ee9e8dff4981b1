"""The side from which a pose is best seen in a small picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.document.exchange.own.own_reach import own_reach
from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of, with_margin
from app.document.posing.mirroring import heading
from rendering.camera.camera import OrbitCamera
from rendering.camera.moving import frame
from solver.rig.rig import rig_of
from solver.rig.roles import Role

YAW, SIDE_YAW = 0.55, 1.15  # radians from where somebody faces; for somebody who lies along that line
PITCH, LOW_PITCH, LOW = 0.14, 0.5, 0.32  # radians from above; metres of a pelvis that is near the floor
LONG = 0.3  # metres from pelvis to head along that line, from which somebody counts as lying along it
AROUND, CROWN = 0.15, 0.12  # metres of body around its joints, and of the head above its joint


def best_side(people: Sequence[Character], aspect: float) -> OrbitCamera:
    """A camera that shows all of some people who belong together, from the front and a little from the side.

    Those who lie along where they look are seen more from the side, those near the floor from above.
    """
    first = people[0]
    facing = heading(first.pose.rotations[0])
    along = np.array([np.sin(facing), 0.0, np.cos(facing)])
    places = _joints(first, (Role.PELVIS, Role.HEAD))
    lies = abs(float((places[1] - places[0]) @ along)) > LONG and len(people) == 1
    low = max(float(character.pose.root_position[1]) for character in people) < LOW
    camera = OrbitCamera(yaw=facing + (SIDE_YAW if lies else YAW), pitch=LOW_PITCH if low else PITCH)
    points = np.concatenate([_points(character) for character in people])
    whole = [with_margin(points, AROUND), *(own_reach(character) for character in people)]
    return frame(camera, np.concatenate(whole), aspect, margin=1.02)


def _points(character: Character) -> NDArray[np.float64]:
    """The joints and the crown of the head."""
    joints, head = joints_of(character), skeleton_of(character).index(_name(character, Role.HEAD))
    crown = joints.positions[head] + CROWN * joints.rotations[head][:, 1]
    return np.concatenate([joints.positions, crown[None]]).astype(np.float64)


def _joints(character: Character, roles: Sequence[Role]) -> NDArray[np.float64]:
    skeleton = skeleton_of(character)
    return joints_of(character).positions[[skeleton.index(_name(character, role)) for role in roles]].astype(np.float64)


def _name(character: Character, role: Role) -> str:
    return rig_of(skeleton_of(character)).name(role)
