"""Figures that are tied come to rest: asked the same again, nobody moves; asked anything else, they are solved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, natural, place, position, problem

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.obstacles import Obstacles, OtherBody
from solver.contact.patches import patches, with_fitted_patch
from solver.contact.solid_body import solid_body
from solver.contact.solids import Solid, SolidForm
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.facing import halfway_between
from solver.effectors.kinds import LookAt
from solver.effectors.sources import JointSource
from solver.ik.memory import SettledMemory
from solver.ik.multi_solve.shared_problem import SharedProblem, TiedFigure
from solver.ik.multi_solve.together import solve_together
from solver.ik.solution import Answer
from solver.ik.stance.stance import Stance
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import load_solver

BODY, SHAPE = load_body("anny"), BodyShape()
BALLS = solid_body(BODY, SHAPE)
PATCHES = patches(BODY, SHAPE, None)
SKELETON = body_skeleton()
BASE = natural()
AHEAD = np.float32([0, 0, 0.7])
BOX = Solid(SolidForm.BOX, np.float32([0.3, 0.3, 0.3]), np.float32([0.0, 5.0, 0.0]))


def facing(pose: Pose) -> Pose:
    """Somebody who stands ahead and looks back."""
    turn = from_rotation_vector([0.0, np.pi, 0.0])
    rotations = np.array(pose.rotations)
    rotations[0] = turn @ rotations[0]
    return Pose(pose.root_position + AHEAD, rotations.astype(np.float32))


def palm(side: str, of: str, other: str, owner: Pose) -> Contact:
    """A palm on a palm of somebody else, which goes along with that one's wrist."""
    there = PATCHES[f"{other}_palm"]
    across = np.cross(there.normal, [0, 0, 1])
    across /= np.linalg.norm(across)
    turn = np.stack([across, there.normal, np.cross(across, there.normal)], axis=1).astype(np.float32)
    world, j = forward_kinematics(SKELETON, owner), SKELETON.index(there.joint)
    made = Contact(
        f"{side}_wrist", world.positions[j] + world.rotations[j] @ there.middle, patch=f"{side}_palm", id="palm",
        facing=world.rotations[j] @ there.normal, source=JointSource(of, there.joint, there.middle, turn),
    )  # fmt: skip
    held = with_fitted_patch(made, PATCHES)
    assert isinstance(held, Contact)
    return held


def planted(pose: Pose) -> list[Effector]:
    return [position(pose, foot) for foot in ("left_ankle", "right_ankle")]


def two(solid: bool = False) -> SharedProblem:
    """Two who face each other and hold hands."""
    poses = {"a": BASE, "b": facing(BASE)}
    held = {"a": palm("left", "b", "right", poses["b"]), "b": palm("right", "a", "left", BASE)}
    figures = []
    for id, pose in poses.items():
        asked = problem([*planted(pose), held[id]], pose)
        (other,) = poses.keys() - {id}
        beside = ((other, BALLS),) if solid else ()
        if solid:
            around = Obstacles(
                BALLS,
                support_people=(OtherBody(BALLS, forward_kinematics(SKELETON, poses[other])),),
                support_things=(BOX,),
            )
            asked = replace(asked, obstacles=around)
        figures.append(TiedFigure(id, asked, load_solver("dls"), pose, beside=beside))
    return SharedProblem(tuple(figures))


def after(shared: SharedProblem, answers: dict[str, Answer]) -> SharedProblem:
    """The problem again, each figure now in the pose that was found for it."""
    figures = []
    for figure in shared.figures:
        solution, effectors = answers[figure.id]
        asked = replace(figure.problem, effectors=effectors)
        figures.append(replace(figure, problem=asked, shown=solution.pose, memory=solution.memory))
    return replace(shared, figures=tuple(figures))


def normals(answers: dict[str, Answer]) -> list[np.ndarray]:
    found = []
    for id, side in (("a", "left"), ("b", "right")):
        world = forward_kinematics(SKELETON, answers[id].solution.pose)
        found.append(world.rotations[SKELETON.index(f"{side}_wrist")] @ PATCHES[f"{side}_palm"].normal)
    return found


