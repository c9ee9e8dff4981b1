"""A reading that has chin and forehead exchanged has no face, however sure the network is of one upside down."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from solver.photo.detection import face_and_hands
from solver.photo.detection.blazepose import Face, Region
from solver.photo.detection.face_and_hands import face_of

TWO_PEOPLE = Path(__file__).parents[2] / "data" / "photos" / "two_people.jpg"
# Nose, eyes, ears and mouth of the man on the right, pixels; the other landmarks tell nothing of a face.
HEAD = np.array(
    [[669, 145], [677, 136], [682, 137], [685, 137], [666, 135], [662, 135], [659, 135], [692, 141], [656, 138],
     [676, 157], [663, 156]], dtype=float,
)  # fmt: skip
UPSIDE_DOWN = 2 * (HEAD[[2, 5]].mean(axis=0) + HEAD[[9, 10]].mean(axis=0)) / 2 - HEAD


def test_a_face_is_seen_the_right_way_up_alone() -> None:
    picture = Image.open(TWO_PEOPLE).convert("RGB")
    face = face_of(picture, HEAD)
    assert face is not None
    assert face.presence > 0.99
    seen = face_of(picture, UPSIDE_DOWN)
    assert seen is None or seen.presence < 0.5


@pytest.mark.parametrize(("as_read", "upside_down", "there"), [(0.99, 0.9, True), (0.95, 0.999, False)])
def test_a_face_that_is_surer_upside_down_is_not_theirs(
    monkeypatch: pytest.MonkeyPatch, as_read: float, upside_down: float, there: bool
) -> None:
    def look(picture: Image.Image, region: Region) -> Face:
        unit = (np.random.default_rng(0).uniform(0.2, 0.8, (468, 2)) - 0.5) * region.side
        unit[[33, 263]] = [[-0.2 * region.side, 0.0], [0.2 * region.side, 0.0]]  # the eyes, level in the square
        points = np.column_stack([unit @ region.turn.T + region.centre, np.zeros(468)])
        return Face(as_read if np.cos(region.angle) > 0 else upside_down, points)

    monkeypatch.setattr(face_and_hands, "_face_look", look)
    face = face_of(Image.new("RGB", (960, 720)), HEAD)
    assert (face is not None) is there
    assert face is None or face.presence == as_read
