"""The joints of a glTF character whose names and shape tell too little are asked about, and read as answered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_changes import changed, exported, posed

from app.document.exchange.open_file import JointsUnclear, open_file
from app.document.model.document import Document
from app.document.model.figure import joints_of
from solver.errors import InputRefused
from solver.formats.gltf.mapped_people import mapped_people
from solver.rig.joint_map_check import swapped_sides
from solver.rig.joint_map_file import NO_MAPS, JointMaps


def exchange(content: dict[str, Any]) -> None:
    sides = {"left": "right", "right": "left"}
    for node in content["nodes"]:
        side, mark, part = node.get("name", "").partition("_")
        if mark and side in sides:
            node["name"] = f"{sides[side]}_{part}"


def places(path: Path, maps: JointMaps = NO_MAPS) -> np.ndarray:
    """(22, 3) metres about the pelvis."""
    edit = open_file(path, joint_maps=maps).edit
    assert edit is not None
    joints = joints_of(edit(Document()).characters[0]).positions[:22]
    return np.asarray(joints - joints[0])


def test_a_character_with_exchanged_names_stands_right_once_it_is_swapped(tmp_path: Path) -> None:
    right = places(exported(tmp_path, posed()))
    path = changed(exported(tmp_path, posed()), exchange)
    with pytest.raises(JointsUnclear, match="Left and right are exchanged") as unclear:
        open_file(path, ask_joints=True)
    (question,) = unclear.value.questions
    assert np.abs(places(path) - right).max() > 0.1
    assert "seem to be exchanged" in open_file(path).hint
    maps = NO_MAPS.with_choice(question.skeleton, swapped_sides(question.guess.joints))
    assert places(path, maps) == pytest.approx(right, abs=0.02)
    assert open_file(path, joint_maps=maps, ask_joints=True).hint == ""
    (person,) = mapped_people(path, False, maps)
    assert person.guess.joints == swapped_sides(question.guess.joints)


def test_a_character_of_whom_nobody_is_recognised_is_asked_about(tmp_path: Path) -> None:
    def no_knee(content: dict[str, Any]) -> None:
        """One knee of an unknown name that hangs from the pelvis beside the thigh: no leg by name nor by shape."""
        nodes = content["nodes"]
        place = {node.get("name"): i for i, node in enumerate(nodes)}
        nodes[place["left_hip"]]["children"].remove(place["left_knee"])
        nodes[place["pelvis"]]["children"].append(place["left_knee"])
        nodes[place["left_knee"]]["name"] = "Elephant"

    path = changed(exported(tmp_path, posed()), no_knee)
    with pytest.raises(InputRefused, match="recognised as left knee"):
        open_file(path)
    with pytest.raises(JointsUnclear, match="recognised as left knee"):
        open_file(path, ask_joints=True)
    (person,) = mapped_people(path, False, NO_MAPS)
    assert "left_knee" not in person.guess.joints, "nothing tells which joint it is"
    assert person.guess.question
