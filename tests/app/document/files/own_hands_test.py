"""Hands that a user keeps under names, as files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.document.library.own_hands import drop_hands, keep_hands, own_hands
from app.panels.hands.blend import Blend
from solver.body.hands import Hands, hands_at_rest, relaxed_hands
from solver.errors import InputRefused
from solver.kinematics.rotations import from_rotation_vector


def test_hands_come_back_by_their_names_in_order(tmp_path: Path) -> None:
    folder = tmp_path / "hands"
    assert own_hands(folder) == ({}, ())
    assert keep_hands(folder, "  wide   grip ", hands_at_rest()) == "wide grip"
    keep_hands(folder, "Bow", relaxed_hands())
    found, troubles = own_hands(folder)
    assert (list(found), troubles) == (["Bow", "wide grip"], ())
    assert found["Bow"].rotations == pytest.approx(relaxed_hands().rotations, abs=1e-6)
    keep_hands(folder, "Bow", hands_at_rest())
    assert own_hands(folder)[0]["Bow"] == hands_at_rest(), "the newer one has the name"
    drop_hands(folder, "Bow")
    drop_hands(folder, "Bow")
    assert list(own_hands(folder)[0]) == ["wide grip"]


@pytest.mark.parametrize("name", ["", "  ", "a/b", "..", "con", "x" * 41, "a:b"])
def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputRefused, match="not a name for a hand"):
        keep_hands(tmp_path, name, relaxed_hands())
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[]", "holds no hands"),
        ("{", "ends too early"),
        ('{"format": "contrapposto-hands", "version": 9, "hands": {}}', "newer"),
        (
            '{"format": "contrapposto-hands", "version": 1, "hands": {"left_index1": [[2,0,0],[0,1,0],[0,0,1]]}}',
            "index1",
        ),
    ],
)
def test_a_broken_file_is_left_out_and_named(tmp_path: Path, text: str, reason: str) -> None:
    keep_hands(tmp_path, "good", relaxed_hands())
    (tmp_path / "bad.json").write_text(text)
    found, (trouble,) = own_hands(tmp_path)
    assert list(found) == ["good"]
    assert "bad.json" in trouble
    assert reason in trouble


def test_how_far_a_blend_has_gone_is_read_off_the_hands() -> None:
    goal = Hands(from_rotation_vector(np.random.default_rng(0).normal(0, 0.5, (30, 3))).astype(np.float32))
    blend = Blend("goal", goal, ("c1", (0,)), relaxed_hands())
    for share in (0.0, 0.3, 1.0):
        assert blend.share(("c1", (0,)), blend.at(share)) == pytest.approx(share, abs=1e-4)
    assert blend.share(("c2", (0,)), blend.at(0.3)) is None
    assert blend.share(("c1", (0,)), hands_at_rest()) is None
    assert Blend("same", goal, ("c1", (0, 1)), goal).share(("c1", (0, 1)), goal) == 1.0
