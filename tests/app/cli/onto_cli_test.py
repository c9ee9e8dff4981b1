"""On the command line, a pose or a motion goes back onto the user's own character."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from odd_rigs import exchanged, somebody, written

from app.cli.main import main
from app.document import edits
from app.document.exchange.open_file import open_file
from app.document.model.document import Character, Document
from app.document.posing.create import new_character
from app.document.scene_file.io import save_scene
from scripts.rigs.robot import robot_glb
from solver.kinematics.rotations import geodesic_angle
from solver.rig.joint_map_file import read_joint_map, write_joint_map
from solver.rig.roles import SMPL_ROLES


def people() -> tuple[Character, Character]:
    """Anna as she was made, and Ben with a raised arm and a bent knee for two frames."""
    return new_character(Document(), name="Anna"), replace(somebody(), id="ben", name="Ben")


@pytest.fixture
def scene(tmp_path: Path) -> str:
    document = Document()
    for person in people():
        document = edits.add_character(person)(document)
    save_scene(tmp_path / "two.json", document)
    return str(tmp_path / "two.json")


def off(file: Path, person: Character) -> float:
    """Degrees by which the joint is off that is off most; hands are left out, and feet, which a rig may lack."""
    edit = open_file(file).edit
    assert edit is not None
    pose = edit(Document()).characters[0].pose
    return float(np.degrees(geodesic_angle(pose.rotations[:20], person.pose.rotations[:20]).max()))


def test_the_first_person_of_a_scene_goes_onto_the_own_character_and_is_named(
    scene: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rig, new = written(tmp_path / "hero.bvh"), tmp_path / "new.bvh"
    assert main(["export", scene, "-o", str(new), "--onto", str(rig)]) == 0
    said = capsys.readouterr()
    assert said.out == f"Wrote {new}, posed as “Anna”.\n"
    assert "two.json holds 2 people: “Anna” was taken; --character NAME takes another one." in said.err
    assert off(new, people()[0]) < 0.1


@pytest.mark.parametrize("name", ["pose.bvh", "pose.json", "pose.npz", "pose.glb", "onto.bvh"])
def test_one_frame_of_somebody_who_moves_is_told_to_be_one_of_several(
    name: str, scene: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["export", scene, "-o", str(tmp_path / name), "--character", "Ben"]
    if name == "onto.bvh":
        command += ["--onto", str(written(tmp_path / "hero.bvh"))]
    assert main(command) == 0
    told = "of “Ben” (2 frames), only the frame shown was written: --motion writes all."
    assert told in capsys.readouterr().err
    assert main([*command, "--motion"]) == 0
    assert told not in capsys.readouterr().err


def test_nothing_is_said_of_frames_where_nobody_moves(
    scene: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", scene, "-o", str(tmp_path / "a.bvh"), "--character", "Anna"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", ["export", "convert"])
def test_another_person_is_chosen_by_name(
    command: str, scene: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rig, new = written(tmp_path / "hero.bvh"), tmp_path / "new.bvh"
    whole = ["--motion"] if command == "export" else []
    assert main([command, scene, "-o", str(new), "--onto", str(rig), "--character", "Ben", *whole]) == 0
    assert capsys.readouterr() == (f"Wrote {new}, posed as “Ben”.\n", "")
    assert off(new, people()[1]) < 0.1
    assert main([command, scene, "-o", str(new), "--onto", str(rig), "--character", "Zoe"]) == 1
    assert "Zoe" in capsys.readouterr().err


def test_export_writes_the_pose_or_with_motion_every_frame(scene: str, tmp_path: Path) -> None:
    rig, given = written(tmp_path / "hero.bvh"), ["--character", "Ben", "-o", str(tmp_path / "new.bvh")]
    for more, frames in (([], 1), (["--motion"], 2)):
        assert main(["export", scene, *given, "--onto", str(rig), *more]) == 0
        assert f"Frames: {frames}\n" in (tmp_path / "new.bvh").read_text()


def test_export_takes_a_joint_map_for_the_own_character(scene: str, tmp_path: Path) -> None:
    rig, new, file = exchanged(tmp_path / "hero.bvh"), tmp_path / "new.bvh", tmp_path / "map.json"
    write_joint_map(file, {role: role.mirrored for role in SMPL_ROLES})
    given = ["-o", str(new), "--character", "Ben", "--onto", str(rig)]
    assert main(["export", scene, *given, "--joint-map", str(file)]) == 0
    edit = open_file(new, joint_maps=read_joint_map(file)).edit
    assert edit is not None
    back = edit(Document()).characters[0]
    assert np.degrees(geodesic_angle(back.pose.rotations[:20], people()[1].pose.rotations[:20]).max()) < 0.1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["convert", "--character", "Ben"], "--character is for --onto."),
        (["export", "--joint-map", "map.json"], "--joint-map is for --onto."),
        (["export", "--onto", "a.glb", "--character", "Anna", "--character", "Ben"], "give one --character."),
        *(
            (["export", "--onto", "a.glb", *option.split()], f"{option.split()[0]} does not go with --onto")
            for option in (
                "--format glb",
                "--names smpl",
                "--unit m",
                "--fingers",
                "--static",
                "--no-props",
                "--separate",
            )
        ),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(
    given: list[str], said: str, scene: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *rest = given
    assert main([command, scene, "-o", str(tmp_path / "new.bvh"), *rest]) == 2
    assert said in capsys.readouterr().err


def test_a_mesh_of_somebody_with_a_skin_of_their_own_is_said_to_be_our_body(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robot, scene, out = tmp_path / "robot.glb", tmp_path / "robot.json", tmp_path / "out.obj"
    robot.write_bytes(robot_glb(fine=3))
    assert main(["convert", str(robot), "-o", str(scene)]) == 0
    capsys.readouterr()
    assert main(["export", str(scene), "-o", str(out)]) == 0
    said = capsys.readouterr()
    assert said.out == f"Wrote {out}.\n"
    assert "of “robot” our body is written, not the skin of your own character: --onto writes that." in said.err
    assert main(["export", str(scene), "-o", str(tmp_path / "out.glb"), "--onto", str(robot)]) == 0
    assert capsys.readouterr().err == ""


def test_the_scene_is_not_replaced_by_what_is_written(
    scene: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path(scene).read_bytes()
    assert main(["export", scene, "-o", scene, "--onto", str(written(tmp_path / "hero.bvh"))]) == 1
    assert "which the export would replace" in capsys.readouterr().err
    assert Path(scene).read_bytes() == before
