"""The people of a photo, as reading it gives them."""

from __future__ import annotations

from dataclasses import dataclass

from solver.body.body import BodyShape
from solver.camera import PinholeCamera
from solver.kinematics.pose import Pose
from solver.photo.depth_ambiguity import is_doubtful
from solver.photo.detection.blazepose import Landmarks
from solver.photo.fit.least_squares import Fit
from solver.photo.sighting import sighting_of


@dataclass(frozen=True, eq=False)
class EstimatedPerson:
    """One person of a photo. score: 0..1, how certain the detection is. box: left, top, right, bottom in
    pixels. shape and pose: of our body, in the world of `PhotoResult`. fit: in the camera's frame, before a floor was
    known. on_floor: whether they stand, sit or lie on the common floor; else they stay where the picture shows them.
    like: "statue" or "drawing" if they look so much like one that the score is low for it. scored: whether anybody
    said how certain the detection is; else the score counts as 1, and is not to be shown."""

    score: float
    box: tuple[float, float, float, float]
    shape: BodyShape
    pose: Pose
    landmarks: Landmarks
    fit: Fit
    on_floor: bool
    like: str = ""
    scored: bool = True

    @property
    def pose_is_unsure(self) -> bool:
        """Whether looks disagreed so much about arms and legs that the pose is often off in the picture."""
        return is_doubtful(sighting_of(self.landmarks, ""))


@dataclass(frozen=True, eq=False)
class PhotoResult:
    """People on the floor y = 0 and the camera that saw them."""

    camera: PinholeCamera
    people: tuple[EstimatedPerson, ...]
