"""The studies of drags on one short drag each: their tables are whole, and the figures are those of moving bodies."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_document
from scripts.contacts import contact_angles, contact_release_study, drag_times, low_grips, surface_drags
from scripts.drags import (
    contact_depths,
    foot_drags,
    held_drags,
    kept_drags,
    kneel_drags,
    lying_drags,
    near_drags,
    prop_drags,
    return_drags,
    seat_drags,
    swing_drags,
    toe_drags,
    trunk_drags,
)
from scripts.drags.held_drags import SCENES, Moves
from scripts.drags.trunk_drags import Steps
from scripts.motions import edits_between_keys, motion_edit_drags
from solver.evaluation.body_joints import BODY_JOINTS
from solver.ik.preserve_modes import PRESERVE_MODES
from solver.kinematics.rotations import to_quaternion_xyzw
from solver.rig.roles import Role
from solver.training.data.dataset import PoseData, quantised, save_pose_data

ONE = ("--bodies", "neutral", "--solvers", "dls")
Read = Callable[[], list[list[str]]]


@pytest.fixture
def rows(capsys: pytest.CaptureFixture[str]) -> Read:
    """Reads the table that was printed, its titles first."""

    def read() -> list[list[str]]:
        lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
        return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]

    return read


@pytest.mark.slow
def test_an_elbow_goes_to_a_wall_and_comes_back(rows: Read) -> None:
    held_drags.main(["wall, elbow, hands free", *ONE, "--drags", "1"])
    titles, row, _ = rows()
    assert titles == ["scene", "solver", *held_drags.COLUMNS]
    assert row[:3] == ["wall, elbow, hands free", "dls", "1"]
    steps, p95, worst = map(float, row[3:6])
    assert 0.1 < steps <= p95 <= worst < 30, "centimetres of one step"
    back = float(row[10])
    assert back < 0.1, "centimetres: the drag ends where it began"
    assert 0 < float(row[13]) <= float(row[14]) <= float(row[15])


def test_a_hand_of_somebody_new_and_of_a_pose_comes_back(rows: Read) -> None:
    return_drags.main(["moved hand", *ONE, "--poses", "1", "--far", "0.05"])
    titles, row, _ = rows()
    assert titles == ["handle", "solver", *return_drags.COLUMNS]
    assert row[:3] == ["moved hand", "dls", "2"]
    first, out, back = float(row[3]), float(row[6]), float(row[12])
    assert 0.9 < first < 2 > out > 0.9, "centimetres, about as far as the hand"
    assert back == 0


def test_a_foot_is_thrown_back_and_the_toes_hang_where_the_drag_turns(
    rows: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foot_drags, "PULLS", {"up behind": foot_drags.PULLS["up behind"]})
    foot_drags.main([*ONE, "--step", "0.1"])
    titles, row, every = rows()
    assert titles == ["drag", "solver", *foot_drags.COLUMNS]
    assert row[2:-2] == every[2:-2]
    assert float(row[3]) == float(row[4]) > float(row[5]), "degrees: at most, and there"
    assert float(row[12]) == 0, "millimetres left"


def test_toes_are_turned_up_and_come_down_again(rows: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toe_drags, "PULLS", {"straight up": toe_drags.PULLS["straight up"]})
    toe_drags.main([*ONE, "--step", "0.04", "--each"])
    titles, row, ahead, every = rows()
    assert titles == ["solver", "drag", *toe_drags.COLUMNS]
    assert (row[1], ahead[1], every[1]) == ("straight up", "straight up, a step ahead", "all")
    assert float(row[3]) == float(ahead[3]) == 0, "percent red"
    assert float(row[7]) > 10, "millimetres that the heel slides below its ankle"
    assert float(every[13]) == 0, "millimetres left"


@pytest.mark.slow
def test_a_cup_is_taken_from_a_table_and_taken_along(rows: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    low_grips.main(["cup", *ONE, "--heights", "0.74"])
    titles, row = rows()
    assert titles == ["thing", "m", "solver", *low_grips.COLUMNS]
    measured = dict(zip(titles, row, strict=True))
    assert row[:4] == ["cup", "0.74", "dls", "1"]
    assert 30 < float(measured["knees °"]) < 65
    assert 0 < float(measured["tilt °"]) < 23
    assert float(measured["gap mm"]) < 3
    monkeypatch.setattr(low_grips, "STEP", 0.1)
    low_grips.main(["cup", *ONE, "--heights", "0.74", "--drags"])
    titles, row = rows()
    assert titles == ["thing", "m", "solver", *low_grips.DRAG_COLUMNS]
    assert row[3] == "3"
    assert float(row[7]) < 1, "millimetres that the grip is missed"


def test_a_sole_is_laid_on_planes_of_every_slope_and_dragged_to_them(
    rows: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contact_angles, "SLOPES", (0, 180))
    monkeypatch.setattr(contact_angles, "TURNED_BY", 90)
    monkeypatch.setattr(contact_angles, "SLID_BY", 0.2)
    contact_angles.main(["sole ahead, high", *ONE])
    titles, row, level, ceiling, every = rows()
    assert titles == ["patch", "solver", *contact_angles.COLUMNS]
    assert (row[0], level[0], ceiling[0], every[2]) == ("sole ahead, high", "all at 0°", "all at 180°", "2")
    assert float(level[5]) < 1.0 < float(ceiling[5]), "degrees that the sole is turned off flat"
    contact_angles.main(["sole ahead, high", *ONE, "--drags"])
    titles, turned, slid = rows()
    assert titles == ["drag", "solver", *contact_angles.DRAG_COLUMNS]
    assert (turned[0], slid[0]) == ("turned", "to 180°")


def test_a_pelvis_of_somebody_kneeling_is_dragged_and_the_longest_step_is_named(rows: Read) -> None:
    kneel_drags.main(["Kneel upright", *ONE, "--drags", "pelvis ahead", "--step", "0.05", "--each"])
    titles, each, row, every = rows()
    assert titles == ["drag", "solver", *kneel_drags.COLUMNS]
    assert row[:3] == ["pelvis ahead", "dls", "1"]
    assert row[2:] == each[2:] == every[2:]
    name, person, body, most = each[0].split(", ")
    assert (name, person, body) == ("pelvis ahead", "Kneel upright", "neutral")
    assert most.split(" at ")[1] in "12345"
    first = titles.index("steps cm")
    steps, p95, worst = map(float, row[first : first + 3])
    assert 1.0 < steps <= p95 <= worst < 40, "centimetres of one step"


@pytest.mark.slow
def test_a_whole_person_who_holds_on_comes_back(rows: Read) -> None:
    held_drags.main(["sitting upright, left", *ONE, "--drags", "1", "--whole"])
    _, row, _ = rows()
    assert float(row[7]) > 15, "centimetres, as far as the person is moved"
    assert float(row[10]) == 0


@pytest.mark.slow
def test_each_drag_has_a_row_on_request(rows: Read) -> None:
    held_drags.main(["wall, elbow, hands free", *ONE, "--drags", "2", "--each"])
    _, first, second, both, _ = rows()
    assert (first[0][-9:], second[0][-9:]) == ("neutral 0", "neutral 1")
    assert float(both[5]) == max(float(first[5]), float(second[5])), "the worst step"
    assert both[2] == "2"


def test_the_person_of_a_scene_kneels() -> None:
    document, _, measures = contact_depths.taken(SCENES["kneeling, pelvis up"].hold, "neutral", "dls")
    person = document.character(contact_depths.FIRST)
    skeleton = skeleton_of(person)
    heights = dict(zip(skeleton.names, joints_of(person).positions[:, 1], strict=True))
    assert heights[Role.LEFT_KNEE] < 0.1
    assert heights[Role.RIGHT_KNEE] > 0.3
    assert measures.missed < contact_depths.MET


def test_a_hand_comes_off_its_hip_without_a_jump_and_returns(rows: Read) -> None:
    contact_release_study.main(["back of hand on hip", *ONE])
    titles, row = rows()
    assert titles == ["solver", *contact_release_study.COLUMNS]
    assert row[:2] == ["dls", "1"]
    first, back, missed = float(row[2]), float(row[8]), float(row[9])
    assert 0.5 < first < 5, "centimetres: about one, as the hand"
    assert back < 2
    assert missed < 50


@pytest.mark.slow
def test_a_hand_goes_through_a_trunk_and_round_a_solid_one(rows: Read) -> None:
    trunk_drags.main([*ONE, "--held", "feet", "--drags", "1", "--step", "60"])
    titles, through, around = rows()
    assert titles == ["solver", "held", "solid", *trunk_drags.COLUMNS]
    assert (through[:3], around[:3]) == (["dls", "feet", "no"], ["dls", "feet", "yes"])
    assert through[3] == around[3], "the same line"
    assert int(through[3]) == 2 * math.ceil(0.7 / 0.06), "of 70 cm, there and back"
    assert float(around[11]) < float(through[11]), "millimetres that skin is in skin"
    assert through[12].endswith(" of 2")


def test_a_joint_pulled_beside_a_wall_goes_further_than_the_rest(rows: Read) -> None:
    near_drags.main(["wall", *ONE, "--drags", "1", "--each"])
    titles, each, *scenes = rows()
    assert titles == ["scene", "solver", *near_drags.COLUMNS]
    rows_of_scenes = [scene[0] for scene in scenes if "neutral" not in scene[0]]
    assert rows_of_scenes == ["wall", "wall, hands on hips", "all"]
    assert each[2:] == scenes[0][2:], "a scene with one drag"
    mean, worst = scenes[0][titles.index("head at 1")].split(" / ")
    assert 0.0 <= float(mean) == float(worst) < 2.0


@pytest.mark.slow
def test_a_ball_in_the_hand_takes_its_arm_alone_along_as_it_is_moved(rows: Read) -> None:
    found = []
    for all_move in ([], ["--all-move"]):
        prop_drags.main(["ball", *ONE, "--drags", "1", "--seed", "2", *all_move])
        titles, ball, _ = rows()
        assert titles == ["prop", "solver", *prop_drags.COLUMNS]
        found.append(float(ball[titles.index("other arm at 10")].split(" / ")[1]))
    alone, together = found
    assert alone == 0.0 < together


@pytest.mark.slow
def test_a_body_that_jumps_is_drawn_in_shorter_steps_than_it_is_solved_in(rows: Read) -> None:
    swing_drags.main([*ONE, "--held", "all", "--drags", "1", "--seed", "11", "--step", "30"])
    titles, solved, drawn = rows()
    assert titles == ["solver", "held", "pose", *swing_drags.COLUMNS]
    assert (solved[:3], drawn[:3]) == (["dls", "all", "solved"], ["dls", "all", "drawn"])
    worst, on_the_way, held = (titles.index(title) for title in ("worst", "on the way %", "held p95 mm"))
    assert float(drawn[worst]) < 0.5 * float(solved[worst])
    assert 0 < float(drawn[on_the_way]) < 100
    assert float(drawn[held]) < 1.0, "millimetres that pelvis, head and feet are off"


def test_depths_say_how_far_a_contact_is_missed(rows: Read) -> None:
    contact_depths.main(["back of hand on hip", "--bodies", "neutral"])
    titles, row = rows()
    assert titles == ["hold", "neutral"]
    depth, missed, other, milliseconds = map(float, row[1].split(", "))
    assert 0 < depth < 20
    assert missed <= 1 >= other
    assert milliseconds > 0


def test_drags_add_up() -> None:
    moves = Moves([0.01], [0.1], [0.2], [0.0], [0.0], [5.0])
    moves.add(Moves([0.03, 0.08], [0.2], [0.1], [0.004], [0.01], [7.0]))
    cells = dict(zip(held_drags.COLUMNS[:5], moves.cells, strict=False))
    assert cells == {"drags": "2", "steps cm": "3.0", "p95": "7.5", "worst": "8.0", "over 5 cm %": "33.3"}
    steps = Steps([0.01])
    steps.add(Steps([0.02], [0.1]))
    assert (steps.moves, steps.hands) == ([0.01, 0.02], [0.1])


def test_a_kept_wrist_hardly_slips_in_a_gentle_drag() -> None:
    mode = next(mode for mode in PRESERVE_MODES if mode.id == "local")
    shown = kept_drags.dragged("dls", mode, Role.HEAD, np.array([0.0, -0.7, 0.7]), [0.0, 0.01, 0.02, 0.01])
    assert shown.shape == (4, len(kept_drags.SKELETON), 3)
    moved = np.linalg.norm(shown[2] - shown[0], axis=-1)
    assert 0.015 < moved[kept_drags.SKELETON.index(Role.HEAD)] < 0.03
    assert len(kept_drags.uneven(shown)) == 1, "not where it turns back"


@pytest.mark.slow
def test_steps_are_timed_and_compared_with_what_another_run_kept(rows: Read, tmp_path: Path) -> None:
    kept = tmp_path / "times.npz"
    drag_times.main(["feet", "--bodies", "short", "--solvers", "dls", "--times", "1", "--keep", str(kept)])
    titles, row = rows()
    assert titles == ["scene", "body", "solver", "ms", "slowest"]
    assert 0.0 < float(row[3]) <= float(row[4])
    drag_times.main(["feet", "--bodies", "short,tall", "--solvers", "dls", "--times", "1", "--against", str(kept)])
    titles, again, other = rows()
    assert titles[5:] == ["ms before", "share", "apart"]
    assert again[5] == row[3]
    assert float(again[6]) > 0.0
    assert float(again[7]) == 0.0, "the same poses"
    assert len(other) == 5, "nothing was kept of that body"


@pytest.mark.slow
def test_a_knee_is_brought_onto_the_floor_and_its_own_limb_is_left_out(rows: Read) -> None:
    surface_drags.main(["left_knee", *ONE, "--onto", "floor"])
    titles, row = rows()
    assert titles == ["patch", "onto", "body", "solver", "ms", "off cm", "within cm", "step cm", "lost cm"]
    assert row[:4] == ["left_knee", "floor", "neutral", "dls"]
    assert [float(off) for off in row[5].split()] == [0.0] * 5
    assert float(row[7].split()[0]) > 40, "the knee goes down"
    surface_drags.main(["left_upper_arm", *ONE, "--onto", "beside"])
    assert all(0.0 < float(within) < 3.0 for within in rows()[1][6].split()), "pressed against the wall, not through it"
    surface_drags.main(["seat", *ONE, "--onto", "knee"])
    assert len(rows()) == 1, "the knee is of the limbs that the pelvis carries"


@pytest.mark.parametrize(
    ("main", "arguments"),
    [
        (held_drags.main, ["no such scene"]),
        (contact_depths.main, ["no such hold"]),
        (contact_release_study.main, ["--solvers", "dls,magic"]),
        (seat_drags.main, ["--solvers", "dls,magic"]),
        (trunk_drags.main, ["--bodies", "neutral,nobody"]),
        (trunk_drags.main, ["--held", "hair"]),
    ],
)
def test_a_wrong_name_is_refused_with_those_that_there_are(
    main: Callable[[list[str]], None], arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert f"there is no “{arguments[-1].split(',')[-1]}”, only: " in said


def test_drags_of_people_who_lie_have_a_row_each_and_one_for_all(rows: Read) -> None:
    lying_drags.main(["Starfish", *ONE, "--drags", "right wrist up,head up", "--each"])
    titles, *each = rows()
    assert titles == ["drag", "solver", *lying_drags.COLUMNS]
    people = [f"{pull}, Starfish, neutral" for pull in ("right wrist up", "head up")]
    assert [row[0] for row in each] == [people[0], "right wrist up", people[1], "head up", "all"]
    wrist, head, every = (dict(zip(titles, row, strict=True)) for row in (each[1], each[3], each[4]))
    assert (wrist["drags"], every["drags"]) == ("1", "2")
    assert 0 < float(wrist["step p95 cm"]) < 10
    assert float(every["at most cm"]) == max(float(wrist["at most cm"]), float(head["at most cm"]))


def test_drags_of_people_who_sit_have_a_row_for_chairs_and_one_for_the_poses_of_the_library(rows: Read) -> None:
    seat_drags.main(["head ahead", *ONE, "--seat", "at"])
    titles, *each = rows()
    assert titles == ["seat", "drag", "solver", *seat_drags.COLUMNS]
    assert [row[:3] for row in each] == [[kind, "head ahead", "dls"] for kind in ("chair", "library")]
    chair = dict(zip(titles[:6], each[0], strict=False))
    assert chair["drags"] == "1"
    assert 5 < float(chair["leans °"]) <= float(chair["worst"]) < 30


def test_the_more_is_kept_of_a_recorded_motion_the_less_a_lifted_foot_takes_a_hand_along(
    rows: Read, tmp_path: Path
) -> None:
    pose, path = new_document().characters[0].pose, tmp_path / "poses.npz"
    turns = quantised(to_quaternion_xyzw(pose.rotations[None, : len(BODY_JOINTS)]))
    root, clip = pose.root_position[None].astype(np.float32), np.zeros(1, np.int32)
    save_pose_data(PoseData(BODY_JOINTS, turns, root, clip, ("stands",), ("val",)), path)
    motion_edit_drags.main(["foot up", "--data", str(path), "--split", "val", "--frames", "1"])
    titles, *each = rows()
    assert titles == ["edit", "solver", "place", "shape", *motion_edit_drags.COLUMNS]
    assert [row[2:5] for row in each] == [["0", "0", "1"], ["0", "0.5", "1"], ["0.2", "0.5", "1"]]
    nothing, shape, both = (float(row[titles.index("hand cm")]) for row in each)
    assert nothing > shape > both > 0


@pytest.mark.slow
def test_hips_lean_to_the_recording_between_keys_unless_that_is_left_out(rows: Read, tmp_path: Path) -> None:
    pose, path = new_document().characters[0].pose, tmp_path / "poses.npz"
    turns = np.repeat(quantised(to_quaternion_xyzw(pose.rotations[None, : len(BODY_JOINTS)])), 45, axis=0)
    walked = pose.root_position + np.linspace(0.0, 1.0, 45)[:, None] * np.array([0.0, 0.0, 1.5])
    clip = np.zeros(45, np.int32)
    save_pose_data(PoseData(BODY_JOINTS, turns, walked.astype(np.float32), clip, ("glides",), ("val",)), path)
    most = []
    for option in ([], ["--by-itself"]):
        edits_between_keys.main(["hand up", "--data", str(path), "--split", "val", *option])
        titles, row, _ = rows()
        assert titles == ["drag", "solver", *edits_between_keys.COLUMNS]
        most.append(float(row[titles.index("hips, most cm")]))
    assert most[0] < most[1]
