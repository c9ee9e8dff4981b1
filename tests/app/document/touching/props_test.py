"""Props as values: their shapes, what is solid of them, and the edits that place, turn and scale them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from copies import copy_of_prop
from hypothesis import given, settings
from hypothesis import strategies as st

from app.document import edits
from app.document.edits import props
from app.document.edits.props import new_prop
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import entry_of, poses_of
from app.document.model import document as document_module
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.identity import free_prop_name, name_or_count
from app.document.model.prop import KINDS, LARGEST_M, MESH, Prop
from app.document.model.prop_mesh import SLOW_FACES, PropMesh
from app.document.model.prop_shapes import creased, is_closed, merged, surface_of
from app.document.posing.create import new_character, new_document
from app.document.posing.placing import place_of
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.errors import PoserError, UnknownName
from solver.kinematics.rotations import from_rotation_vector
from solver.resources import resource_folder

SHAPED = [kind for kind in KINDS if kind != MESH]
TILT = from_rotation_vector(np.array([0.3, 0.8, -0.2]))


def mesh_prop(kind: str = "chair", **more: object) -> Prop:
    surface = surface_of(kind)
    return Prop("p1", "Mesh", MESH, np.array([1.0, 2.0, 0.5]), mesh=PropMesh(surface.vertices, surface.faces), **more)


def prop_of(kind: str, **more: object) -> Prop:
    return replace(new_prop(Document(), kind), **more)


def volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


@pytest.mark.parametrize("kind", SHAPED)
def test_every_shape_is_closed_faces_outwards_and_fills_its_frame(kind: str) -> None:
    surface = surface_of(kind)
    assert surface is surface_of(kind)
    vertices, faces = merged(surface.vertices, surface.faces)
    assert is_closed(faces)
    assert volume(vertices, faces) > 0.05
    assert vertices.min(axis=0) == pytest.approx([-0.5, 0.0, -0.5], abs=2e-3)
    assert vertices.max(axis=0) == pytest.approx([0.5, 1.0, 0.5], abs=2e-3)
    assert np.linalg.norm(surface.normals, axis=1) == pytest.approx(np.ones(len(vertices := surface.vertices)))
    assert len(vertices) == len(surface.normals)


def test_many_props_wished_for_at_one_place_stand_beside_each_other_and_each_is_looked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document, looked = Document(), list[Prop]()
    footprint = props._footprint

    def counted(prop: Prop) -> tuple[np.ndarray, np.ndarray]:
        looked.append(prop)
        return footprint(prop)

    monkeypatch.setattr(props, "_footprint", counted)
    for i in range(30):
        looked.clear()
        prop = new_prop(document, ("box", "chair", "stairs")[i % 3], (0.1, 0.0, 0.2))
        assert len(looked) <= i + 1
        for other in document.props:
            (low, high), (other_low, other_high) = footprint(prop), footprint(other)
            apart = np.maximum(low - other_high, other_low - high).max()
            assert apart > -2e-4, f"{prop.name} is in {other.name}"
        document = edits.add_prop(prop)(document)
    assert np.abs([prop.place for prop in document.props]).max() < 4.0, "and near to the place"


@pytest.mark.parametrize("kind", SHAPED)
def test_what_is_solid_is_what_is_drawn(kind: str) -> None:
    prop = prop_of(kind, turn=TILT, place=np.array([1.0, 0.4, -2.0]))
    solids, surface = prop.solids(), prop.surface
    skin = prop.frame.points(surface.vertices)
    away = np.min([solid.distances(skin) for solid in solids], axis=0)
    rim = surface.vertices[:, 1] > (0.95 if kind == "cup" else 1.1)
    assert np.abs(away[~rim]).max() < 0.004, "each vertex lies on a solid's surface"
    centre = prop.frame.points(np.array([[0.0, 0.97 if kind == "table" else 0.47, 0.0]]))
    if kind not in ("stairs",):
        assert min(float(solid.distances(centre)[0]) for solid in solids) < 0.0
    assert len(solids) == {"stairs": 5, "chair": 6, "table": 5}.get(kind, 1)


def test_a_cup_is_open_above_and_its_wall_is_as_thick_all_round() -> None:
    cup = prop_of("cup")
    vertices = cup.frame.points(cup.surface.vertices)
    apart = np.linalg.norm(vertices[:, [0, 2]], axis=1)
    assert vertices[apart < 0.02, 1].max() < 0.098, "nothing is above what is in it"
    rim = np.unique(np.round(apart[vertices[:, 1] > 0.104], 4))
    assert rim == pytest.approx([0.033, 0.0375], abs=1e-3)


def test_below_a_table_there_is_room_for_legs() -> None:
    table = prop_of("table")
    knees = np.array([[0.1, 0.5, 0.1], [-0.4, 0.65, 0.2]])
    assert min(float(solid.distances(knees).min()) for solid in table.solids()) > 0.03
    assert table.size[1] == pytest.approx(0.74)


def test_a_shape_has_its_own_surface_and_a_mesh_that_of_its_file() -> None:
    with pytest.raises(ValueError, match="its own"):
        surface_of(MESH)


def test_edges_of_a_box_are_sharp_and_a_ball_has_none() -> None:
    assert len(surface_of("box").edges) == 12
    assert len(surface_of("box").vertices) == 24, "apart at each corner"
    assert len(surface_of("ball").edges) == 0
    assert len(surface_of("cylinder").edges) == 2 * 48


def test_an_open_surface_is_not_closed_and_its_rim_is_an_edge() -> None:
    vertices = np.array([[-0.5, 0, -0.5], [0.5, 0, -0.5], [0.5, 0, 0.5], [-0.5, 0, 0.5], [-0.5, 0, -0.5]])
    faces = np.array([[0, 2, 1], [4, 3, 2], [0, 4, 1]], np.int32)
    surface = creased(vertices, faces)
    assert len(surface.vertices) == 4, "one vertex at each place"
    assert len(surface.faces) == 2, "the last one has no area"
    assert not is_closed(merged(vertices, faces)[1])
    assert len(surface.edges) == 4
    assert surface.normals[:, 1] == pytest.approx(np.ones(4))


def test_a_finely_meshed_rim_is_an_edge() -> None:
    angle, n = np.linspace(0, 2 * np.pi, 200, endpoint=False), 200
    low, high = (np.column_stack([0.5 * np.sin(angle), np.full(n, y), 0.5 * np.cos(angle)]) for y in (0.0, 1.0))
    i, j = np.arange(n), np.roll(np.arange(n), -1)
    pipe = np.concatenate([np.column_stack([i, j, n + i]), np.column_stack([j, n + j, n + i])]).astype(np.int32)
    assert len(creased(np.concatenate([low, high]), pipe).edges) == 2 * n


@pytest.mark.slow
def test_folds_of_skin_are_no_edges() -> None:
    body = load_body("anny")
    skin = body.vertices(BodyShape())
    assert len(creased((skin - skin.min(axis=0)) / np.ptp(skin, axis=0).max() - 0.5, body.faces).edges) == 0


def test_a_fan_of_many_faces_keeps_their_own_normals() -> None:
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    rim = np.column_stack([0.5 * np.sin(angle), np.zeros(40), 0.5 * np.cos(angle)])
    vertices = np.vstack([rim, [[0.0, 0.1, 0.0]]])
    i = np.arange(40)
    faces = np.column_stack([i, (i + 1) % 40, np.full(40, 40)]).astype(np.int32)
    surface = creased(vertices, faces)
    assert len(surface.vertices) == 80, "40 of the rim, 40 at the tip"
    assert (surface.normals[:, 1] > 0.9).all()


def test_own_points_go_along_when_a_prop_is_moved_turned_and_scaled() -> None:
    prop = prop_of("box")
    seat = np.array([[0.2, 1.0, -0.1]])
    world = prop.frame.points(seat)
    assert world[0] == pytest.approx([0.1, 0.45, -0.05])
    after = prop.sized([1.0, 0.9, 1.0]).turned_to(TILT).moved([0.0, 0.2, 1.0])
    assert after.frame.own(after.frame.points(seat)) == pytest.approx(seat, abs=1e-6)
    assert after.frame.points(seat)[0] == pytest.approx(
        after.frame.matrix[:3, :3] @ seat[0] + after.frame.matrix[:3, 3]
    )
    assert after.corners.shape == (8, 3)


def test_a_turn_is_about_the_middle_and_a_scale_keeps_the_base() -> None:
    prop = prop_of("chair", place=np.array([1.0, 0.0, 2.0]))
    turned = prop.turned_to(TILT)
    assert turned.middle == pytest.approx(prop.middle, abs=1e-6)
    assert turned.turned_to(np.eye(3)).place == pytest.approx(prop.place, abs=1e-6)
    assert prop.sized([1.0, 2.0, 3.0]).place == pytest.approx(prop.place)


def test_what_is_round_stays_round() -> None:
    assert prop_of("ball").sized([0.25, 0.5, 0.25]).size == pytest.approx([0.5, 0.5, 0.5])
    assert prop_of("cylinder").sized([0.4, 1.0, 0.1]).size == pytest.approx([0.1, 1.0, 0.1])
    assert prop_of("box").sized([9.0, 1e-9, 1e9]).size == pytest.approx([9.0, 0.001, LARGEST_M])


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"kind": "sofa"}, "no prop of the kind"),
        ({"kind": MESH}, "has a mesh"),
        ({"mesh": mesh_prop().mesh}, "has a mesh"),
        ({"size": np.array([1.0, 0.0, 1.0])}, "measures from"),
        ({"size": np.array([1.0, 2e3, 1.0])}, "measures from"),
        ({"place": np.array([1e7, 0.0, 0.0])}, "of the origin"),
        ({"kind": "ball", "size": np.array([1.0, 2.0, 1.0])}, "three sizes are one"),
        ({"kind": "stick", "size": np.array([0.1, 2.0, 0.2])}, "along x and z are one"),
    ],
)
def test_what_cannot_be_says_why(wrong: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        replace(prop_of("box"), **wrong)


@pytest.mark.parametrize(
    ("vertices", "faces", "why"),
    [
        (np.zeros((3, 3)), np.empty((0, 3)), "triangles of three"),
        (np.zeros((3, 3)), [[0, 1, 3]], "not there"),
        (np.full((3, 3), 2.0), [[0, 1, 2]], "vertices lie within"),
    ],
)
def test_a_mesh_that_cannot_be_says_why(vertices: np.ndarray, faces: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        PropMesh(vertices, np.asarray(faces))


def test_too_many_triangles_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.document.model.prop_mesh.MAX_PROP_TRIANGLES", 10)
    with pytest.raises(ValueError, match="up to 10 triangles, not 108"):
        mesh_prop()


def test_a_scene_has_room_for_so_many_props_and_triangles(monkeypatch: pytest.MonkeyPatch) -> None:
    prop = prop_of("box")
    monkeypatch.setattr(document_module, "MAX_PROPS", 2)
    with pytest.raises(PoserError, match="up to 2 props"):
        Document(props=(prop,) * 3)
    monkeypatch.setattr(document_module, "MAX_ALL_PROP_TRIANGLES", 150)
    with pytest.raises(PoserError, match="150 triangles together"):
        Document(props=(mesh_prop(), mesh_prop()))


def test_a_new_prop_stands_on_the_floor_in_nobody_and_in_no_other() -> None:
    document = new_document()
    x, z = place_of(document.characters[0])
    for kind in ("box", "chair", "ball", "stairs"):
        prop = new_prop(document, kind, (x, 3.0, z))
        assert prop.place[1] == 0.0
        low, high = prop.corners.min(axis=0)[[0, 2]], prop.corners.max(axis=0)[[0, 2]]
        assert (np.maximum(low - (x, z), (x, z) - high) >= 0.349).any()
        for other in document.props:
            other_low, other_high = other.corners.min(axis=0)[[0, 2]], other.corners.max(axis=0)[[0, 2]]
            assert (low >= other_high - 1e-6).any() or (other_low >= high - 1e-6).any()
        document = edits.add_prop(prop)(document)
    assert [p.id for p in document.props] == ["p1", "p2", "p3", "p4"]
    assert new_prop(document, "plane", (x, 0.0, z)).place == pytest.approx([x, 0.0, z]), "one stands on it"


def test_a_new_prop_is_clear_of_the_feet_of_somebody_who_sits() -> None:
    document = new_document()
    upright = entry_of(resource_folder("assets", "poses") / "Sitting on a chair" / "Sit, legs crossed.json")
    person = take_pose("c1", poses_of(upright), Taking())(document).characters[0]
    feet = joints_of(person).positions[[skeleton_of(person).index(f"{side}_foot") for side in ("left", "right")]]
    ahead = feet.mean(axis=0)
    box = new_prop(document.with_character(person), "box", (ahead[0], 0.0, ahead[2]))
    low, high = box.corners.min(axis=0), box.corners.max(axis=0)
    assert not ((low - 0.1 < feet) & (feet < high + 0.1))[:, [0, 2]].all(axis=1).any()


def test_a_new_prop_stands_beside_a_standing_person_and_hides_nobody() -> None:
    assert new_prop(new_document(), "box").place == pytest.approx([0.6, 0.0, 0.0])


def test_where_nothing_is_free_it_stands_where_it_was_wished() -> None:
    document = edits.add_prop(replace(prop_of("box"), size=np.array([900.0, 1.0, 900.0])))(Document())
    assert new_prop(document, "box", (1.0, 0.0, 1.0)).place == pytest.approx([1.0, 0.0, 1.0])


def test_one_thing_is_called_by_its_name_and_several_by_their_number() -> None:
    document = edits.add_prop(prop_of("box"))(
        edits.add_prop(replace(prop_of("ball"), id="p2", name="Ball"))(Document())
    )
    assert name_or_count(document.props[:1], "props") == document.props[0].name
    assert name_or_count(document.props, "props") == "2 props"


def test_names_are_their_own_among_people_and_props() -> None:
    document = edits.add_character(new_character(Document(), name="Box"))(Document())
    assert new_prop(document, "box").name == "Box 2"
    document = edits.add_prop(new_prop(document, "box"))(document)
    assert free_prop_name(document, "Box 2") == "Box 3"
    assert free_prop_name(document, "Box 2", besides="p1") == "Box 2"


def test_each_edit_changes_what_it_says_and_nothing_else() -> None:
    start = edits.add_prop(prop_of("box"))(new_document())
    for edit, name, wanted in (
        (edits.set_prop_place("p1", [1, 2, 3]), "place", [1, 2, 3]),
        (edits.move_prop("p1", [0.5, 0, 0]), "place", start.props[0].place + [0.5, 0, 0]),
        (edits.set_prop_size("p1", [1, 2, 3]), "size", [1, 2, 3]),
        (edits.rename_prop("p1", "  a   crate "), "name", "a crate"),
        (edits.set_prop_color("p1", "#FF0000"), "color", "#ff0000"),
        (edits.set_prop_visible("p1", False), "visible", False),
        (edits.set_prop_locked("p1", True), "locked", True),
    ):
        after = edit(start)
        assert after.actors is start.actors
        changed = getattr(after.prop("p1"), name)
        assert np.array_equal(changed, np.float32(wanted)) if name in ("place", "size") else changed == wanted
        assert edit(after) is after or name == "place", "again it changes nothing"
    turned = edits.set_prop_turn("p1", TILT)(start)
    assert turned.prop("p1").turn == pytest.approx(TILT, abs=1e-6)
    assert edits.rename_prop("p1", "  ")(start) is start
    assert edits.put_prop(start.props[0])(turned) == start, "there and back leaves no trace"


def test_edits_that_cannot_be_done_say_why() -> None:
    start = edits.add_prop(prop_of("box"))(new_document())
    with pytest.raises(PoserError, match="already a prop"):
        edits.add_prop(prop_of("box"))(start)
    with pytest.raises(PoserError, match="not a colour"):
        edits.set_prop_color("p1", "red")
    with pytest.raises(UnknownName, match="prop named “p7”"):
        edits.remove_prop("p7")(start)
    with pytest.raises(PoserError, match="“Box” cannot be changed like that: a prop is within"):
        edits.move_prop("p1", [1e9, 0, 0])(start)


def test_a_copy_stands_beside_its_original_at_the_same_height_and_removing_it_leaves_the_rest() -> None:
    start = edits.add_prop(prop_of("chair", place=np.array([0.0, 0.7, 0.0]), turn=TILT, extra={"x": 1}))(Document())
    copy = copy_of_prop(start, "p1")
    assert (copy.id, copy.name, copy.place[1]) == ("p2", "Chair 2", np.float32(0.7))
    assert copy.place[0] != 0.0 or copy.place[2] != 0.0
    assert copy.turn == pytest.approx(TILT, abs=1e-6)
    both = edits.add_prop(copy)(start)
    assert edits.remove_prop("p2")(both) == start
    assert both.prop("p2") == copy
    with pytest.raises(UnknownName):
        both.prop("p3")


@settings(max_examples=30, deadline=None)
@given(
    st.tuples(*[st.floats(0.01, 5.0)] * 3), st.tuples(*[st.floats(-2.0, 2.0)] * 3), st.tuples(*[st.floats(-3, 3)] * 3)
)
def test_to_its_own_frame_and_back_is_the_identity(size: tuple, place: tuple, turn: tuple) -> None:
    prop = prop_of("box", size=np.array(size), place=np.array(place), turn=from_rotation_vector(np.array(turn)))
    points = np.random.default_rng(0).normal(0, 1, (5, 3))
    assert prop.frame.points(prop.frame.own(points)) == pytest.approx(points, abs=1e-4)


def test_a_prop_that_is_pushed_away_looks_the_same_from_the_eye_at_every_frame() -> None:
    eye, box = np.array([0.5, 1.6, 3.0]), prop_of("box", place=np.array([0.2, 0.1, -1.0], np.float32))
    document = edits.set_prop_key("p1", 0, 10)(props.add_prop(replace(box, id="p1"))(Document()))
    before = document.prop("p1")
    after = before.pushed(eye, 1.5)
    assert before.clip is not None
    assert after.clip is not None
    assert after.size == pytest.approx(1.5 * before.size)
    pairs = [(before.place, after.place), (before.clip.keys[0].place, after.clip.keys[0].place)]
    assert all(then - eye == pytest.approx(1.5 * (was - eye), abs=1e-5) for was, then in pairs)
    assert box.pushed(eye, 1.5).clip is None


def test_only_a_large_mesh_without_its_surface_is_slow() -> None:
    surface = surface_of("ball")
    times = SLOW_FACES // len(surface.faces) + 1
    large = PropMesh(surface.vertices, np.tile(surface.faces, (times, 1)))
    assert large.is_slow
    assert not PropMesh(surface.vertices, surface.faces).is_slow
