"""How unsure a person's joints are, as far as they still lie where a photo showed them."""

from __future__ import annotations

import numpy as np

from app.document.in_photo.photo_points import JOINTS
from app.document.model.document import Character, Document
from app.document.model.figure import body_of
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.joint_uncertainty import sighting_uncertainty
from solver.photo.refit import marked_points
from solver.rig.roles import Role

_THERE = 0.05  # of the person's extent in the photo: a joint this near to where it was seen has not been moved since


def unsure_joints(character: Character, document: Document) -> dict[str, float]:
    """Metres by joint, by what was seen in the photo that somebody was read off.

    Nothing of joints that lie elsewhere by now: these are as whoever posed them wants them.
    """
    sighting = character.sighting
    photo = next((one for one in document.photos if sighting is not None and one.sha256 == sighting.photo), None)
    ours = len(character.pose.rotations) == len(SMPL_JOINTS)
    if sighting is None or photo is None or character.frame or not ours:
        return {}
    marks = marked_points(body_of(character), character.shape, character.pose, photo.camera, by_networks=True)
    depth = max(-float(photo.camera.in_frame(character.pose.root_position)[2]), 0.0)
    at = dict(zip(marks.landmark.tolist(), marks.pixels, strict=True))
    extent = float(np.linalg.norm(np.ptp(marks.pixels, axis=0)))
    moved = {
        JOINTS.get(mark, str(Role.HEAD))
        for mark, point in sighting.by_mark.items()
        if mark in at and np.hypot(*(at[mark] - point.pixel)) > _THERE * extent
    }
    unsure = sighting_uncertainty(sighting, depth / photo.camera.focal_px)
    return {joint: metres for joint, metres in unsure.items() if joint not in moved}
