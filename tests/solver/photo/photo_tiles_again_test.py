"""Parts of a picture that are searched again, round after round."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from solver.photo.detection import blazepose
from solver.photo.detection.blazepose import Answers, detect, run_network


def test_a_tile_that_is_the_same_as_before_is_answered_without_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def answer(name: str, values: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        asked.append(name)
        return run_network(name, values)

    monkeypatch.setattr(blazepose, "run_network", answer)
    pixels = np.random.default_rng(0).integers(0, 255, (120, 200, 3)).astype(np.uint8)
    changed = pixels.copy()
    answers: Answers = {}
    changed[60, 150] ^= 128
    first, again, other, elsewhere = (
        detect(Image.fromarray(picture), box, 0.01, answers)
        for picture, box in (
            (pixels, (0.0, 0.0, 100.0, 100.0)), (changed, (0.0, 0.0, 100.0, 100.0)),
            (pixels, (80.0, 0.0, 180.0, 100.0)), (changed, (80.0, 0.0, 180.0, 100.0)),
        )
    )  # fmt: skip
    assert len(asked) == 3, "only the first tile is the same in both"
    np.testing.assert_array_equal(first.boxes, again.boxes)
    alone = detect(Image.fromarray(changed), (80.0, 0.0, 180.0, 100.0), 0.01)
    np.testing.assert_array_equal(alone.scores, elsewhere.scores)
    assert not np.array_equal(other.scores, elsewhere.scores)