@pytest.mark.parametrize("solid", [False, True])
def test_two_people_holding_hands_lie_palm_on_palm_and_come_to_rest_at_once(solid: bool) -> None:
    shared = two(solid)
    first = solve_together(shared)
    one, other = normals(first)
    assert one @ other < -0.99, "palm against palm, not each as the other one's was"
    again = solve_together(after(shared, first))
    for id in "ab":
        assert again[id].solution.pose == first[id].solution.pose
        assert again[id].solution.iterations == 0
        assert again[id].solution.residuals == first[id].solution.residuals
        assert again[id].effectors == first[id].effectors


def test_a_look_that_eyes_do_is_told_as_tolerated_when_they_look_at_each_other_and_at_rest() -> None:
    poses = {"a": BASE, "b": Pose(BASE.root_position + np.float32([1.2, 0, 0.1]), BASE.rotations)}
    figures, head = [], SKELETON.index("head")
    for id, pose in poses.items():
        (other,) = poses.keys() - {id}
        face = np.float32([0.0, 0.08, 0.09])
        there = forward_kinematics(SKELETON, poses[other])
        at = there.positions[head] + there.rotations[head] @ face
        look = LookAt("head", at, id="look", source=JointSource(other, "head", face))
        asked = replace(problem([*planted(pose), look], pose), stance=Stance(soft_look=True), body="anny")
        figures.append(TiedFigure(id, asked, load_solver("dls"), pose))
    shared = SharedProblem(tuple(figures))
    first = solve_together(shared)
    again = solve_together(after(shared, first))
    for answers in (first, again):
        for id in "ab":
            left = answers[id].solution.residuals[-1]
            assert left.value > np.radians(1), "the head does not get there"
            assert left.state == "tolerated"
    assert all(again[id].solution.iterations == 0 for id in "ab")


def moved(figure: TiedFigure) -> TiedFigure:
    foot = replace(figure.problem.effectors[0], target=figure.problem.effectors[0].target + np.float32([0.02, 0, 0]))
    return replace(figure, problem=replace(figure.problem, effectors=(foot, *figure.problem.effectors[1:])))


def let_go(figure: TiedFigure) -> TiedFigure:
    return replace(figure, problem=replace(figure.problem, effectors=figure.problem.effectors[1:]))


def looser(figure: TiedFigure) -> TiedFigure:
    foot = replace(figure.problem.effectors[0], tolerance=0.4)
    return replace(figure, problem=replace(figure.problem, effectors=(foot, *figure.problem.effectors[1:])))


def other_base(figure: TiedFigure) -> TiedFigure:
    return replace(figure, problem=replace(figure.problem, base_pose=figure.shown))


def kept(figure: TiedFigure) -> TiedFigure:
    return replace(figure, problem=replace(figure.problem, preserve_position=np.full(len(SKELETON), 0.5, np.float32)))


def passing(figure: TiedFigure) -> TiedFigure:
    return replace(figure, problem=replace(figure.problem, obstacles=None))


def with_less(figure: TiedFigure) -> TiedFigure:
    assert figure.problem.obstacles is not None
    return replace(
        figure, problem=replace(figure.problem, obstacles=replace(figure.problem.obstacles, support_things=()))
    )


def other_solver(figure: TiedFigure) -> TiedFigure:
    return replace(figure, solver=load_solver("smplik"))


def other_option(figure: TiedFigure) -> TiedFigure:
    return replace(figure, options={"reach": 1.0})


def pasted(figure: TiedFigure) -> TiedFigure:
    return replace(figure, shown=Pose(figure.shown.root_position, BASE.rotations))


def of_more_joints(figure: TiedFigure) -> TiedFigure:
    assert isinstance(figure.memory, SettledMemory)
    less = Pose(BASE.root_position, BASE.rotations[:-1])
    return replace(figure, memory=replace(figure.memory, record=figure.memory.record._replace(pose=less)))


@pytest.mark.parametrize(
    "change",
    [moved, let_go, looser, other_base, kept, passing, with_less, other_solver, other_option, pasted, of_more_joints],
)
def test_asked_anything_else_they_are_solved(change: Callable[[TiedFigure], TiedFigure]) -> None:
    shared = two(solid=True)
    there = after(shared, solve_together(shared))
    one, other = there.figures
    again = solve_together(replace(there, figures=(change(one), other)))
    assert again["a"].solution.iterations > 0
    assert max(r.value for r in again["a"].solution.residuals[-1:]) < 2e-3


