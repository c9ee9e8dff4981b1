"""The script that writes a motion on other programs' rigs and reads it back measures what it should."""

from __future__ import annotations

import numpy as np
import pytest
from formats_samples import sample_skeleton

from scripts.rigs.foreign_rigs import RESTS, RIGS, Rig, off_mm, read_rigs, swaying

RIG = read_rigs(RIGS.read_text(encoding="utf-8"))
SKELETON = sample_skeleton()


def test_all_rigs_are_read_with_the_joints_that_a_body_needs() -> None:
    assert len(RIG) == 65
    for rig in RIG.values():
        assert {"pelvis", "head", "left_hip", "right_knee", "left_shoulder", "right_elbow"} <= set(rig.roles)
        assert all(parent < j for j, parent in enumerate(rig.parents))


@pytest.mark.parametrize("name", ["Mixamo", "Rigify DEF", "Bone.001"])
@pytest.mark.parametrize("rest", ["hanging, inches", "A, Z up, to the back", "lying"])
def test_a_motion_comes_back_as_it_was(name: str, rest: str) -> None:
    assert off_mm(RIG[name], RESTS[rest], SKELETON, swaying()) < 1.0


def test_a_limb_that_is_not_recognised_is_told_in_millimetres_and_a_refusal_as_nan() -> None:
    rig, rest = RIG["HumanIK"], RESTS["T, cm"]
    names = ["Ball" if name == "LeftToeBase" else "x" if name == "LeftHand" else name for name in rig.names]
    assert off_mm(Rig(names, rig.parents, rig.roles), rest, SKELETON, swaying()) > 1.0
    nobody = Rig(["a", "b", "c"], [-1, 0, 1], ["pelvis", "", "head"])
    assert np.isnan(off_mm(nobody, rest, SKELETON, swaying()))
