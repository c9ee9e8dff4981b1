"""Skin that keeps its volume: what is done to the T-pose so that bent joints come out as thick as they were."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from body_samples import official

from scripts.rigs.volume_study import main
from solver.body import kept_volume
from solver.body.body import Body, BodyShape
from solver.body.catalog import load_body, official_body_id
from solver.body.floor import posed_vertices
from solver.body.kept_volume import OUTSIDE, load_compiled, with_volume_kept
from solver.contact.patches import patches
from solver.evaluation.speed import random_poses
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import Role
from solver.values import FloatArray

BODY, SHAPE = load_body("anny"), BodyShape(np.linspace(-1, 1, 10))
RIG, REST = BODY.rig(SHAPE), BODY.vertices(SHAPE)
BENT = [  # towards the inside, in the left limbs' frames
    (Role.LEFT_KNEE, (1.0, 0.0, 0.0)),
    (Role.LEFT_ELBOW, (0.0, -1.0, 0.0)),
    (Role.LEFT_HIP, (-1.0, 0.0, 0.0)),
    (Role.LEFT_SHOULDER, (0.0, -1.0, 0.0)),
    (Role.RIGHT_KNEE, (1.0, 0.0, 0.0)),
    (Role.RIGHT_ELBOW, (0.0, 1.0, 0.0)),
    (Role.RIGHT_HIP, (-1.0, 0.0, 0.0)),
    (Role.RIGHT_SHOULDER, (0.0, 1.0, 0.0)),
]


@pytest.fixture(autouse=True, params=["compiled", "numpy"])
def done_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    load_compiled()
    if request.param == "numpy":  # as until the solver is ready
        monkeypatch.setattr(kept_volume, "_compiled", lambda: None)


def bent(turns: dict[Role, tuple[float, float, float]], degrees: float, body: Body = BODY) -> Pose:
    rig = body.rig(SHAPE)
    rotations = np.array(rest_pose(rig).rotations)
    for role, axis in turns.items():
        rotations[rig.index(role)] = from_rotation_vector(np.radians(degrees) * np.array(axis))
    return Pose(rig.offsets[0], rotations)


def between(role: Role) -> FloatArray:
    """Vertices that a joint's two bones share, and nothing else moves."""
    joint = RIG.index(role)
    near, far = BODY.weights[:, RIG.parents[joint]], BODY.weights[:, joint]
    return np.flatnonzero((near > 0.1) & (far > 0.1) & (near + far > 0.95))


def distances(role: Role, pose: Pose, skin: FloatArray) -> FloatArray:
    """Of the skin between its bones, sorted, how far it is from the joint, against rest."""
    some, joint = between(role), RIG.index(role)
    posed = posed_vertices(BODY, SHAPE, pose, rest=skin)[some] - forward_kinematics(RIG, pose).positions[joint]
    return np.sort(np.linalg.norm(posed, axis=1) / np.linalg.norm(REST[some] - RIG.rest_positions[joint], axis=1))


def inside(role: Role, pose: Pose) -> FloatArray:
    """Of the skin between a joint's bones, sorted, which of it is on the inside of the bend."""
    some, joint, child = between(role), RIG.index(role), RIG.children(RIG.index(role))[0]
    near, turn = RIG.offsets[child], pose.rotations[joint]
    posed = posed_vertices(BODY, SHAPE, pose)[some] - forward_kinematics(RIG, pose).positions[joint]
    return some[posed @ (near - turn @ near) < 0.0]


@pytest.mark.parametrize(("role", "axis"), BENT)
def test_a_joint_bent_far_stays_about_as_thick_as_it_was(role: Role, axis: tuple[float, float, float]) -> None:
    pose = bent({role: axis}, 120)
    plain, kept = (distances(role, pose, skin) for skin in (REST, with_volume_kept(BODY, SHAPE, pose, REST)))
    worst = len(plain) // 10
    assert plain.mean() < 0.85
    assert kept.mean() > plain.mean() + 0.09
    assert kept.mean() > 0.88
    assert kept[:worst].mean() > plain[:worst].mean() + 0.08
    assert kept.max() < 1.001  # and bulges nowhere


