"""Somebody who strolls, for tests of clips."""

from __future__ import annotations

from math import pi

import numpy as np
from document_samples import only, whole_motion

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import body_of, skeleton_of
from app.document.posing.create import new_document
from app.services.clock import time_of
from app.services.session import Session
from solver.body.floor import sole_heights
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS


def strolling(frames: int = 60) -> Motion:
    """Somebody who walks on the spot and forward: hips and knees bend by turns, and the lower sole is on the floor."""
    character = new_document().characters[0]
    phase = np.linspace(0, 6 * pi, frames)
    rotations = np.repeat(np.array(character.pose.rotations)[None], frames, axis=0)
    for side, sign in (("left", 1), ("right", -1)):
        for joint, angle in (("hip", -0.5), ("knee", 0.9)):
            bend = np.zeros((frames, 3))
            bend[:, 0] = angle * np.clip(sign * np.sin(phase), 0, None)
            j = SMPL_JOINTS.index(f"{side}_{joint}")
            rotations[:, j] = rotations[:, j] @ from_rotation_vector(bend)
    roots = np.tile(character.pose.root_position, (frames, 1)).astype(np.float64)
    roots[:, 2] += np.linspace(0, 2, frames)
    roots[:, 1] -= sole_heights(body_of(character), character.shape, roots, rotations)
    return Motion(roots, rotations, 30.0)


def raised(document: Document, metres: float = 0.3) -> Document:
    """The left wrist asked for higher, and solved, at the frame that the document is looked at."""
    wrist = next(e for e in only(document).effectors if e.joint == "left_wrist")
    target = wrist.target + np.float32([0.0, metres, 0.1])  # type: ignore[attr-defined]
    return edits.chain(edits.set_target("c1", wrist.id, target), edits.solve("c1"))(document)


def look_at_frame(session: Session, id: str, frame: int) -> None:
    """Look at a frame of somebody's clip, and at all others at its time, as by a click on the timeline."""
    session.look_at_time(time_of(session.document.actor(id), frame))


def walker(frames: int = 60) -> Document:
    """The first character of a new document with that motion."""
    return edits.import_motion("c1", strolling(frames))(new_document())


def places(document: Document) -> np.ndarray:
    """(F, J, 3) metres, of the only person with every frame solved."""
    shown, skeleton = whole_motion(only(document)), skeleton_of(only(document))
    found = forward_kinematics_batch(skeleton.parents, skeleton.offsets, shown.root_positions, shown.rotations)
    return found.positions.astype(np.float64)
