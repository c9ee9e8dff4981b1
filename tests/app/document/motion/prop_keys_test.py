"""Props with keys: where they are over time, when a key is made, and what edits do with keys."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from copies import copy_of_prop

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.document import Document
from app.document.model.prop import Prop
from app.document.model.prop_clip import PropClip, PropKey
from app.document.posing.create import new_document
from app.film.film import Film, images_of, shots
from app.services.clock import clock_of, frames_at, length_s
from app.services.session import Session
from app.services.solve_service import SolveService
from rendering.camera.camera import OrbitCamera
from solver.errors import PoserError
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle

UP = np.array([0.0, 1.0, 0.0])
FRAMES = 101


def looked_at(document: Document, frame: int) -> Document:
    return document.at(frames_at(document, frame / 30.0))


def place(document: Document, frame: int, id: str = "p1") -> np.ndarray:
    return looked_at(document, frame).prop(id).place


def keys_of(document: Document, id: str = "p1") -> list[int]:
    clip = document.prop(id).clip
    return [key.frame for key in clip.keys] if clip is not None else []


@pytest.fixture
def scene() -> Document:
    """Somebody with 101 frames beside a box that stands still at the origin."""
    document = edits.set_clip_length("c1", FRAMES)(new_document())
    document = edits.add_prop(new_prop(document, "box"))(document)
    return edits.set_prop_place("p1", (0.0, 0.0, 0.0))(document)


@pytest.fixture
def thrown(scene: Document) -> Document:
    """The box with keys at frames 20 and 60: a metre on along X, and turned by a right angle."""
    scene = edits.set_prop_key("p1", 20, FRAMES)(looked_at(scene, 20))
    there = looked_at(scene, 60)
    turned = edits.set_prop_turn("p1", from_rotation_vector(UP * np.pi / 2))
    return edits.chain(edits.move_prop("p1", (1, 0, 0)), turned)(there)


def test_a_prop_goes_smoothly_from_key_to_key_and_stays_before_and_after(thrown: Document) -> None:
    assert keys_of(thrown) == [20, 60]
    assert [place(thrown, frame)[0] for frame in (0, 20, 40, 60, 100)] == pytest.approx([0, 0, 0.5, 1, 1])
    way = np.array([place(thrown, frame)[0] for frame in range(20, 61)])
    assert np.diff(way).min() > 0
    assert np.diff(way).max() < 0.04, "no jump"
    middle = looked_at(thrown, 40).prop("p1")
    assert geodesic_angle(np.eye(3), middle.turn) == pytest.approx(np.pi / 4, abs=1e-5)
    assert middle.size == pytest.approx(thrown.prop("p1").size)


def test_a_prop_without_keys_is_moved_throughout_and_gets_none(scene: Document) -> None:
    moved = edits.move_prop("p1", (1, 0, 0))(looked_at(scene, 40))
    assert keys_of(moved) == []
    assert [place(moved, frame)[0] for frame in (0, 40, 90)] == [1, 1, 1]


@pytest.mark.parametrize(
    "change",
    [
        lambda prop: edits.move_prop(prop.id, (0.2, 0, 0)),
        lambda prop: edits.set_prop_place(prop.id, prop.place + np.float32([0, 0.3, 0])),
        lambda prop: edits.set_prop_turn(prop.id, from_rotation_vector(UP)),
        lambda prop: edits.put_prop(prop.turned_to(from_rotation_vector(UP))),
    ],
)
def test_moving_or_turning_an_animated_prop_sets_a_key_there_and_changes_no_other(scene: Document, change) -> None:
    animated = edits.animate_prop("p1", FRAMES)(looked_at(scene, 50))
    assert keys_of(animated) == [0], "as a still person's pose is at the first frame"
    there = looked_at(animated, 50)
    after = change(there.prop("p1"))(there)
    assert keys_of(after) == [0, 50]
    assert place(after, 0) == pytest.approx([0, 0, 0])
    again = change(after.prop("p1").moved((0, 0, 1)))(after)
    assert keys_of(again) == [0, 50]


def test_what_leaves_a_prop_where_it_is_sets_no_key(thrown: Document) -> None:
    there = looked_at(thrown, 40)
    for edit in (
        edits.set_prop_size("p1", (0.3, 0.3, 0.3)),
        edits.rename_prop("p1", "Crate"),
        edits.set_prop_color("p1", "#123456"),
        edits.set_prop_place("p1", there.prop("p1").place),
    ):
        assert keys_of(edit(there)) == [20, 60]


def test_a_drag_there_and_back_leaves_no_key(thrown: Document) -> None:
    there = looked_at(thrown, 40)
    start = there.prop("p1")
    gone = edits.put_prop(start.moved((0, 0, 0.4)))(there)
    assert keys_of(gone) == [20, 40, 60]
    back = edits.put_prop(start)(gone)
    assert keys_of(back) == [20, 60]
    assert place(back, 40) == pytest.approx(start.place)


def test_keys_are_moved_copied_pasted_and_deleted(thrown: Document) -> None:
    assert keys_of(edits.move_prop_keys("p1", [60], 30)(thrown)) == [20, 90]
    onto = edits.move_prop_keys("p1", [20], 40)(thrown)
    assert keys_of(onto) == [60]
    assert place(onto, 90) == pytest.approx([0, 0, 0]), "the moved one wins"
    copied = edits.copy_prop_keys("p1", [20], 80)(thrown)
    assert keys_of(copied) == [20, 60, 80]
    assert place(copied, 80) == pytest.approx([0, 0, 0])
    clip = thrown.prop("p1").clip
    assert clip is not None
    assert keys_of(edits.paste_prop_keys("p1", clip.keys, 70)(thrown)) == [20, 60, 70], "the second is beyond the end"
    fewer = edits.delete_prop_keys("p1", [20])(thrown)
    assert keys_of(fewer) == [60]
    assert len(fewer.prop("p1").clip or ()) == FRAMES


def test_a_prop_without_its_last_key_stands_still_where_it_is_seen(thrown: Document) -> None:
    still = edits.delete_prop_keys("p1", [20, 60])(looked_at(thrown, 40))
    assert still.prop("p1").clip is None
    assert [place(still, frame)[0] for frame in (0, 40, 90)] == pytest.approx([0.5, 0.5, 0.5])


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (edits.move_prop_keys("p1", [60], 41), "Frame 102 is outside the clip of “Box”, which has 101 frames"),
        (edits.move_prop_keys("p1", [20], -21), "Frame 0 is outside the clip"),
        (edits.move_prop_keys("p1", [30], 1), "“Box” has no key at frame 31"),
        (edits.delete_prop_keys("p1", [30]), "“Box” has no key at frame 31"),
        (edits.set_prop_key("p1", FRAMES), "Frame 102 is outside the clip"),
        (edits.set_prop_clip_length("p1", 30), "There is a key at frame 61"),
        (edits.set_prop_clip_length("p1", 0), "A motion has 1 to"),
        (edits.set_prop_clip_rate("p1", 0.0), "A motion has up to 1000 frames a second"),
    ],
)
def test_keys_that_cannot_be_are_refused_with_the_reason(thrown: Document, edit, reason: str) -> None:
    with pytest.raises(PoserError, match=reason):
        edit(thrown)


@pytest.mark.parametrize("frames", [(5, 5), (9, 3), (-1, 4), ()])
def test_a_clip_has_one_key_at_a_frame_in_their_order(frames: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="key"):
        PropClip(tuple(PropKey(frame, np.zeros(3), np.eye(3)) for frame in frames))


def test_a_key_that_is_not_finite_or_far_away_is_refused() -> None:
    for spot in (np.array([np.nan, 0, 0]), np.array([2e6, 0, 0])):
        with pytest.raises(ValueError, match="finite|km"):
            PropKey(0, spot, np.eye(3))


def test_a_copy_has_the_same_keys_beside_the_original(thrown: Document) -> None:
    copy = copy_of_prop(thrown, "p1")
    both = edits.add_prop(copy)(thrown)
    assert keys_of(both, copy.id) == [20, 60]
    apart = [place(both, frame, copy.id) - place(both, frame) for frame in (0, 40, 60)]
    assert np.ptp(apart, axis=0) == pytest.approx(np.zeros(3), abs=1e-6)
    assert np.linalg.norm(apart[0]) > 0.1
    alone = edits.remove_prop("p1")(both)
    assert keys_of(alone, copy.id) == [20, 60]


def test_the_clock_and_a_film_last_as_long_as_the_longest_prop(thrown: Document) -> None:
    longer = edits.set_prop_clip_length("p1", 201)(thrown)
    assert length_s(longer) == pytest.approx(200 / 30)
    assert clock_of(longer, "c1").frames == 201
    alone = edits.remove_character("c1")(longer)
    assert clock_of(alone, "").frames == 201
    assert images_of(Film(fps=30.0), alone) == 201
    camera = OrbitCamera()
    seen = [shot.document.prop("p1").place[0] for shot in shots(Film(fps=30.0), longer, camera)]
    assert [seen[frame] for frame in (0, 40, 60, 200)] == pytest.approx([0, 0.5, 1, 1])


def test_a_prop_of_another_rate_is_where_it_is_at_that_time(thrown: Document) -> None:
    faster = edits.set_prop_clip_rate("p1", 60.0)(thrown)
    assert place(faster, 20)[0] == pytest.approx(0.5), "its frame 40"


def test_undo_takes_back_one_key_in_one_step_and_goes_to_its_frame(thrown: Document, qapp: object) -> None:
    service = SolveService()
    session = Session(service)
    session.open(thrown)
    session.look_at_time(40 / 30)
    start = session.document.prop("p1")
    drag = object()
    for metres in (0.1, 0.2, 0.3):
        session.edit("Move Box", edits.put_prop(start.moved((0, 0, metres))), drag, solve=True)
    session.close_step()
    assert keys_of(session.document) == [20, 40, 60]
    session.look_at_time(10 / 30)
    assert session.document.prop("p1").place == pytest.approx([0, 0, 0])
    assert session.undo()
    assert session.view.time_s == pytest.approx(40 / 30)
    assert keys_of(session.document) == [20, 60]
    assert session.document.prop("p1").place == pytest.approx(start.place)
    assert session.redo()
    assert session.document.prop("p1").place[2] == pytest.approx(0.3)


def test_looking_elsewhere_changes_nothing_but_where_the_prop_is(thrown: Document, qapp: object) -> None:
    session = Session(SolveService())
    session.open(thrown)
    revision = session.history.revision
    for frame in (0, 40, 90):
        session.look_at_time(frame / 30)
        assert session.document.prop("p1").place == pytest.approx(place(thrown, frame))
    assert session.history.revision == revision
    assert not session.history.dirty


def test_animating_a_prop_stays_at_the_time_looked_at(scene: Document, qapp: object) -> None:
    session = Session(SolveService())
    session.open(scene)
    session.look_at_time(50 / 30)
    assert session.edit("Animate", edits.animate_prop("p1", FRAMES))
    assert session.view.time_s == pytest.approx(50 / 30)
    assert session.edit("Move", edits.move_prop("p1", (1, 0, 0)))
    assert keys_of(session.document) == [0, 50]


def test_a_prop_is_seen_at_the_same_place_from_any_document_that_has_it(thrown: Document) -> None:
    there = looked_at(thrown, 40)
    prop: Prop = there.prop("p1")
    elsewhere = edits.add_prop(replace(prop, id="p9"))(new_document())
    assert elsewhere.prop("p9").place == pytest.approx(prop.at(0).place)
