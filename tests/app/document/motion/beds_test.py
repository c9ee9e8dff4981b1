"""People who lie or sit on a bed, a box or a chair at one key and stand at another get up over its edge in stages."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from climbing_test import with_thing
from getting_up_test import BACK, BELLY, POSES, SEAT, SIDE, rig_in, worlds_of
from numpy.typing import NDArray
from stepping_test import animated, posed

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import entry_of, poses_of
from app.document.model.document import Document
from app.document.model.prop import MESH, Prop
from app.document.model.prop_mesh import PropMesh
from app.document.over_time.getting_up.plans import plan_between
from app.document.over_time.getting_up.seat_stages import LEANS, ON_BACK, ON_ELBOW, ON_SIDE, OffTheEdge
from app.document.over_time.getting_up.seats import Posture, Thing, edge_of, seated, things_of
from app.document.over_time.getting_up.stage_poses import Build, Frame, yielding
from app.document.over_time.getting_up.staged import with_stages
from app.document.over_time.getting_up.stages import Part
from app.document.over_time.ground import ground_beside, seats_below
from app.document.over_time.in_betweens import document_completed, missing
from app.document.over_time.standing import lifted
from app.document.posing.solving import floor_of
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.rig.roles import LEGS, Role

Array = NDArray[np.float64]
CHAIR, HEELS = "Sitting on a chair/Sit upright", "Kneeling/Sit on the heels"
TOP, SIDE_X, LAST = 0.45, 0.5, 100  # metres that a bed is high, and from its middle to its side


@cache
def on_bed(pose: str, at: int = 0, last: int = LAST, stands: float = SIDE_X + 0.22, body: str = "female") -> Document:
    """Somebody in a starting pose in the middle of a bed, the head towards -Z, at one key, who stands beside the bed at
    the other one and faces away from it. at: the pose's frame. stands: metres beside the middle."""
    document = edits.set_key("c1", last)(edits.set_clip_length("c1", last + 1)(animated(body)))
    document = with_thing(document, "box", (2.0 * SIDE_X, TOP, 2.2), (0.0, 0.0, 0.0)).at_frame("c1", last - at)
    beside = edits.place_together([document.character("c1")], (stands, 0.0, 0.0), np.pi / 2, whole=False)
    document = posed(beside(document)).at_frame("c1", at)
    document = take_pose("c1", poses_of(entry_of(POSES / f"{pose}.json")), Taking())(document)
    person = document.character("c1")
    world = forward_kinematics(rig_in(document), person.pose)
    ahead = world.positions[rig_in(document).joint(Role.NECK)] - world.positions[0]
    if pose in (SEAT, HEELS):
        ahead = -world.rotations[0][:, 2]
    turn, there = float(np.pi - np.arctan2(ahead[0], ahead[2])), np.array([0.0, TOP, 0.0])
    document = edits.place_together([person], (0.0, 0.0, 0.0), turn, whole=False)(document)
    person = document.character("c1")
    off = there - person.pose.root_position * [1.0, 0.0, 1.0]
    return edits.come_to_rest("c1")(edits.place_together([person], off, 0.0, whole=False)(document))


@cache
def on_chair(
    at: int = 0, last: int = 70, stands: float = 0.5, kind: str = "box", size: tuple[float, ...] = (0.5, 0.41, 0.5)
) -> Document:
    """Somebody who sits on a box or a chair at one key and stands before it at the other one."""
    document = edits.set_key("c1", last)(edits.set_clip_length("c1", last + 1)(animated())).at_frame("c1", last - at)
    document = posed(edits.place_together([document.character("c1")], (0.0, 0.0, stands), 0.0, whole=False)(document))
    document = take_pose("c1", poses_of(entry_of(POSES / f"{CHAIR}.json")), Taking())(document.at_frame("c1", at))
    return with_thing(document, kind, size, (0.0, 0.0, -0.11))


@cache
def onto_the_edge(pose: str = BACK) -> Document:
    """Somebody in a starting pose on a bed at one key, who sits on its edge at the other one."""
    document = on_bed(pose, last=60).at_frame("c1", 60)
    document = take_pose("c1", poses_of(entry_of(POSES / f"{CHAIR}.json")), Taking())(document)
    person = document.character("c1")
    off = np.array([SIDE_X - 0.1, person.pose.root_position[1], 0.0]) - person.pose.root_position
    return edits.place_together([person], off, 0.0, whole=False)(document)


