"""How sure the program says it is of somebody in a photo."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from photo_samples import landmarks_of, level_camera, natural

from app.document.exchange.preselection import SURE_FROM
from solver.photo.detection.blazepose import Face, Landmarks
from solver.photo.likelihood import likelihood


def seen(presence: float = 1.0, apart: float = 0.0, depth: float = 1.0) -> Landmarks:
    """Somebody upright. presence: share of looks that saw them. apart: pixels between two looks."""
    one = landmarks_of(natural(1, spread=0.3), level_camera(), pixel=0.0)
    one = replace(one, world=one.world * [depth, depth, 1.0])
    looks = tuple(replace(one, pixels=one.pixels + [side * apart / 2, 0.0]) for side in (-1.0, 1.0))
    return replace(one, presence=presence, looks=looks)


def test_looks_that_agree_are_sure_and_presence_alone_is_not() -> None:
    assert likelihood(seen()) > 0.95
    assert likelihood(seen(presence=0.9, apart=500.0)) < SURE_FROM, "looks are far apart"
    assert likelihood(seen(presence=0.95, depth=0.4)) < 0.1, "nobody is so short"


def test_a_face_speaks_for_somebody_and_a_tiny_one_does_not() -> None:
    unsure = seen(presence=0.9, apart=500.0)
    points = np.random.default_rng(0).uniform(0.0, 60.0, (468, 3))
    with_face = replace(unsure, face=Face(1.0, points))
    assert likelihood(with_face) > likelihood(unsure) + 0.1
    assert likelihood(replace(unsure, face=Face(1.0, points / 10))) == likelihood(unsure)
    assert likelihood(replace(unsure, face=Face(0.1, points))) == likelihood(unsure)
