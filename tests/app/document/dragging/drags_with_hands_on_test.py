"""A body with hands lying on itself follows a drag however fast it is, and is as before once the drag is back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.posing.contact_patches import UP, contact_of, on_patch, patches_of
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.solving import with_solution
from app.document.posing.sources import context_of
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import answers_of
from app.document.posing.touched_surfaces import props_of
from solver.effectors.effector import Effector
from solver.effectors.resolve import resolved
from solver.effectors.sources import PropSource
from solver.ik.memory import DragStart, Memory, SettledMemory
from solver.ik.multi_solve.only_limb import only_arms
from solver.ik.multi_solve.self_ties import with_carried_targets
from solver.ik.problem import Residual
from solver.kinematics.rigid_motion import RigidMotion

HOLDS = {hold.id: hold for hold in COMMON_HOLDS}
MET = 1e-3  # metres


class Posed:
    """The only person of a scene, solved after every edit."""

    def __init__(self, solver: str) -> None:
        self.document: Document = edits.set_solver("c1", solver)(new_document())
        self.memories: dict[str, Memory] = {}
        self.left: dict[str, Residual] = {}

    def edit(self, *changes: Edit, by_arms: bool = False) -> None:
        person = self.document.characters[0]
        stays = {"c1": only_arms(skeleton_of(person), person.pose)} if by_arms else {}
        self.document = edits.chain(*changes)(self.document)
        (person,), props = self.document.characters, props_of(self.document)
        surroundings = surroundings_of(self.document, [person])
        answer = answers_of((person,), self.memories, holds=stays, surroundings=surroundings, props=props)["c1"]
        self.memories["c1"] = answer.solution.memory
        told = zip(answer.effectors, answer.solution.residuals, strict=True)
        self.left = {f"{effector.joint} {effector.kind}": left for effector, left in told if effector.is_active}
        self.document = self.document.with_character(with_solution(person, answer.solution, answer.effectors))

    def effector(self, joint: str) -> Effector:
        return next(e for e in self.document.characters[0].effectors if e.joint == joint)

    def places(self) -> np.ndarray:
        return joints_of(self.document.characters[0]).positions.astype(float)

    def drag(self, by: np.ndarray, joint: str = "pelvis") -> None:
        handle = next(e for e in self.document.characters[0].effectors if (e.joint, e.kind) == (joint, "position"))
        self.edit(edits.set_target("c1", handle.id, handle.target + by))

    def begun(self) -> DragStart:
        """Where the drag under way began."""
        memory = self.memories["c1"]
        assert isinstance(memory, SettledMemory)
        assert memory.drag_start is not None
        return memory.drag_start

    def held(self) -> float:
        """Metres by which the worst contact is missed, and the pelvis."""
        return max(left.value for name, left in self.left.items() if "contact" in name or "pelvis" in name)

    def sit(self) -> None:
        """On a box behind, with the palms on the thighs."""
        person = self.document.characters[0]
        x, _, z = person.pose.root_position.tolist()
        box = replace(new_prop(self.document, "box"), place=np.array([x, 0.0, z - 0.45]))
        seat = contact_of(patches_of(person)["seat"], box.frame.points((0.0, 1.0, 0.2)), UP)
        seat = replace(seat, source=PropSource(box.id, np.array([0.0, 0.5, 0.2]), UP))
        self.edit(add_prop(box), edits.hold("c1", seat))
        for side in ("left", "right"):
            self.edit(edits.open_hand("c1", f"{side}_palm"))
            source, place, normal = on_patch(self.document.characters[0], f"{side}_thigh")
            palm = contact_of(patches_of(self.document.characters[0])[f"{side}_palm"], place, normal)
            self.edit(edits.hold("c1", replace(palm, source=source)))


@pytest.mark.sweep
@pytest.mark.parametrize("solver", ["dls", "smplik"])
@pytest.mark.parametrize("far", [0.05, 0.2])
def test_a_person_with_hands_on_the_thighs_gets_up_at_once(solver: str, far: float) -> None:
    posed = Posed(solver)
    posed.sit()
    posed.edit(edits.let_go("c1", [posed.effector("pelvis").id]))
    posed.drag(far * np.array([0.0, 0.8, 0.6]))
    assert posed.held() < MET


@pytest.mark.sweep("smplik")
@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_a_person_with_hands_on_the_thighs_goes_where_the_seat_goes_at_once(solver: str) -> None:
    posed = Posed(solver)
    posed.sit()
    before = posed.places()[0]
    (box,) = posed.document.props
    posed.document = replace(posed.document, props=(replace(box, place=box.place + [0.0, 0.15, -0.1]),))
    posed.edit()
    assert posed.held() < MET
    assert posed.places()[0] - before == pytest.approx([0.0, 0.15, -0.1], abs=0.02)


@pytest.mark.sweep
@pytest.mark.parametrize("solver", ["dls", "smplik"])
@pytest.mark.parametrize("hold", ["crossed", "behind_head"])
def test_arms_that_are_crossed_or_behind_the_head_go_along(hold: str, solver: str) -> None:
    posed = Posed(solver)
    posed.edit(edits.take_hold("c1", HOLDS[hold]))
    posed.edit(edits.add_effector("c1", new_effector(posed.document.characters[0], "position", "pelvis")))
    for way in (-1.0, 1.0):
        posed.drag(way * np.array([0.05, 0.1, 0.05]))
        assert posed.held() < MET


@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_a_person_with_hands_behind_the_head_is_as_before_once_the_pelvis_is_back(solver: str) -> None:
    posed = Posed(solver)
    posed.edit(edits.take_hold("c1", HOLDS["behind_head"]))
    posed.edit(edits.add_effector("c1", new_effector(posed.document.characters[0], "position", "pelvis")))
    before = posed.places()
    for way in (*[-1.0] * 12, *[1.0] * 12):
        posed.drag(way * np.array([0.006, 0.01, 0.006]))
    assert np.linalg.norm(posed.places() - before, axis=1).max() < 0.015


@pytest.mark.sweep("hips-head-dls")
@pytest.mark.parametrize("solver", ["dls", "smplik"])
@pytest.mark.parametrize(("hold", "joint"), [("hips", "head"), ("hips", "spine3"), ("crossed", "pelvis")])
def test_a_drag_that_comes_back_leaves_the_body_as_it_was(hold: str, joint: str, solver: str) -> None:
    posed = Posed(solver)
    posed.edit(edits.take_hold("c1", HOLDS[hold]))
    posed.edit(edits.add_effector("c1", new_effector(posed.document.characters[0], "position", joint)))
    before = posed.places()
    for way in (*[1.0] * 15, *[-1.0] * 15):
        shown = posed.places()
        posed.drag(way * np.array([0.004, -0.01, 0.009]), joint)
        assert np.linalg.norm(posed.places() - shown, axis=1).max() < 0.06, "nor does it go there at once"
    assert np.linalg.norm(posed.places() - before, axis=1).max() < 0.01


@pytest.mark.sweep
@pytest.mark.parametrize("solver", ["dls", "smplik"])
@pytest.mark.parametrize("hold", ["hips", "crossed", "behind_head"])
def test_a_body_whose_arms_alone_took_a_hold_stays_as_it_is_when_a_drag_begins(hold: str, solver: str) -> None:
    posed = Posed(solver)
    posed.edit(edits.take_hold("c1", HOLDS[hold]), by_arms=True)
    before = posed.places()
    posed.edit(edits.add_effector("c1", new_effector(posed.document.characters[0], "position", "pelvis")))
    posed.drag(np.array([0.0, 1e-4, 0.0]))
    assert np.linalg.norm(posed.places() - before, axis=1).max() < 0.01
    assert posed.held() < MET


def test_a_drag_of_something_else_begins_where_the_last_one_has_left_the_body() -> None:
    posed = Posed("dls")
    posed.edit(edits.take_hold("c1", HOLDS["hips"]))
    for joint in ("head", "pelvis"):
        posed.edit(edits.add_effector("c1", new_effector(posed.document.characters[0], "position", joint)))
    first = posed.document.characters[0].pose
    for _ in range(3):
        posed.drag(np.array([0.0, -0.02, 0.05]), "head")
    begun = posed.begun()
    assert begun.pose == first
    assert begun.went_far
    second = posed.document.characters[0].pose
    posed.drag(np.array([0.0, -0.02, 0.0]), "pelvis")
    begun = posed.begun()
    assert begun.pose == second
    assert not begun.went_far
    assert [effector.joint for effector in begun.dragged] == ["pelvis"]


@pytest.mark.parametrize(("by", "goes"), [(0.01, 0.01), (0.2, 0.0)])
def test_a_first_round_reaches_for_where_a_small_drag_takes_the_hips(by: float, goes: float) -> None:
    posed = Posed("dls")
    posed.edit(edits.take_hold("c1", HOLDS["hips"]))
    posed.edit(edits.add_effector("c1", new_effector(posed.document.characters[0], "position", "pelvis")))
    context = context_of(posed.document)
    before = tuple(resolved(e, context) for e in posed.document.characters[0].effectors)
    pulled = tuple(e.moved_by(RigidMotion.move([by, 0.0, 0.0])) if e.joint == "pelvis" else e for e in before)
    after = with_carried_targets("c1", pulled, context)
    palms = [(was, now) for was, now in zip(pulled, after, strict=True) if was.kind == "contact"]
    assert len(palms) == 2
    for was, now in palms:
        assert now.target - was.target == pytest.approx([goes, 0.0, 0.0], abs=1e-4)
    others = [(was, now) for was, now in zip(pulled, after, strict=True) if was.kind != "contact"]
    assert all(now is was for was, now in others)


def test_what_a_joint_out_of_reach_carries_goes_no_further_than_its_target_has_moved() -> None:
    posed = Posed("dls")
    posed.edit(edits.take_hold("c1", HOLDS["hips"]))
    posed.edit(edits.add_effector("c1", new_effector(posed.document.characters[0], "position", "pelvis")))
    context = context_of(posed.document)
    shown = tuple(resolved(e, context) for e in posed.document.characters[0].effectors)

    def pulled(by: float) -> tuple[Effector, ...]:
        return tuple(e.moved_by(RigidMotion.move([by, 0.0, 0.0])) if e.joint == "pelvis" else e for e in shown)

    for now, went in ((0.03, 0.01), (0.01, 0.01), (0.0, 0.0)):
        after = with_carried_targets("c1", pulled(now), context, pulled(0.02))
        palms = [(was, there) for was, there in zip(shown, after, strict=True) if was.kind == "contact"]
        for was, there in palms:
            assert abs(there.target[0] - was.target[0]) == pytest.approx(went, abs=1e-4)
