"""The people of a photo, as reading it gives them."""

from __future__ import annotations

from dataclasses import dataclass

from solver.body.body import Body, BodyShape
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
    like: "statue", "drawing" or a longer phrase if they look so much like one that the score is low for it. scored:
    whether anybody said how certain the detection is; else the score counts as 1, and is not to be shown. smaller:
    a child's body, of whoever stands on the floor of the others with that size only; `shape`, `pose` and `fit` are
    then of that body."""

    score: float
    box: tuple[float, float, float, float]
    shape: BodyShape
    pose: Pose
    landmarks: Landmarks
    fit: Fit
    on_floor: bool
    like: str = ""
    scored: bool = True
    smaller: Body | None = None

    def own(self, asked: Body) -> Body:
        """The body of the shape, where one was asked for."""
        return self.smaller or asked

    def own_id(self, asked: str) -> str:
        """The id of that body, where one of this id was asked for."""
        return self.smaller.id if self.smaller else asked

    @property
    def pose_is_unsure(self) -> bool:
        """Whether looks disagreed so much about arms and legs that the pose is often off in the picture."""
        return is_doubtful(sighting_of(self.landmarks, ""))


@dataclass(frozen=True, eq=False)
class PhotoResult:
    """People on the floor y = 0 and the camera that saw them."""

    camera: PinholeCamera
    people: tuple[EstimatedPerson, ...]
