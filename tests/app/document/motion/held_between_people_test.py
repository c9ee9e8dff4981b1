"""A contact with somebody else is held between keys, whatever the other one does there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations
from types import SimpleNamespace

import numpy as np
import pytest
from solved_together import solved

from app.document import edits
from app.document.edits.ordering import put_person_at
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.over_time.followed import followed, followed_first
from app.document.over_time.in_betweens import document_completed, missing
from app.document.posing.create import new_character, new_document
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.solving import with_solution
from app.document.posing.tied_groups import answers_of
from app.document.posing.touched_surfaces import skins_of
from solver.effectors.contact import Contact
from solver.effectors.kinds import LookAt, Position
from solver.effectors.resolve import Context, Figure, resolved
from solver.effectors.sources import JointSource

HOLDS = {hold.id: hold for hold in COMMON_HOLDS}
FRAMES = 21


def looked_at(document: Document, frame: int) -> Document:
    for id in ("c1", "c2"):
        document = document.at_frame(id, frame)
    return document


def two_who_touch(hold: str) -> Document:
    """Two at 0.6 m, one holding the other, who leans to one side and back again between the other's two keys."""
    document = edits.add_character(replace(new_character(new_document(), "Ben"), id="c2"))(new_document())
    first, second = document.characters
    way = first.pose.root_position - second.pose.root_position + np.float32([0, 0, 0.6])
    document = edits.chain(edits.move_character("c2", way), edits.turn_character("c2", np.pi))(document)
    for id in ("c1", "c2"):
        document = edits.set_solver(id, "dls")(edits.set_clip_length(id, FRAMES)(document))
    second = document.character("c2")
    head = replace(Position.on(skeleton_of(second), "head", joints_of(second)), id="head")
    document = edits.add_effector("c2", head)(document)
    document = solved(edits.take_hold("c1", HOLDS[hold])(document))
    for id in ("c1", "c2"):
        document = edits.set_key(id, FRAMES - 1)(document)
    middle = edits.set_key("c2", FRAMES // 2)(document).at_frame("c2", FRAMES // 2)
    (asked,) = (e for e in middle.character("c2").effectors if e.id == "head")
    leaned = edits.set_target("c2", "head", asked.target + np.float32([0.15, -0.03, 0.0]))(middle)
    answer = answers_of((leaned.character("c2"),), {})["c2"]
    return leaned.with_character(with_solution(leaned.character("c2"), answer.solution, answer.effectors))


def missed(document: Document, frame: int) -> float:
    """Metres by which the first one's contact is off the second at a frame."""
    people = looked_at(document, frame).characters
    figures = {c.id: Figure(skeleton_of(c), joints_of(c)) for c in people}
    context = Context(figures=figures, skins=skins_of(people))
    (contact,) = (e for e in people[0].effectors if isinstance(e, Contact))
    return resolved(contact, context).residual(*figures["c1"])


def test_a_hand_stays_on_a_shoulder_that_moves_between_the_keys() -> None:
    document = two_who_touch("shoulder")
    done = document_completed(document)
    heads = [joints_of(looked_at(done, f).character("c2")).positions[15] for f in (0, FRAMES // 2)]
    assert np.linalg.norm(heads[1] - heads[0]) > 0.1
    assert max(missed(done, frame) for frame in range(FRAMES)) < 2e-3


def test_a_follower_is_solved_anew_when_the_other_is_posed_anew_and_only_then() -> None:
    done = document_completed(two_who_touch("shoulder"))
    first, _ = done.actors
    assert first.clip.solved
    assert not missing(first, done.actors)
    other = edits.set_key("c2", 5)(done)
    (head,) = (e for e in other.at_frame("c2", 5).character("c2").effectors if e.id == "head")
    changed = edits.set_target("c2", "head", head.target + np.float32([0, 0, 0.05]))(other.at_frame("c2", 5))
    assert missing(changed.actors[0], changed.actors)
    renamed = edits.rename_character("c2", "Carla")(done)
    assert not missing(renamed.actors[0], renamed.actors)
    moved = edits.move_character("c2", (0.1, 0, 0))(done)
    assert missing(moved.actors[0], moved.actors)


@dataclass(frozen=True)
class Holding:
    """As much of an actor as tells whom it holds."""

    id: str
    holds: str

    @property
    def clip(self) -> SimpleNamespace:
        held = Position("left_wrist", np.zeros(3, np.float32), source=JointSource(self.holds, "head"))
        return SimpleNamespace(keys=[SimpleNamespace(effectors=(held,))])


def test_the_tenth_person_came_after_the_ninth() -> None:
    ninth, tenth = Holding("c9", "c10"), Holding("c10", "c9")
    for both in ((ninth, tenth), (tenth, ninth)):
        assert followed(tenth, both) == (ninth,)  # type: ignore[arg-type]
        assert followed(ninth, both) == ()  # type: ignore[arg-type]


def test_a_ring_is_gone_through_from_the_first_to_come_whatever_the_order_of_the_list() -> None:
    ring = Holding("c1", "c2"), Holding("c2", "c3"), Holding("c3", "c1")
    for order in permutations(ring):
        assert [actor.id for actor in followed_first(order)] == ["c3", "c2", "c1"]  # type: ignore[arg-type]


@pytest.mark.slow
def test_two_who_hold_each_other_are_put_in_another_order_and_nobody_moves_between_the_keys() -> None:
    document = two_who_touch("shoulder")
    for frame in (0, FRAMES - 1):
        document = solved(edits.take_hold("c2", HOLDS["shoulder"])(looked_at(document, frame)))
    done = document_completed(document)
    leader, follower = (done.actor(id) for id in ("c1", "c2"))
    assert [followed(actor, done.actors) for actor in (leader, follower)] == [(), (leader,)]
    swapped = put_person_at("c2", 0)(done)
    assert [actor.id for actor in swapped.actors] == ["c2", "c1"]
    assert [missing(actor, swapped.actors) for actor in swapped.actors] == [[], []]
    assert document_completed(swapped) is swapped
    without = tuple(replace(a, clip=replace(a.clip, solved=())) for a in swapped.actors)
    anew = document_completed(replace(swapped, actors=without))
    for frame in range(FRAMES):
        for id in ("c1", "c2"):
            was, now = (looked_at(each, frame).character(id).pose for each in (done, anew))
            assert now.rotations == pytest.approx(was.rotations, abs=1e-6)


def test_a_look_at_somebody_is_held_between_keys_as_the_other_leans() -> None:
    document = two_who_touch("shoulder")
    for frame in (0, FRAMES - 1):
        document = looked_at(document, frame)
        first, second = document.characters
        eyes = joints_of(second).positions[15]
        look = replace(LookAt("head", eyes, np.float32([0, 0, 1])), id="look", source=JointSource("c2", "head"))
        document = edits.add_effector("c1", look)(document)
    done = document_completed(document)
    for frame in (0, FRAMES // 2, FRAMES - 1):
        first, second = looked_at(done, frame).characters
        (look,) = (e for e in first.effectors if e.id == "look")
        assert look.target == pytest.approx(joints_of(second).positions[15], abs=2e-3)