def build_of(document: Document) -> Build:
    person = document.character("c1")
    floor = floor_of(person.body, person.shape, person.hands, person.solver_options)
    assert floor is not None
    return Build(rig_in(document), person.body, person.shape, floor)


def things_in(document: Document) -> tuple[Thing, ...]:
    actor = document.actor("c1")
    return things_of(actor, seats_below(actor, document.props), lifted(actor))


def staged(document: Document) -> list[int]:
    """The frames of the stages."""
    actor = document.actor("c1")
    keyed = {key.frame for key in actor.clip.keys}
    made = with_stages(actor, lifted(actor), None, things_in(document)).clip.keys
    return [key.frame for key in made if key.frame not in keyed]


def skins_of(document: Document, worlds: list[WorldJoints]) -> tuple[Array, NDArray[np.int64]]:
    person = document.character("c1")
    floor = floor_of(person.body, person.shape, person.hands, person.solver_options)
    assert floor is not None
    return np.array([floor.places(world) for world in worlds]), floor.carriers


@pytest.mark.slow
@pytest.mark.parametrize(("pose", "at", "body"), [(BACK, 0, "male"), (SEAT, 80, "female")])
def test_who_gets_out_of_bed_goes_over_its_edge_and_not_through_it(pose: str, at: int, body: str) -> None:
    """Legs went through the bed by 20 cm, and feet swept over the floor."""
    document = on_bed(pose, at, last=80, body=body)
    worlds, rig = worlds_of(document), rig_in(document)
    skins, carriers = skins_of(document, worlds)
    (solid,) = document.props[0].solids()
    off = np.array([solid.distances(skin) for skin in skins])
    assert off.min() > -0.025, "metres"
    assert skins[..., 1].min() > -0.004, "metres"
    places = np.array([world.positions for world in worlds], np.float64)
    assert np.linalg.norm(np.diff(places, 2, axis=0), axis=-1).max() < 0.12, "metres per frame²: nothing leaps"
    on = skins[..., 1] < 0.004
    for leg in LEGS:
        mine = np.isin(carriers, [rig.joint(leg.end), rig.joint(leg.tip)])
        steps = np.linalg.norm(np.diff(skins[:, mine], axis=0)[..., [0, 2]], axis=-1)
        assert np.where(on[1:, mine] & on[:-1, mine], steps, 0.0).max(axis=1).sum() < 0.05, leg.name


@pytest.mark.slow
def test_who_rises_from_a_chair_leans_over_feet_that_stay() -> None:
    document = on_chair()
    worlds, rig = worlds_of(document), rig_in(document)
    skins, carriers = skins_of(document, worlds)
    (solid,) = document.props[0].solids()
    seat = np.isin(carriers, [0, *(rig.joint(leg.root) for leg in LEGS)])
    gaps = np.array([solid.distances(skin[seat]).min() for skin in skins])
    rises = int(np.flatnonzero(gaps > 0.03)[0])
    trunk = worlds[rises].positions[rig.joint(Role.NECK)] - worlds[rises].positions[0]
    assert trunk[2] > 0.4 * np.linalg.norm(trunk), "they lean ahead as the seat leaves the chair"
    feet = np.array([[world.positions[rig.joint(leg.tip)] for leg in LEGS] for world in worlds[rises : rises + 8]])
    assert np.linalg.norm(np.diff(feet, axis=0), axis=-1).max() < 0.004, "metres: their feet stay meanwhile"


@pytest.mark.slow
def test_who_sits_centimetres_within_a_thin_seat_comes_out_of_it_bit_by_bit() -> None:
    """The seat pushed them up by 53 mm in the first frame."""
    document = on_chair(last=25, kind="chair", size=(0.45, 0.9, 0.45))
    hips = np.array([world.positions[0] for world in worlds_of(document)], np.float64)
    assert np.linalg.norm(np.diff(hips[:4], axis=0), axis=-1).max() < 0.01, "metres per frame"


def test_a_seat_that_is_thinner_than_somebody_is_deep_in_it_gives_way_all_the_same() -> None:
    document = on_chair(last=25, kind="chair", size=(0.45, 0.9, 0.45))
    things = tuple(solid for thing in things_in(document) for solid in thing.solids)
    sits, stands = (forward_kinematics(rig_in(document), key.pose) for key in document.actor("c1").clip.keys)
    builds = [build_of(document)._replace(things=things)] * 26
    gaps = [
        obstacles.least_gap(sits)
        for build in (builds[0], yielding(builds, (sits, stands), 30.0)[0])
        if (obstacles := build.ready().obstacles) is not None
    ]
    assert gaps[0] < -0.06, "metres, and the seat is 5 cm thick"
    assert gaps[1] > -0.002


