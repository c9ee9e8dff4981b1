"""Hands that bear somebody count as they are held: on fists, fingers do not reach as far as stretched ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from document_samples import only

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.library.pose_files import save_pose
from app.document.library.shelf import poses_of
from app.document.model.document import Character
from app.document.model.figure import body_of, skeleton_of
from app.document.posing.create import new_document
from app.document.posing.placing import lowest_skin, standing_on_floor
from solver.body.hand_presets import preset_hands
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import ARMS

OTHERS = ("anny:child", "anny:chibi")


@pytest.fixture(scope="module")
def upside_down() -> Character:
    """Somebody who stands on both fists, arms straight."""
    character = only(new_document())
    skeleton = skeleton_of(character)
    rotations = np.repeat(np.eye(3, dtype=np.float32)[None], len(skeleton), axis=0)
    rotations[0] = from_rotation_vector([0.0, 0.0, np.pi])
    for arm, way in zip(ARMS, (1, -1), strict=True):
        rotations[skeleton.index(arm.root)] = from_rotation_vector([0.0, 0.0, way * np.pi / 2])
    pose = Pose(np.float32([0.0, 1.4, 0.0]), rotations)
    hands = preset_hands("fist", body_of(character))
    stands = standing_on_floor(replace(character, pose=pose, base_pose=pose, hands=hands, effectors=()))
    stretched = replace(stands, hands=None)
    assert lowest_skin(stretched) < -0.05, "as fingers would be, were they stretched"
    return stands


@pytest.mark.parametrize("body", ["anny", *OTHERS])
@pytest.mark.parametrize("share", [1.0, 0.999])
def test_a_pose_of_the_library_on_fists_is_on_the_floor_on_any_body(
    upside_down: Character, body: str, share: float, tmp_path: Path
) -> None:
    file = poses_of(save_pose(tmp_path, "", "Fists", (), (upside_down,)))
    after = only(take_pose("c1", file, Taking(share=share))(new_document(body=body)))
    assert lowest_skin(after) == pytest.approx(0.0, abs=1e-3 if share < 1 else 1e-4)


def test_who_takes_a_pose_without_hands_stands_on_their_own(upside_down: Character, tmp_path: Path) -> None:
    file = poses_of(save_pose(tmp_path, "", "Hands", (), (standing_on_floor(replace(upside_down, hands=None)),)))
    document = edits.set_hands("c1", preset_hands("fist", body_of(upside_down)))(new_document())
    after = only(take_pose("c1", file, Taking())(document))
    assert lowest_skin(after) == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("body", OTHERS)
def test_who_gets_another_body_stands_on_its_fists(upside_down: Character, body: str) -> None:
    document = new_document().with_characters((upside_down,))
    after = only(edits.set_body("c1", body, upside_down.shape)(document))
    assert lowest_skin(after) == pytest.approx(0.0, abs=1e-4)
