"""Contacts solved: flat on the floor, on one's own body, on another's skin, and in a ring of hands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, natural, place, position, problem

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import posed_vertices
from solver.body.hands import skin_with
from solver.body.pressed_hands import pressed_hands
from solver.contact.floor_points import floor_points
from solver.contact.patches import patches, with_fitted_patch
from solver.contact.skins import nearest_point, skin
from solver.contact.vertices import contact_vertices
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.effectors.resolve import Context
from solver.effectors.sources import FloorSource, SkinSource
from solver.ik.exact import refine, refine_batch
from solver.ik.multi_solve.shared_problem import SharedProblem, TiedFigure
from solver.ik.multi_solve.together import solve_together
from solver.ik.residuals import residuals
from solver.ik.solution import Answer
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.solvers.catalog import load_solver

BODY, SHAPE = load_body("anny"), BodyShape()
FLAT = pressed_hands(BODY)
PATCHES = patches(BODY, SHAPE, FLAT)
SKIN = skin(BODY, SHAPE, FLAT)
SKELETON = body_skeleton()
BASE = natural()
UP = np.float32([0, 1, 0])
FLATNESS_M = 0.005
SOLVERS = ("dls", "smplik")


def contact(patch: str, target, **values) -> Contact:
    made = Contact(PATCHES[patch].joint, np.asarray(target, np.float32), patch=patch, id=patch, **values)
    held = with_fitted_patch(made, PATCHES)
    assert isinstance(held, Contact)
    return held


def on_skin(patch: str, of: str, owner: str = "a", pose: Pose = BASE) -> Contact:
    """A patch on another patch of somebody's skin."""
    world, there = forward_kinematics(SKELETON, pose), PATCHES[of]
    j = SKELETON.index(there.joint)
    middle = world.positions[j] + world.rotations[j] @ there.middle
    point = nearest_point(SKIN, world, middle)
    at, normal = SKIN.point_at(point.triangle, point.shares, world)
    lift = float((middle - at) @ normal)
    return contact(patch, middle, source=SkinSource(owner, point.triangle, point.shares, lift, of))


def planted(pose: Pose, *but: str) -> list[Effector]:
    return [position(pose, foot) for foot in ("left_ankle", "right_ankle") if foot not in but]


def figure(id: str, effectors: list[Effector], solver: str = "dls", pose: Pose = BASE) -> TiedFigure:
    asked = replace(problem(effectors, pose), floor=floor_points(BODY, SHAPE, FLAT))
    return TiedFigure(id, asked, load_solver(solver), pose)


def solved(*figures: TiedFigure) -> dict[str, Answer]:
    return solve_together(SharedProblem(figures, Context(skins={each.id: SKIN for each in figures})))


def heights(patch: str, pose: Pose) -> np.ndarray:
    """Metres above the floor of the contact vertices on the outer side of a patch."""
    rest = skin_with(BODY, SHAPE, FLAT)
    chosen = np.intersect1d(PATCHES[patch].vertices, contact_vertices(BODY))
    own = [SKELETON.index(name) for role in PATCHES[patch].row.carriers for name in [str(role)]]
    borne = BODY.weights[chosen][:, own].sum(axis=1) > 0.95  # what bends with the joint above is not of the hand alone
    out = np.flatnonzero(borne & (SKIN.normals[chosen] @ PATCHES[patch].normal > 0.85))
    assert len(out) > 5
    return posed_vertices(BODY, SHAPE, pose, chosen[out].astype(np.int32), rest)[:, 1]


def moved(pose: Pose, shift: list[float]) -> Pose:
    return Pose(pose.root_position + np.float32(shift), pose.rotations)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("patch", "where", "but"), [("left_palm", [0.25, 0.0, 0.35], ""), ("right_sole", [-0.2, 0.0, 0.3], "right_ankle")]
)
def test_a_pinned_palm_or_sole_lies_flat_on_a_solid_floor(patch: str, where: list, but: str, solver: str) -> None:
    held = contact(patch, where, pinned=True, source=FloorSource())
    answer = solved(figure("a", [*planted(BASE, but), held], solver))["a"]
    assert answer.solution.residuals[-1].state == "met"
    above = heights(patch, answer.solution.pose)
    assert np.abs(above).max() < FLATNESS_M


