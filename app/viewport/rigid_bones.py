"""Where the joints that no pose moves are, for a figure that shows its bones."""

from __future__ import annotations

from typing import Any

from app.document.model.character import Character
from app.document.model.figure import body_of
from solver.body.whole_rig import AT_REST, as_whole_pose
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose


def rigid_bones(character: Character, pose: Pose) -> dict[str, Any]:
    """Jaw, eyes and fingers, (R, 3) metres in the world, and their parents, as `Figure` takes them."""
    whole, hands = body_of(character).whole_rig(character.shape), character.hands
    count = len(pose.rotations)
    turned = hands.by_joint() if hands else AT_REST
    places = forward_kinematics(whole, as_whole_pose(whole, pose, turned)).positions[count:]
    return {"rigid": places, "rigid_parents": whole.parents[count:]}
