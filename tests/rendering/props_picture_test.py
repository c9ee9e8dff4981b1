"""Props as they are drawn and picked: light, edges, shadow, and where a ray meets them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document.edits.props import new_prop
from app.document.model.document import Document
from app.document.model.prop import KINDS, MESH, Prop
from app.document.model.prop_mesh import PropMesh
from app.document.model.prop_shapes import surface_of as shape_of
from app.viewport.prop_surfaces import SPOTS, spots_on, surface_of
from rendering.camera.camera import OrbitCamera, View
from rendering.picking.picking import pick
from rendering.picking.prop_picking import hit_prop
from rendering.scene.hull import Hull
from rendering.scene.props import DrawnProp
from rendering.scene.style import Style
from rendering.scene.values import Scene
from rendering.shapes.occlusion import hidden_sky
from solver.kinematics.rotations import from_rotation_vector

DOWN = np.array([0.0, -1.0, 0.0])
TILT = from_rotation_vector(np.array([0.4, 0.9, 0.1]))
ABOVE = OrbitCamera(target=(0.0, 0.2, 0.0), distance=3.0, yaw=0.4, pitch=0.5)


def prop(kind: str = "box", **more: object) -> Prop:
    return replace(new_prop(Document(), kind), **more)


def drawn(each: Prop, **marks: bool) -> DrawnProp:
    return DrawnProp(("prop", each.id), surface_of(each), each.frame.matrix, each.color, **marks)


def hulls(each: DrawnProp) -> list[Hull]:
    return [hull._replace(corners=each.placed(hull.corners)) for hull in each.surface.hulls]


def seen_through(each: DrawnProp, point: np.ndarray, rays: int = 20_000) -> float:
    """The share of rays up from a point, by the cosine to straight up, that meet a box above the floor."""
    rng = np.random.default_rng(0)
    u, turn = rng.random(rays), rng.random(rays) * 2 * np.pi
    way = np.stack([np.sqrt(u) * np.cos(turn), np.sqrt(1 - u), np.sqrt(u) * np.sin(turn)], axis=1)
    back = np.linalg.inv(each.matrix)
    start, along = back[:3, :3] @ point + back[:3, 3], way @ back[:3, :3].T
    with np.errstate(divide="ignore"):
        ends = np.stack([([-0.5, 0.0, -0.5] - start) / along, ([0.5, 1.0, 0.5] - start) / along])
    enter, leave = np.minimum(*ends).max(axis=1), np.maximum(*ends).min(axis=1)
    return float((np.maximum(enter, 0.0) < leave).mean())


def test_a_box_hides_half_the_sky_at_its_foot_all_of_it_below_and_little_far_away() -> None:
    wall = drawn(prop("box", size=np.array([1.0, 1000.0, 1000.0])))
    hidden = hidden_sky(np.array([0.501, 0.0, 50000.0]), np.zeros(1), hulls(wall))[0]
    assert hidden[0] == pytest.approx(0.5, abs=0.01), "beside an endless wall"
    assert hidden[1] > 0.97
    assert hidden[2] < 0.01


def test_a_wide_roof_hides_what_lamberts_formula_says_and_so_does_a_ball() -> None:
    roof = drawn(prop("plane", size=np.array([2.0, 0.01, 2.0]), place=np.array([0.0, 1.0, 0.0])))
    hidden = hidden_sky(np.zeros(1), np.zeros(1), hulls(roof))
    assert hidden[0, 0] == pytest.approx(seen_through(roof, np.zeros(3), 200_000), abs=0.01)
    ball = hidden_sky(np.zeros(1), np.zeros(1), [], np.array([[0.0, 2.0, 0.0, 0.5]]))
    assert ball[0, 0] == pytest.approx(0.0625, abs=0.01), "the sine of its half angle, squared"


@pytest.mark.parametrize("height", [-0.3, -0.1, 0.0, 0.4])
def test_a_turned_box_hides_what_rays_meet_also_where_it_goes_through_the_floor(height: float) -> None:
    box = drawn(prop("box", turn=TILT, place=np.array([0.3, height, 0.1])))
    x, z = np.linspace(-1.1, 1.3, 9), np.linspace(-0.9, 1.2, 7)
    hidden = hidden_sky(x, z, hulls(box))
    true = np.array([[seen_through(box, np.array([a, 0.0, b]), 4000) for a in x] for b in z])
    np.testing.assert_allclose(hidden, np.minimum(true, 0.98), atol=0.03)
    assert hidden.max() > 0.1


def test_what_is_below_the_floor_hides_nothing() -> None:
    sunk = drawn(prop("chair", turn=TILT, place=np.array([0.0, -3.0, 0.0])))
    assert hidden_sky(np.linspace(-1, 1, 9), np.linspace(-1, 1, 9), hulls(sunk)).max() == 0.0


def test_several_parts_hide_no_more_than_everything() -> None:
    chair = drawn(prop("chair"))
    hidden = hidden_sky(np.linspace(-1, 1, 9), np.linspace(-1, 1, 9), hulls(chair))
    assert (hidden >= 0.0).all()
    assert (hidden <= 1.0).all()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != MESH])
def test_a_ray_meets_a_prop_where_its_surface_is(kind: str) -> None:
    each = prop(kind, turn=TILT, place=np.array([1.0, 0.5, -2.0]))
    shape = each.surface
    rng = np.random.default_rng(2)
    for face in rng.integers(len(shape.faces), size=6):
        corners = each.frame.points(shape.vertices[shape.faces[face]])
        middle, out = corners.mean(axis=0), np.cross(corners[1] - corners[0], corners[2] - corners[0])
        out /= np.linalg.norm(out)
        depth = hit_prop(middle + 0.001 * out, -out, drawn(each))
        assert depth == pytest.approx(0.001, abs=1e-5)
    far = each.middle + np.array([10.0, 0.0, 0.0])
    assert hit_prop(far, np.array([1.0, 0.0, 0.0]), drawn(each)) is None
    assert hit_prop(far, np.array([0.0, 1.0, 0.0]), drawn(each)) is None


def test_through_a_chairs_legs_one_picks_what_is_behind() -> None:
    chair = prop("chair")
    below = np.array([0.0, 0.2, 2.0])
    assert hit_prop(below, np.array([0.0, 0.0, -1.0]), drawn(chair)) is None
    assert hit_prop(below, np.array([0.0, 0.0, -1.0]), drawn(prop("box"))) == pytest.approx(1.75)


def test_the_nearest_prop_is_picked() -> None:
    near, far = prop(), replace(prop("ball"), id="p2", place=np.array([0.0, 0.0, -2.0]))
    view = View(OrbitCamera(target=(0.0, 0.2, 0.0), distance=4.0, yaw=0.0, pitch=0.05), 400, 300)
    scene = Scene(props=(drawn(far), drawn(near)))
    hit = pick(view, scene, view.project([0.0, 0.2, 0.25]))
    assert hit is not None
    assert (hit.kind, hit.id) == ("prop", ("prop", "p1"))
    assert pick(view, scene, (2.0, 2.0)) is None


def test_a_mesh_is_drawn_once_for_all_that_share_it_and_spots_stand_for_it_in_its_shadow() -> None:
    shape = shape_of("stairs")
    mesh = PropMesh(shape.vertices, shape.faces)
    one = Prop("p1", "a", MESH, np.ones(3), mesh=mesh)
    two = replace(one, id="p2", place=np.array([1.0, 0, 0]))
    assert surface_of(one) is surface_of(two)
    spots = spots_on(one.surface.vertices[one.surface.faces])
    assert spots.shape == (SPOTS, 4)
    assert np.abs(spots[:, 0]).max() <= 0.5


@pytest.mark.gl
def test_a_prop_is_lit_in_its_colour_has_dark_edges_and_bright_ones_when_selected() -> None:
    from rendering.drawing.offscreen import render_image

    box = prop(color="#30a040")
    pictures = []
    for marks in ({}, {"hovered": True}, {"selected": True}):
        scene = Scene(props=(drawn(box, **marks),), grid=False)
        pictures.append(render_image(scene, ABOVE, (240, 180), transparent=True).astype(int))
    plain, _, selected = pictures
    view = View(ABOVE, 240, 180)
    x, y = view.project(box.frame.points((0.0, 0.6, 0.5))).astype(int)
    red, green, blue, alpha = plain[y, x]
    assert alpha == 255
    assert green > red + 20
    assert green > blue + 20
    a, b = box.frame.points([[-0.5, 1.0, 0.5], [0.5, 1.0, 0.5]])
    ex, ey = np.round(view.project((a + b) / 2)).astype(int)
    near = slice(ey - 2, ey + 3), slice(ex - 2, ex + 3)
    assert plain[near][..., 1].min() < green - 20, "a dark edge"
    assert selected[near][..., 2].max() > plain[near][..., 2].max() + 40, "a bright one"
    assert [np.abs(picture - plain).sum() > 0 for picture in pictures] == [False, True, True]


@pytest.mark.gl
def test_it_casts_a_soft_shadow_that_goes_along_and_the_floor_hides_what_is_below() -> None:
    from rendering.drawing.offscreen import render_images

    def picture(*props: Prop) -> Scene:
        return Scene(props=tuple(map(drawn, props)))

    box = prop()
    aside = box.moved([0.8, 0.0, 0.0])
    sunk = box.moved([0.0, -0.3, 0.0])
    high = box.moved([0.0, 0.5, 0.0])
    mesh = Prop("p1", "m", MESH, box.size, mesh=PropMesh(shape_of("box").vertices, shape_of("box").faces))
    ball = prop("ball")
    scenes = [picture(), *map(picture, (box, aside, sunk, high, mesh, ball)), picture(box, replace(aside, id="p2"))]
    bare, *rest = (i.astype(int) for i in render_images(((s, ABOVE) for s in scenes), (320, 240), transparent=False))
    view = View(ABOVE, 320, 240)

    def darker(image: np.ndarray, point: tuple[float, float, float]) -> int:
        x, y = np.round(view.project(point)).astype(int)
        return int((bare[y, x] - image[y, x])[:3].sum())

    foot, aside_foot = (0.0, 0.0, 0.30), (0.8, 0.0, 0.30)
    first, second, low, raised, as_mesh, round_one, both = rest
    assert darker(first, foot) > 15
    assert darker(first, aside_foot) < darker(first, foot) / 2
    assert darker(second, aside_foot) > 15
    assert darker(as_mesh, foot) > 5
    assert 0 < darker(raised, (0.0, 0.0, 0.45)) < darker(first, foot)
    assert darker(round_one, (0.0, 0.0, 0.12)) > 10
    assert darker(both, aside_foot) > 15
    below = np.abs(low - bare).sum(axis=-1) > 30
    x, y = np.round(view.project((0.0, -0.2, 0.25))).astype(int)
    assert not below[y, x], "the floor is before it"


@pytest.mark.gl
@pytest.mark.parametrize("kind", ["ball", "box"])
def test_props_go_along_with_looks_that_have_no_light(kind: str) -> None:
    from rendering.drawing.offscreen import render_image

    each = prop(kind, color="#30a040", turn=TILT)
    pictures = {}
    for look in ("line", "flat", "silhouette"):
        scene = Scene(props=(drawn(each),), grid=False, style=Style(look))
        pictures[look] = render_image(scene, ABOVE, (240, 180), transparent=True).astype(int)
    solid = pictures["silhouette"][..., 3] == 255
    rows, columns = np.nonzero(solid)
    middle = round(rows.mean()), round(columns.mean())
    assert np.abs(pictures["flat"][middle] - [0x30, 0xA0, 0x40, 255]).max() <= 2
    assert pictures["line"][middle][:3].min() > 225, "paper"
    gray = pictures["silhouette"][solid]
    assert np.ptp(gray, axis=0).max() <= 1, "no light, no edges"
    assert 100 < gray[0, :3].mean() < 210
    row = pictures["line"][middle[0]]
    drawn_from, to = np.nonzero(row[:, 3] == 255)[0][[0, -1]]
    assert row[drawn_from, :3].max() < 80, "a line around it"
    assert row[to, :3].max() < 80