@pytest.mark.parametrize(("role", "axis"), BENT)
def test_on_the_outside_of_a_bend_skin_is_pushed_less_than_on_the_inside(
    role: Role, axis: tuple[float, float, float]
) -> None:
    pose = bent({role: axis}, 110)
    pushed, some = with_volume_kept(BODY, SHAPE, pose, REST) - REST, between(role)
    within = np.isin(some, inside(role, pose))
    full = _whole_push(role, pose, some)
    share = np.linalg.norm(pushed[some], axis=1)[full > 2e-3] / full[full > 2e-3]
    within = within[full > 2e-3]
    assert share[within].mean() > share[~within].mean() + 0.1
    assert share.max() < 1.001
    assert share.min() > OUTSIDE[role] - 0.02


def _whole_push(role: Role, pose: Pose, some: FloatArray) -> FloatArray:
    """Metres, by the formula for two bones, without what is spared on the outside."""
    joint = RIG.index(role)
    turn = pose.rotations[joint]
    across = np.eye(3) - 0.5 * (turn + turn.T)
    away = (REST[some] - RIG.rest_positions[joint]) @ across
    beyond = BODY.weights[some][:, _below(joint)].sum(axis=1)
    shares = beyond * (1.0 - beyond)
    drawn_in = np.sqrt(np.maximum(1.0 - shares * np.trace(across), 0.0) + 0.09)
    return np.asarray(2.0 * shares / (drawn_in * (1.0 + drawn_in)) * np.linalg.norm(away, axis=1))


def _below(joint: int) -> list[int]:
    found = [joint]
    for j, parent in enumerate(RIG.parents):
        if parent in found:
            found.append(j)
    return found


@pytest.mark.parametrize("raised", [0.0, 0.02, 0.5, -0.2])
def test_skin_that_plain_skinning_holds_above_the_floor_is_not_pushed_below_it(raised: float) -> None:
    pose = bent({Role.LEFT_KNEE: (1.0, 0.0, 0.0), Role.RIGHT_KNEE: (1.0, 0.0, 0.0)}, 110)
    low = float(posed_vertices(BODY, SHAPE, pose)[:, 1].min())
    pose = Pose(pose.root_position - np.float32([0.0, low - raised, 0.0]), pose.rotations)
    plain = posed_vertices(BODY, SHAPE, pose)[:, 1]
    kept = posed_vertices(BODY, SHAPE, pose, rest=with_volume_kept(BODY, SHAPE, pose, REST))[:, 1]
    assert (kept >= np.minimum(plain, -0.001) - 1e-5).all()
    assert ((plain - kept).max() > 0.005) == (raised >= 0.0)  # above the floor it does go down


def test_skin_between_two_bones_goes_straight_out_from_the_axis_of_the_bend() -> None:
    role, axis = BENT[0]
    pose = bent({role: axis}, 100)
    kept = with_volume_kept(BODY, SHAPE, pose, REST)
    some, place = between(role), forward_kinematics(RIG, pose).positions[RIG.index(role)]
    before, after = (posed_vertices(BODY, SHAPE, pose, rest=skin)[some] - place for skin in (REST, kept))
    assert after[:, 0] == pytest.approx(before[:, 0], abs=1e-5)  # along the axis nothing is lost, and nothing added
    cross = before[:, 1] * after[:, 2] - before[:, 2] * after[:, 1]
    lengths = np.linalg.norm(before[:, 1:], axis=1) * np.linalg.norm(after[:, 1:], axis=1)
    assert np.abs(cross / lengths).max() < 0.06  # but for what a third bone has of some


def test_a_body_at_rest_keeps_its_skin_as_it_is() -> None:
    assert with_volume_kept(BODY, SHAPE, rest_pose(RIG), REST) is REST


def test_only_skin_about_the_bent_joint_changes() -> None:
    role, axis = BENT[1]
    kept = with_volume_kept(BODY, SHAPE, bent({role: axis}, 120), REST)
    changed = np.flatnonzero((kept != REST).any(axis=1))
    assert len(changed) > 50
    assert np.linalg.norm(REST[changed] - RIG.rest_positions[RIG.index(role)], axis=1).max() < 0.15
    assert not kept.flags.writeable
    assert np.array_equal(REST, BODY.vertices(SHAPE))


