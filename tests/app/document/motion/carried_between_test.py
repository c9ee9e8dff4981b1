"""What somebody carries goes with their body between keys."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from window_driver import settled, until

from app.document import edits
from app.document.edits.props import new_prop
from app.document.edits.world_contacts import carrying, world_contacts
from app.document.model.clip import JOINTS
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.model.prop import Prop
from app.document.model.prop_clip import PropClip, PropKey
from app.document.over_time.carried_ways import with_carried_ways
from app.document.over_time.followed import Following
from app.document.over_time.thrown import flight
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.document.posing.create import new_character, new_document
from app.document.posing.hold_table import PALMS
from app.services.background.in_betweens import InBetweens
from app.services.background.jobs import Jobs
from app.services.clock import frames_at
from app.services.session import Session
from app.services.solve_service import SolveService
from scripts.contacts.held_between_keys import WAYS, measured
from solver.effectors.kinds import LookAt
from solver.effectors.sources import PropSource
from solver.kinematics.pose import pose_moved
from solver.kinematics.rotations import geodesic_angle
from solver.rig.roles import Role

LAST, MIDDLE = 40, 20
CORNERS = np.array([[-0.5, 0.0, -0.5], [0.5, 1.0, 0.5], [0.5, 0.0, -0.5]])
ALONG_FLOOR = np.array([1.0, 0.0, 1.0])
SIDES = (0.5, -0.5)  # of the box, that palms are on


def held(document: Document, id: str = "c1") -> Document:
    """Somebody with both palms on the sides of the box, as far as contacts say: nothing is solved."""
    box = document.prop("p1")
    for patch, side in zip(PALMS, SIDES, strict=True):
        facing = 2.0 * side * np.array([1.0, 0.0, 0.0])
        made = contact_of(patches_of(document.character(id))[patch], box.frame.points((side, 0.5, 0.0)), facing)
        source = PropSource(box.id, np.array([side, 0.0, 0.0]), facing)
        document = edits.hold(id, replace(made, source=source))(document)
    return document


def before_a_box(last: int = LAST) -> Document:
    document = edits.set_clip_length("c1", last + 1)(edits.set_solver("c1", "dls")(new_document()))
    x, y, z = document.characters[0].pose.root_position.tolist()
    box = replace(new_prop(document, "box"), size=np.array([0.3, 0.2, 0.2]), place=np.array([x, y + 0.1, z + 0.35]))
    return held(edits.add_prop(box)(document))


def looked_at(document: Document, frame: int) -> Document:
    return document.at(frames_at(document, frame / 30.0))


def moved(document: Document, by: tuple[float, float, float], turn: float, frame: int = LAST) -> Document:
    """The person moved and turned by the cross at a frame, with what they carry."""
    there = looked_at(document, frame)
    start = there.character("c1")
    return carrying([start], world_contacts(there, ["c1"]), edits.place_together([start], by, turn, whole=False))(there)


def with_ways(document: Document) -> Document:
    return replace(document, props=with_carried_ways(document.props, document.actors))


def bare(document: Document) -> Document:
    return replace(document, props=tuple(each.with_ways(()) for each in document.props))


def ahead(document: Document, frame: int) -> np.ndarray:
    """(3,) metres along the floor from the pelvis, as keys alone have it, to the middle of the box."""
    there = looked_at(document, frame)
    return (there.prop("p1").middle - joints_of(there.character("c1")).positions[0]) * ALONG_FLOOR


def test_a_box_goes_round_with_somebody_who_turns_about() -> None:
    turned = moved(before_a_box(), (0.0, 0.0, 0.0), np.pi)
    assert np.linalg.norm(ahead(turned, MIDDLE)) < 0.05, "by its own keys alone it goes through them"
    done = with_ways(turned)
    away = [float(np.linalg.norm(ahead(done, frame))) for frame in range(LAST + 1)]
    assert away == pytest.approx([away[0]] * (LAST + 1), abs=0.01)
    steps = np.diff([looked_at(done, frame).prop("p1").middle for frame in range(LAST + 1)], axis=0)
    assert np.linalg.norm(steps, axis=1).max() < 0.05, "without a jump beside a key"


def test_a_box_keeps_to_the_bend_that_its_bearer_walks_in() -> None:
    bent = moved(before_a_box(), (1.2, 0.0, 1.4), 1.4)
    straight, along = (each.prop("p1").at(MIDDLE).middle for each in (bent, with_ways(bent)))
    assert np.linalg.norm(along - straight) > 0.15


def test_a_box_goes_on_through_a_key_at_which_its_bearer_walks_on() -> None:
    once = moved(before_a_box(2 * LAST), (0.0, 0.0, 1.0), 0.3)
    twice = with_ways(moved(once, (0.0, 0.0, 1.0), 0.3, 2 * LAST))
    middles = np.array([looked_at(twice, frame).prop("p1").middle for frame in range(2 * LAST + 1)])
    speeds = np.linalg.norm(np.diff(middles, axis=0), axis=1)
    assert speeds[LAST - 3 : LAST + 3].min() > 0.01, "metres a frame; it does not stop there"
    assert np.linalg.norm(np.diff(middles, 2, axis=0), axis=1).max() < 0.01


def test_a_way_is_found_once_and_not_shown_with_other_keys_of_the_thing() -> None:
    done = with_ways(moved(before_a_box(), (0.0, 0.0, 0.0), np.pi))
    assert with_ways(done).props[0] is done.props[0]
    other = edits.move_prop("p1", (0.0, 0.3, 0.0))(looked_at(done, LAST))
    assert looked_at(other, MIDDLE).prop("p1") == looked_at(bare(other), MIDDLE).prop("p1")
    again = with_ways(other)
    assert again.props[0] is not other.props[0]
    assert looked_at(again, MIDDLE).prop("p1") != looked_at(other, MIDDLE).prop("p1")


def test_where_its_bearer_has_a_key_on_the_way_a_box_is_where_the_hands_have_it() -> None:
    done = with_ways(moved(before_a_box(), (0.0, 0.0, 0.0), np.pi))
    there = looked_at(edits.set_key("c1", MIDDLE)(looked_at(done, MIDDLE)), MIDDLE)
    was = there.prop("p1").middle
    higher = edits.move_character("c1", (0.0, 0.1, 0.0))(there)
    again, same = (looked_at(with_ways(each), MIDDLE).prop("p1").middle for each in (higher, there))
    assert again - same == pytest.approx([0.0, 0.1, 0.0], abs=1e-3)
    assert np.linalg.norm(same - was) < 0.5, "no further than hands that have not been brought onto it"


def test_nobody_leads_what_two_people_carry_nor_what_stays_in_place_or_is_locked() -> None:
    turned = moved(before_a_box(), (0.0, 0.0, 0.0), 2.0)
    assert with_ways(turned).prop("p1").clip.ways  # type: ignore[union-attr]
    locked = edits.set_prop_locked("p1", True)(turned)
    assert not with_ways(locked).prop("p1").clip.ways  # type: ignore[union-attr]
    other = replace(turned.actors[0], identity=replace(turned.actors[0].identity, id="c2"))
    both = replace(turned, actors=(*turned.actors, other))
    assert not with_ways(both).prop("p1").clip.ways  # type: ignore[union-attr]
    stays = edits.set_prop_key("p1", LAST)(looked_at(edits.animate_prop("p1", LAST + 1)(before_a_box()), LAST))
    stays = edits.set_key("c1", LAST)(stays)
    assert not with_ways(stays).prop("p1").clip.ways  # type: ignore[union-attr]


@pytest.mark.parametrize("turn", [np.pi, -np.pi])
def test_a_plate_under_somebody_turns_to_their_side_by_half_a_turn(turn: float) -> None:
    document = edits.set_clip_length("c1", LAST + 1)(new_document())
    document = edits.add_prop(new_prop(document, "plane"))(document)
    sole = patches_of(document.characters[0])["left_sole"]
    made = contact_of(sole, np.zeros(3), UP)
    document = edits.hold("c1", replace(made, source=PropSource("p1", np.zeros(3), UP)))(document)
    there = looked_at(document, LAST)
    start = there.character("c1")
    along = world_contacts(there, ["c1"], props=[there.prop("p1")])
    placed = edits.place_together([start], (0.0, 0.0, 0.0), turn, whole=False)
    quarter = looked_at(with_ways(carrying([start], along, placed)(there)), MIDDLE)
    body = quarter.character("c1").pose.rotations[0]
    assert geodesic_angle(quarter.prop("p1").turn, body) < 0.3


def thrown(by: tuple[float, float, float]) -> Document:
    """A box that is raised until the middle, and is elsewhere with both hands off it at the end."""
    raised = moved(before_a_box(), (0.0, 0.0, 0.2), 0.0, MIDDLE)
    there = looked_at(raised, LAST)
    contacts = [e.id for e in there.character("c1").effectors if isinstance(e.source, PropSource)]
    return edits.move_prop("p1", by)(edits.let_go("c1", contacts)(there))


def test_a_box_that_is_let_go_of_far_away_flies_and_the_hands_go_through_the_release() -> None:
    done = with_ways(thrown((0.0, -0.9, 2.5)))
    middles = np.array([looked_at(done, frame).prop("p1").middle for frame in range(LAST + 1)])
    falls = 900.0 * np.diff(middles[MIDDLE:], 2, axis=0)
    assert falls == pytest.approx(np.tile([0.0, -9.81, 0.0], (len(falls), 1)), abs=0.1), "m/s²"
    arrives = np.linalg.norm(middles[MIDDLE] - middles[MIDDLE - 1])
    actor, still = done.actor("c1"), replace(done.actor("c1").clip.keys[1].effectors[0], source=None)
    following = Following(actor, (), done.props)
    goes = [following.aimed(still, frame).target for frame in range(MIDDLE, LAST + 1)]
    leaves = np.linalg.norm(goes[1] - goes[0])
    assert leaves == pytest.approx(arrives, rel=0.4), "metres a frame, before and after"
    assert leaves > 0.02
    assert goes[-1] == pytest.approx(goes[0], abs=1e-6), "at the next key they are as posed"
    assert with_ways(done).props[0] is done.props[0]


@pytest.mark.parametrize(("last", "most"), [(LAST, 1.3), (LAST + 60, 1.7)])
def test_what_is_caught_late_is_thrown_no_higher_than_a_lob(last: int, most: float) -> None:
    document = thrown((0.0, -0.9, 2.5))
    actor, prop = document.actor("c1"), document.prop("p1")
    assert prop.clip is not None
    (_, a, _), (_, held, off) = prop.clip.keys, actor.clip.keys
    b = replace(a, frame=last, place=a.place + np.float32([0.0, 0.0, 0.4]))
    keys = (held, replace(off, frame=MIDDLE + 5), replace(held, frame=last))
    thing = replace(prop, clip=replace(prop.clip, keys=(a, b)))
    flies = flight(thing, a, b, [replace(actor, clip=replace(actor.clip, keys=keys, frames=last + 1))])
    assert flies is not None
    assert len(flies.places) == last - MIDDLE - 1
    assert 0.05 < flies.places[:, 1].max() - a.place[1] < most


def test_a_box_that_is_put_down_beside_the_hands_does_not_fly() -> None:
    done = with_ways(thrown((0.0, -0.15, 0.1)))
    middles = np.array([looked_at(done, frame).prop("p1").middle for frame in range(MIDDLE, LAST + 1)])
    assert np.abs(np.diff(middles, 2, axis=0)[:, 1]).max() < 9.81 / 900.0 / 2.0


def test_a_box_that_is_taken_up_where_it_was_put_down_stays_there_meanwhile() -> None:
    left = looked_at(thrown((0.0, 0.0, 0.1)), LAST)
    start = left.character("c1")
    far = edits.place_together([start], (0.0, 0.0, -2.0), 0.0, whole=False)(left)
    stays = edits.move_prop("p1", (0.0, 0.0, -0.1))(far)
    done = with_ways(held(edits.add_character(new_character(stays, pose=start.pose))(stays), "c2"))
    heights = [looked_at(done, frame).prop("p1").middle[1] for frame in range(MIDDLE, LAST + 1)]
    assert np.ptp(heights) < 1e-6


def test_who_looks_at_a_box_that_flies_follows_it_with_their_eyes() -> None:
    done = with_ways(thrown((0.0, -0.9, 2.5)))
    at_box = PropSource("p1", np.zeros(3, np.float32), np.array([0.0, 0.0, 1.0], np.float32))
    look = replace(LookAt(Role.HEAD, done.prop("p1").middle), source=at_box)
    following = Following(done.actor("c1"), (), done.props)
    for frame in range(MIDDLE, LAST + 1):
        box = looked_at(done, frame).prop("p1")
        assert following.aimed(look, frame).target == pytest.approx(box.middle, abs=1e-5)


@pytest.mark.slow
@pytest.mark.usefixtures("compiled_solver", "qapp", "no_leaked_threads")
def test_ways_come_with_the_frames_between_keys_and_go_with_an_undo() -> None:
    session, jobs = Session(SolveService()), Jobs()
    in_betweens = InBetweens(session, jobs)
    session.service.start()

    def ways() -> int:
        clip = session.history.document.prop("p1").clip
        return 0 if clip is None else len(clip.ways)

    try:
        session.open(before_a_box())
        session.look_at_time(LAST / 30.0)
        assert session.edit("Turn", lambda document: moved(document, (0.0, 0.0, 0.0), np.pi))
        settled(session)
        until(lambda: not jobs.busy and not in_betweens.missing("c1") and ways() == 1)
        assert not in_betweens.missing("c1")
        assert session.undo()
        assert ways() == 0
    finally:
        in_betweens.stop()
        jobs.stop()
        session.service.stop()


@pytest.mark.slow
@pytest.mark.usefixtures("compiled_solver")
def test_an_arm_that_lowers_a_cup_from_the_forehead_to_the_knee_does_not_turn_over() -> None:
    lowered = measured(WAYS["cup, high to low"]("neutral", "dls"))
    assert lowered.elbow < 45.0, "degrees in a frame; 84 where it goes straight past the shoulder"
    assert lowered.jerk < 4000.0, "m/s³, likewise 9,600"


@pytest.mark.usefixtures("qapp", "no_leaked_threads")
def test_what_nobody_carries_any_more_goes_its_own_way_again() -> None:
    done = with_ways(moved(before_a_box(), (0.0, 0.0, 0.0), 2.0))
    (bearer,) = done.actors
    by_joints = replace(bearer, clip=replace(bearer.clip, between=replace(bearer.clip.between, by=JOINTS)))
    session, jobs = Session(SolveService()), Jobs()
    in_betweens = InBetweens(session, jobs, automatic=False)
    for left in ((by_joints,), ()):
        session.open(replace(done, actors=left))
        in_betweens.look()
        assert not session.history.document.prop("p1").clip.ways  # type: ignore[union-attr]
    jobs.stop()


def test_what_two_people_carry_by_now_no_longer_goes_the_way_of_the_first_one() -> None:
    def found(document: Document) -> np.ndarray:
        return np.concatenate([looked_at(document, frame).prop("p1").frame.points(CORNERS) for frame in range(LAST)])

    alone = with_ways(moved(before_a_box(), (0.0, 0.0, 0.0), np.pi))
    other = replace(alone.actors[0], identity=replace(alone.actors[0].identity, id="c2"))
    both = replace(alone, actors=(*alone.actors, other))
    assert found(with_ways(both)) == pytest.approx(found(with_ways(bare(both))))


def test_a_way_is_found_anew_once_its_bearer_is_elsewhere_at_the_key_before_it() -> None:
    once = moved(before_a_box(2 * LAST), (0.0, 0.0, 0.0), 0.0)
    for frame in (10, 20, 30, LAST, 2 * LAST):
        once = edits.set_key("c1", frame)(looked_at(once, frame))
    clip, keys = once.props[0].clip or PropClip((PropKey(0, *once.props[0].key_at(0).spot),)), once.actors[0].clip.keys
    for number, frame in enumerate((LAST, 2 * LAST)):
        clip = clip.with_key(
            replace(clip.keys[0], frame=frame, place=clip.keys[0].place + np.float32([0.2 + 0.2 * number, 0, 0]))
        )
    done = with_ways(replace(once, props=(replace(once.props[0], clip=clip),)))
    aside = replace(keys[0], pose=pose_moved(keys[0].pose, np.array([0.15, 0.0, 0.0])))
    actor = replace(done.actors[0], clip=done.actors[0].clip.with_key(aside))
    changed = replace(done, actors=(actor,))
    late, anew = (with_ways(each).props[0].at(LAST + 10).middle for each in (changed, bare(changed)))
    assert late == pytest.approx(anew)
    assert late != pytest.approx(done.props[0].at(LAST + 10).middle, abs=1e-3), "it does depend on that key"


def test_a_thing_that_stands_still_has_no_ways() -> None:
    thing = Prop("p1", "Box", "box", np.ones(3, np.float32))
    assert thing.with_ways(()) is thing