def test_who_lies_on_a_bed_sits_on_the_edge_before_which_they_stand() -> None:
    document = on_bed(BACK)
    rig, things = rig_in(document), things_in(document)
    low, high = (forward_kinematics(rig, key.pose) for key in document.actor("c1").clip.keys)
    on = seated(rig, low, things)
    assert on is not None
    assert on.posture is Posture.BACK
    assert seated(rig, high, things) is None
    frame = edge_of(rig, low, on, things, high.positions[0].astype(np.float64))
    assert frame is not None
    np.testing.assert_allclose(frame.origin, [SIDE_X, TOP, low.positions[0, 2]], atol=0.021)
    assert np.cos(frame.yaw - np.pi / 2) > 0.999, "they face away from the bed"
    assert frame.first == 0, "and lie down to the left, where the head is"
    way = OffTheEdge.of(rig, on, frame, low, document.actor("c1").clip.keys[1].pose)
    assert way.stages[:2] == (ON_SIDE, ON_ELBOW)
    assert not way.moved, "they stand where they get up"
    far = OffTheEdge.of(rig, on, frame, low, on_bed(BACK, stands=1.6).actor("c1").clip.keys[1].pose)
    assert far.moved, "or come to stand before the bed, and walk on from there"
    build = build_of(document)
    assert build.beneath(low.positions).max() == 0.0, "without things there is the floor"
    ((there, bears),) = far.made([build], [Part(None, 4, 0.8)])
    assert not bears
    assert np.abs(there.root_position - [SIDE_X + 0.2, there.root_position[1], 0.0]).max() < 0.1, "metres"


def test_who_lies_on_the_side_and_faces_away_rolls_over_the_back() -> None:
    document = on_bed(SIDE)
    rig, things, (one, other) = rig_in(document), things_in(document), document.actor("c1").clip.keys
    low = forward_kinematics(rig, one.pose)
    on = seated(rig, low, things)
    assert on is not None
    faces = float(np.sign(low.rotations[0][0, 2]))
    for side, stages in ((faces, (ON_SIDE, ON_ELBOW)), (-faces, (ON_BACK, ON_SIDE, ON_ELBOW))):
        frame = edge_of(rig, low, on, things, np.array([2.0 * side, 0.9, 0.0]))
        assert frame is not None
        assert OffTheEdge.of(rig, on, frame, low, other.pose).stages[: len(stages)] == stages


@pytest.mark.slow
@pytest.mark.parametrize(("pose", "stages"), [(BACK, 2), (SEAT, 1)])
def test_from_lying_to_sitting_on_the_edge_there_are_the_stages_between(pose: str, stages: int) -> None:
    document = onto_the_edge(pose)
    assert len(staged(document)) == stages
    places = np.array([world.positions for world in worlds_of(document)], np.float64)
    assert np.linalg.norm(np.diff(places, 2, axis=0), axis=-1).max() < 0.12, "metres per frame²: nothing leaps"


@pytest.mark.slow
def test_who_gets_up_onto_a_board_beside_the_bed_has_no_feet_in_it() -> None:
    document = with_thing(on_bed(BACK, last=60).at_frame("c1", 60), "box", (0.8, 0.07, 2.2), (SIDE_X + 0.42, 0.0, 0.0))
    document = edits.place_together([document.character("c1")], (0.0, 0.07, 0.0), 0.0, whole=False)(document)
    worlds = worlds_of(document)
    skins, _ = skins_of(document, worlds)
    assert skins[..., 1].min() > 0.06, "metres"
    places = np.array([world.positions for world in worlds], np.float64)
    assert np.linalg.norm(np.diff(places, 2, axis=0), axis=-1).max() < 0.12, "metres per frame²: nothing leaps"


def test_nobody_lies_on_a_mesh_that_is_open() -> None:
    document = on_bed(BACK)
    actor, bed = document.actor("c1"), document.props[0]
    sheet = Prop("p2", "Sheet", MESH, bed.size, mesh=PropMesh(np.eye(3), np.array([[0, 1, 2]])))
    assert things_of(actor, (sheet, bed), lifted(actor)) == things_in(document)