def test_both_legs_raised_do_not_push_the_skin_between_them_twice() -> None:
    pose = bent({Role.LEFT_HIP: (-1.0, 0.0, 0.0), Role.RIGHT_HIP: (-1.0, 0.0, 0.0)}, 110)
    legs = [RIG.index(role) for role in (Role.LEFT_HIP, Role.RIGHT_HIP)]
    some = np.flatnonzero(BODY.weights[:, [*legs, 0]].sum(axis=1) > 0.98)
    centre = RIG.rest_positions[legs].mean(axis=0)
    shift = forward_kinematics(RIG, pose).positions[legs].mean(axis=0) - centre
    was = np.linalg.norm((REST[some] - centre)[:, 1:], axis=1)
    skin = posed_vertices(BODY, SHAPE, pose, rest=with_volume_kept(BODY, SHAPE, pose, REST))[some] - centre - shift
    assert (np.linalg.norm(skin[:, 1:], axis=1) - was).max() < 2e-3


@pytest.mark.parametrize("degrees", [0.0, 180.0])
def test_nothing_jumps_where_the_axis_of_a_bend_turns_over(degrees: float) -> None:
    role, axis = BENT[2]
    below, above = (
        posed_vertices(BODY, SHAPE, pose, rest=with_volume_kept(BODY, SHAPE, pose, REST))
        for pose in (bent({role: axis}, degrees + by) for by in (-0.05, 0.05))
    )
    assert np.linalg.norm(above - below, axis=1).max() < 4e-3  # the toes alone go 1.6 mm


def test_compiled_code_pushes_as_numpy_does(monkeypatch: pytest.MonkeyPatch) -> None:
    poses = random_poses(RIG, 20)
    poses += [replace(pose, root_position=pose.root_position * [1.0, 0.4, 1.0]) for pose in poses[:10]]  # on the floor
    compiled = [with_volume_kept(BODY, SHAPE, pose, REST) for pose in poses]
    monkeypatch.setattr(kept_volume, "_compiled", lambda: None)
    plain = [with_volume_kept(BODY, SHAPE, pose, np.array(REST)) for pose in poses]
    apart = np.linalg.norm(np.array(compiled) - np.array(plain), axis=2)
    assert apart.max() < 2e-5
    assert np.quantile(apart.max(axis=1), 0.8) < 1e-6
    assert np.linalg.norm(np.array(plain) - REST, axis=2).max() > 0.02


def test_official_bodies_keep_theirs(tmp_path: Path) -> None:
    np.savez(tmp_path / "SMPL_NEUTRAL.npz", **official("SMPL"))  # type: ignore[arg-type]
    body = load_body(official_body_id(tmp_path))
    skin = body.vertices(SHAPE)
    assert with_volume_kept(body, SHAPE, bent(dict(BENT), 100, body), skin) is skin


def test_the_study_prints_for_each_joint_what_is_kept_plain_and_with_this(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    means = {
        line.split("|")[1].strip(): [float(cell.split("(")[0]) for cell in line.split("|")[2:5]]
        for line in capsys.readouterr().out.splitlines()
    }
    assert len(means) == 8
    for joint in ("left_knee", "left_elbow", "left_hip", "left_shoulder"):
        assert all(kept > plain for plain, kept in zip(means[f"{joint}, plain"], means[f"{joint}, kept"], strict=True))


def test_the_seat_is_not_pushed_below_where_somebody_sits_on_it() -> None:
    pose = bent({Role.LEFT_HIP: (-1.0, 0.0, 0.0), Role.RIGHT_HIP: (-1.0, 0.0, 0.0)}, 90)
    pose = Pose(pose.root_position + np.float32([0.0, 1.0, 0.0]), pose.rotations)
    seat = patches(BODY, SHAPE)["seat"]
    place = forward_kinematics(RIG, pose).positions[0] + seat.middle
    plain, kept = (
        posed_vertices(BODY, SHAPE, pose, rest=skin)[:, 1] for skin in (REST, with_volume_kept(BODY, SHAPE, pose, REST))
    )
    hips = np.flatnonzero(BODY.weights[:, [0, RIG.index(Role.LEFT_HIP), RIG.index(Role.RIGHT_HIP)]].sum(axis=1) > 0.95)
    below = kept[hips] < place[1] - 0.005
    assert (kept[hips][below] >= plain[hips][below] - 1e-4).all()
    assert (plain - kept)[hips].max() > 0.005, "above that it is pushed down"
