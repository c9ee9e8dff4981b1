"""What keeping costs: protocol B at strengths between its modes, as points and as a picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.cli.main import main
from solver.evaluation.contestants import contestants_of
from solver.evaluation.pictures.trade_off import STRENGTHS, protocol_at, trade_offs
from solver.evaluation.preservation import BASE_POSE
from tests.solver.evaluation_samples import BODY, true_poses, write_clips

POSES = true_poses(4, seed=4)


def test_a_strength_scales_what_is_kept_and_nothing_else() -> None:
    half, whole = (next(iter(protocol_at("place_freeze", s).trials(POSES))).problem for s in (0.5, 1.0))
    np.testing.assert_allclose(half.preserve_position, 0.5 * whole.preserve_position)
    assert half.preserve_orientation.max() == 0.0
    np.testing.assert_allclose(half.base_pose.rotations, whole.base_pose.rotations)


def test_the_more_is_kept_the_nearer_to_the_base_pose_and_constraints_are_met() -> None:
    (dls,) = contestants_of("dls").contestants
    points = list(trade_offs([dls, BASE_POSE], POSES, BODY))
    for mode in ("Place freeze", "Pose freeze"):
        line = [p for p in points if (p.contestant, p.mode) == ("dls", mode)]
        assert [p.strength for p in line] == list(STRENGTHS)
        assert line[-1].off_base < line[0].off_base + (0.01 if mode == "Pose freeze" else 0.0)  # dls begins at the base
        assert max(p.effector_mm for p in line) < 1.0
    still = [p for p in points if p.contestant == BASE_POSE.name]
    assert {p.off_base for p in still} == {0.0}
    assert min(p.effector_mm for p in still) > 10.0


@pytest.mark.slow
def test_the_command_draws_a_picture_and_prints_its_points(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_clips(tmp_path / "clips", {"walk": 30})
    picture = tmp_path / "trade.png"
    order = ["evaluate", "--bvh", str(tmp_path / "clips"), "--max-poses", "2", "--solver", "dls"]
    assert main([*order, "--trade-off", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().out.count("Pose freeze") == len(STRENGTHS)
