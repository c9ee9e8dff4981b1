"""On the command line, a file says which joint is which, and exchanged sides are told."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from odd_rigs import exchanged, lame, places, somebody, written

from app.cli.main import main
from app.document.scene_file.io import load_scene
from solver.rig.roles import SMPL_ROLES


def joint_map(file: Path, joints: dict[str, str]) -> str:
    file.write_text(json.dumps({"format": "contrapposto-joint-map", "version": 1, "joints": joints}))
    return str(file)


def test_a_joint_map_file_turns_exchanged_names_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rig, scene = exchanged(tmp_path / "hero.bvh"), tmp_path / "hero.json"
    assert main(["convert", str(rig), "-o", str(scene)]) == 0
    assert "hero.bvh: Its left and right seem to be exchanged" in capsys.readouterr().err
    wrong = places(load_scene(scene).characters[0])
    assert np.abs(wrong - places(somebody())).max() > 0.2
    given = joint_map(tmp_path / "map.json", {role: role.mirrored for role in SMPL_ROLES})
    assert main(["convert", str(rig), "-o", str(scene), "--joint-map", given]) == 0
    assert capsys.readouterr().err == ""
    assert np.abs(places(load_scene(scene).characters[0]) - places(somebody())).max() < 0.03


def test_a_joint_that_is_not_recognised_is_named_in_a_joint_map(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rig, scene = str(lame(tmp_path / "hero.bvh")), str(tmp_path / "hero.json")
    assert main(["convert", rig, "-o", scene]) == 1
    assert "recognised as pelvis, left hip or left knee. Say which joint is which (docs/joint-maps.md), by" in (
        capsys.readouterr().err
    )
    joints = {"left_hip": "Giraffe", "left_knee": "Elephant"}
    given = joint_map(tmp_path / "map.json", joints)
    assert main(["convert", rig, "-o", scene, "--joint-map", given]) == 0
    given = joint_map(tmp_path / "map.json", joints | {"left_knee": "Elefant"})
    capsys.readouterr()
    assert main(["convert", rig, "-o", scene, "--joint-map", given]) == 1
    assert "map.json, joints.left_knee: the skeleton has no joint named “Elefant”" in capsys.readouterr().err


def test_with_a_character_to_be_posed_the_joint_map_is_of_the_character(tmp_path: Path) -> None:
    rig, motion, target = exchanged(tmp_path / "rig.bvh"), written(tmp_path / "hero.bvh"), str(tmp_path / "new.bvh")
    given, scene = joint_map(tmp_path / "map.json", {role: role.mirrored for role in SMPL_ROLES}), tmp_path / "a.json"
    assert main(["convert", str(motion), "-o", target, "--onto", str(rig), "--joint-map", given]) == 0
    assert main(["convert", target, "-o", str(scene), "--joint-map", given]) == 0
    assert np.abs(places(load_scene(scene).characters[0]) - places(somebody())).max() < 0.03