def test_nobody_gets_up_where_there_is_no_room() -> None:
    document = on_bed(BACK)
    wall = with_thing(document, "box", (0.1, 2.0, 3.0), (SIDE_X + 0.3, 0.0, 0.0))
    rig, things = rig_in(document), things_in(document)
    low, high = (forward_kinematics(rig, key.pose) for key in document.actor("c1").clip.keys)
    on = seated(rig, low, things)
    assert on is not None
    beside = things_of(wall.actor("c1"), wall.props, lifted(wall.actor("c1")))
    other = edge_of(rig, low, on, beside, high.positions[0].astype(np.float64))
    assert other is not None
    assert other.origin[0] < 0.0, "they take the other side"
    wide = Thing((replace(things[0].solids[0], size=np.array([9.0, TOP, 9.0], np.float32)),), 0.0)
    assert edge_of(rig, low, on, (wide,), high.positions[0].astype(np.float64)) is None
    lies, up = (key.pose for key in document.actor("c1").clip.keys)
    assert plan_between(build_of(document), (lies, up), (wide,)) is None
    sits = onto_the_edge().actor("c1").clip.keys[1].pose
    assert plan_between(build_of(document), (lies, sits), things) is not None, "they sit down on the edge"
    assert plan_between(build_of(document), (lies, sits), beside) is None, "but for a wall before it"


def test_from_a_chair_onto_the_floor_there_are_no_stages() -> None:
    document = on_chair()
    lies = take_pose("c1", poses_of(entry_of(POSES / f"{BACK}.json")), Taking())(document.at_frame("c1", 70))
    assert staged(lies) == []


@pytest.mark.parametrize(
    ("pose", "posture"),
    [
        (BELLY, Posture.BELLY),
        (SIDE, Posture.SIDE),
        (SEAT, Posture.LEGS_UP),
        (HEELS, None),
        ("Crawling/All fours", None),
    ],
)
def test_how_people_get_up_goes_by_how_they_are_on_it(pose: str, posture: Posture | None) -> None:
    document = on_bed(pose)
    on = seated(
        rig_in(document),
        forward_kinematics(rig_in(document), document.actor("c1").clip.keys[0].pose),
        things_in(document),
    )
    assert (on and on.posture) == posture


def test_with_one_leg_over_the_edge_one_neither_sits_nor_lies_on_it() -> None:
    document = on_bed(SEAT)
    rig, things = rig_in(document), things_in(document)
    world = forward_kinematics(rig, document.actor("c1").clip.keys[0].pose)
    places = np.array(world.positions)
    places[rig.joint(LEGS[0].end), 1] = 0.1
    assert seated(rig, world, things) is not None
    assert seated(rig, world._replace(positions=places), things) is None


def test_who_sits_on_a_chair_draws_their_feet_in_and_leans() -> None:
    document = on_chair()
    rig, things, (one, other) = rig_in(document), things_in(document), document.actor("c1").clip.keys
    low = forward_kinematics(rig, one.pose)
    on = seated(rig, low, things)
    assert on is not None
    assert on.posture is Posture.SITS
    frame = edge_of(rig, low, on, things, np.array([0.0, 0.9, 2.0]))
    assert isinstance(frame, Frame)
    way = OffTheEdge.of(rig, on, frame, low, other.pose)
    assert [stage.name for stage in way.stages][:2] == ["draws one foot in", "draws the feet in"]
    assert way.stages[2].name == LEANS.name
    none = OffTheEdge.of(rig, on, frame, low, None)
    assert none.stages == (), "who sits at both keys stays there"


def test_where_there_is_no_time_they_go_as_the_joints_do() -> None:
    assert staged(on_bed(BACK, last=8)) == []


def test_a_bed_that_is_moved_or_goes_by_itself_is_another_matter() -> None:
    document = on_chair(last=12)
    assert ground_beside(document.actor("c1"), document.props)
    done = document_completed(document)
    assert not missing(done.actor("c1"), done.actors, done.props)
    prop = done.props[0]
    there = replace(done, props=(replace(prop, place=prop.place + np.array([0.0, 0.0, 0.05], np.float32)),))
    assert missing(there.actor("c1"), there.actors, there.props), "they are solved anew"
    gone = replace(document, props=(replace(prop, visible=False),))
    assert seats_below(gone.actor("c1"), gone.props) == []
