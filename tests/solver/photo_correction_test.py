"""The learned correction of the network's places in metres."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from photo_samples import body, landmarks_of, level_camera, natural

from solver.errors import InputRefused
from solver.estimators import correction
from solver.estimators.blazepose import Landmarks
from solver.estimators.correction import corrected, network
from solver.estimators.evidence import body_points
from solver.estimators.many_looks import MIRRORED


def _marks(seed: int = 1) -> Landmarks:
    return replace(landmarks_of(natural(seed), level_camera(), seed, 0.0, 0.0), spread=np.full((33, 3), 0.03))


def test_the_correction_knows_the_landmarks_that_the_fit_uses() -> None:
    assert np.array_equal(network().landmarks, body_points(body()).landmark)


def test_a_mirrored_person_is_corrected_as_the_mirror_image() -> None:
    marks = _marks()
    turn = np.array([-1.0, 1.0, 1.0])
    other = replace(
        marks, pixels=marks.pixels[[*MIRRORED, *range(33, len(marks.pixels))]] * [-1.0, 1.0],
        world=marks.world[MIRRORED] * turn,
    )  # fmt: skip
    places, error = corrected(marks)
    mirrored, mirrored_error = corrected(other)
    assert mirrored[MIRRORED] * turn == pytest.approx(places)
    assert mirrored_error[MIRRORED] == pytest.approx(error)


def test_where_the_person_is_on_the_picture_and_how_large_does_not_matter() -> None:
    marks = _marks()
    places, error = corrected(marks)
    moved, moved_error = corrected(replace(marks, pixels=marks.pixels * 2.5 + [40.0, -300.0]))
    assert moved == pytest.approx(places)
    assert moved_error == pytest.approx(error)


def test_the_correction_is_unsurer_of_wrists_than_of_hips() -> None:
    error = corrected(_marks())[1]
    assert (error[[15, 16]] > 2 * error[[23, 24]]).all()


def test_a_missing_correction_is_one_line_that_says_what_to_restore(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(correction, "FILE", tmp_path / "weights.npz")
    network.cache_clear()
    with pytest.raises(InputRefused, match="correction"):
        network()
    monkeypatch.undo()
    network.cache_clear()