def test_how_a_placement_rounds_is_no_change() -> None:
    shared = two(solid=True)
    there = after(shared, solve_together(shared))
    rounded = []
    for figure in there.figures:
        shown = Pose(figure.shown.root_position + np.float32(1e-6), figure.shown.rotations)
        rounded.append(replace(figure, shown=shown))
    again = solve_together(replace(there, figures=tuple(rounded)))
    assert all(answer.solution.iterations == 0 for answer in again.values())


def test_obstacles_stand_as_before_while_nobody_and_nothing_has_moved() -> None:
    other = OtherBody(BALLS, forward_kinematics(SKELETON, BASE))
    around = Obstacles(BALLS, support_people=(other,), support_things=(BOX,))
    assert around.is_placed_as(Obstacles(BALLS, support_people=(other,), support_things=(BOX,)))
    gone = OtherBody(BALLS, forward_kinematics(SKELETON, facing(BASE)))
    for changed in (
        around.with_support_people([gone]),
        around.with_support_people([]),
        replace(around, support_things=()),
        replace(around, avoids_itself=False),
    ):
        assert not changed.is_placed_as(around)
    assert not around.is_placed_as(around.with_support_people([OtherBody(replace(BALLS), other.world)]))


def test_what_was_asked_goes_with_the_solver_s_own_memory() -> None:
    answer = solve_together(two())["a"].solution
    memory = answer.memory
    assert isinstance(memory, SettledMemory)
    assert memory.with_default_pose(BASE) is memory
    assert memory.warm_start_for("dls", len(SKELETON)).pose == answer.pose
    assert memory.warm_start_for("smplik", len(SKELETON)).last_solve is None

    class Whole:
        """A rig that solvers see whole."""

        joints = len(SKELETON)

        def solver_pose(self, pose: Pose) -> Pose:
            return pose

        def solver_effectors(self, effectors: tuple[Effector, ...]) -> tuple[Effector, ...]:
            return effectors

    assert memory.for_solver_rig(Whole()) is memory.inner
    assert memory.for_own_rig(BASE) == memory.inner.for_own_rig(BASE)


def test_two_palms_that_face_the_same_way_turn_to_the_line_between_people() -> None:
    world = forward_kinematics(SKELETON, BASE)
    own = palm("left", "b", "right", facing(BASE)).at_pose(SKELETON, world)
    away = -AHEAD
    opposite = own.onto(own.target + AHEAD, -own.facing)
    half = halfway_between(opposite, own, away)
    assert isinstance(half, Contact)
    assert half.facing == pytest.approx([0, 0, -1], abs=1e-5)
    assert half.target == pytest.approx(own.target + AHEAD / 2)
    line = own.onto(own.target, away / np.linalg.norm(away))
    there = line.onto(line.target + AHEAD, line.facing)
    assert halfway_between(line, line, AHEAD).facing == pytest.approx(line.facing), "hands that have met stay"
    front = halfway_between(there, line, AHEAD)
    assert isinstance(front, Contact)
    assert abs(front.facing @ AHEAD) < 1e-6, "behind each other their arms would cross: they come from front and back"
    other = halfway_between(line.onto(line.target, AHEAD), there.onto(there.target, AHEAD), away)
    assert other.facing == pytest.approx(-front.facing), "the other one comes from the other side"
    near = own.onto(own.target, own.facing)
    found = halfway_between(near, own, away)
    assert isinstance(found, Contact)
    assert found.facing == pytest.approx(own.facing, abs=1e-5)
    wrist = position(BASE, "left_wrist")
    assert halfway_between(replace(wrist, target=wrist.target + AHEAD), wrist, away).target == pytest.approx(
        place(BASE, "left_wrist") + AHEAD / 2
    )


def test_half_way_to_a_surface_a_contact_is_turned_half_way() -> None:
    start = Contact("left_wrist", np.zeros(3), normal=np.float32([0, -1, 0]), facing=np.float32([0, 1, 0]))
    there = start.onto(np.float32([0, 0, 0.2]), np.float32([0, 0, 1]))
    half = there.partway_from(start, 0.5)
    assert half.target == pytest.approx([0, 0, 0.1])
    assert half.facing == pytest.approx([0, 0.5**0.5, 0.5**0.5])
    away = start.onto(start.target, np.float32([0, -1, 0]))
    assert not away.partway_from(start, 0.5).facing.any(), "any way, where the two face away from each other"