def test_a_tilted_surface_turns_the_palm_with_it() -> None:
    facing = np.float32([0, 0.8, -0.6])
    held = contact("left_palm", [0.3, 1.0, 0.4], facing=facing)
    found = refine(problem([*planted(BASE), held], BASE), BASE)
    world, j = forward_kinematics(SKELETON, found.pose), SKELETON.index("left_wrist")
    assert (world.rotations[j] @ held.normal) @ facing == pytest.approx(-1.0, abs=0.002)
    assert len(found.residuals) == 3


def test_many_problems_at_once_lie_as_flat_as_one() -> None:
    held = contact("left_palm", [0.3, 1.0, 0.4], facing=UP)
    effectors = [*planted(BASE), held]
    one, two = refine_batch(SKELETON, [effectors, planted(BASE)], [BASE, BASE])
    world, j = forward_kinematics(SKELETON, one), SKELETON.index("left_wrist")
    assert (world.rotations[j] @ held.normal)[1] == pytest.approx(-1.0, abs=0.002)
    assert residuals(SKELETON, two, planted(BASE))[0].state == "met"


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    "pairs",
    [
        {"left_palm": "left_hip", "right_palm": "right_hip"},
        {"left_palm": "right_upper_arm", "right_palm": "left_upper_arm"},
        {"left_knuckles": "chin"},
        {"left_palm": "right_knee"},
    ],
    ids=["hands on hips", "arms crossed", "chin on hand", "hand on knee"],
)
def test_hands_reach_one_s_own_body_which_does_not_run_away(pairs: dict[str, str], solver: str) -> None:
    asked = [*planted(BASE), *(on_skin(patch, of) for patch, of in pairs.items())]
    answer = solved(figure("a", asked, solver))["a"]
    assert {residual.state for residual in answer.solution.residuals} == {"met"}
    assert np.linalg.norm(answer.solution.pose.root_position - BASE.root_position) < 0.1
    for effector in answer.effectors:
        if isinstance(effector, Contact) and effector.lies_flat:
            j = SKELETON.index(effector.joint)
            turn = forward_kinematics(SKELETON, answer.solution.pose).rotations[j]
            assert (turn @ effector.normal) @ effector.facing < -0.9


def test_what_bears_a_hand_goes_where_another_effector_takes_it_and_the_hand_follows() -> None:
    low = Position("pelvis", np.float32([0.1, 0.75, 0.0]) + BASE.root_position * [0, 0, 1])
    answer = solved(figure("a", [*planted(BASE), low, on_skin("left_palm", "left_hip")]))["a"]
    assert {residual.state for residual in answer.solution.residuals} == {"met"}
    assert place(answer.solution.pose, "pelvis") == pytest.approx(low.target, abs=1e-3)


def test_a_hand_on_another_s_shoulder_leaves_the_other_where_they_are() -> None:
    there = moved(BASE, [-0.75, 0, 0])
    mine = figure("a", [*planted(BASE), on_skin("right_palm", "left_shoulder", "b", there)])
    answers = solved(mine, figure("b", planted(there), pose=there))
    assert answers["a"].solution.residuals[-1].state == "met"
    assert np.abs(answers["b"].solution.pose.root_position - there.root_position).max() < 1e-3


def test_two_people_holding_hands_meet_and_a_ring_of_three_comes_to_an_end() -> None:
    there = moved(BASE, [-0.9, 0, 0])
    a = figure("a", [*planted(BASE), on_skin("right_palm", "left_palm", "b", there)])
    b = figure("b", [*planted(there), on_skin("left_palm", "right_palm", "a")], pose=there)
    answers = solved(a, b)
    assert all(answers[id].solution.residuals[-1].state == "met" for id in "ab")

    ring = [moved(BASE, [-0.7 * i, 0, 0]) for i in range(3)]
    figures = []
    for i, pose in enumerate(ring):
        other = (i + 1) % 3
        side = "right" if other > i else "left"
        held = on_skin(f"{side}_palm", f"{'left' if side == 'right' else 'right'}_shoulder", "abc"[other], ring[other])
        figures.append(figure("abc"[i], [*planted(pose), held], pose=pose))
    again = solved(*figures)
    assert all(np.isfinite(answer.solution.pose.rotations).all() for answer in again.values())
    assert [answer.solution.residuals[0].state for answer in again.values()] == ["met"] * 3
