"""Scripts that measure how photos are read."""

from __future__ import annotations

import numpy as np

from scripts.photo.lifter_study import groups_of
from solver.body.body import BodyShape
from solver.camera import PinholeCamera
from solver.kinematics.pose import Pose
from solver.photo.measuring.truth import TruePerson, TruePicture


def test_a_person_upside_down_does_not_count_twice_in_a_row_of_the_table() -> None:
    pose = Pose(np.zeros(3, np.float32), np.tile(np.eye(3, dtype=np.float32), (24, 1, 1)))
    person = TruePerson("inverted", "cartwheel", 0, BodyShape(), pose, np.zeros((24, 3)), np.zeros((24, 2)))
    camera = PinholeCamera(np.zeros(3, np.float32), np.eye(3, dtype=np.float32), 900.0, (480.0, 320.0), (960, 640))
    groups = groups_of(TruePicture("0005.jpg", "report", "inverted", camera, (person,)), person)
    assert groups[:2] == ("all", "inverted")
    assert len(set(groups)) == len(groups)
