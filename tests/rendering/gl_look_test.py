"""Looks, lights and lines as they are drawn: what each look changes in the picture, in both kinds of light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("PySide6")

from app.document.model.document import Document
from app.document.posing.create import new_character
from app.services.view_state import ViewState
from app.viewport.scene_builder import Look, SceneBuilder
from rendering.camera.camera import OrbitCamera, View
from rendering.drawing.offscreen import drawing_context, read_frame
from rendering.items.frame import Frame
from rendering.scene.style import LIGHTINGS, LOOKS, Style
from rendering.scene.theme import DARK, LIGHT, Theme
from rendering.scene.values import Scene

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("opengl")]
SIZE = (240, 320)
CAMERA = OrbitCamera(yaw=0.4, pitch=0.1, distance=3.4, target=(0.0, 0.9, 0.0))


@pytest.fixture(scope="module")
def scene() -> Scene:
    """One person, standing."""
    person = new_character(Document())
    look = Look("#d9a98b", "#4a5568")
    return SceneBuilder().build(Document().with_characters((person,)), ViewState(handles=False), look)


def drawn(scene: Scene, quick: bool = False, theme: Theme = DARK, transparent: bool = False) -> np.ndarray:
    """(H, W, 4) floats of the picture."""
    from rendering.drawing.renderer import SceneRenderer

    with drawing_context():
        frame = replace(Frame(View(CAMERA, *SIZE), theme, 1.0, transparent), quick=quick)
        return read_frame(SceneRenderer(), scene, frame, 4).astype(float)


@pytest.fixture(scope="module")
def inside(scene: Scene) -> np.ndarray:
    """(H, W) where nothing but body is, well within its border."""
    alpha = drawn(replace(scene, style=Style("suit")), transparent=True)[..., 3] > 250
    inside = alpha.copy()
    for axis in (0, 1):
        for step in (-3, 3):
            inside &= np.roll(alpha, step, axis)
    return inside


@pytest.mark.parametrize("quick", [False, True])
def test_clay_is_grey_and_its_planes_differ_where_a_silhouettes_do_not(
    scene: Scene, inside: np.ndarray, quick: bool
) -> None:
    clay, suit, silhouette = (
        drawn(replace(scene, style=Style(look)), quick)[inside][:, :3] for look in ("clay", "suit", "silhouette")
    )
    assert np.ptp(clay, axis=1).mean() < 0.75 * np.ptp(suit, axis=1).mean(), "hardly any colour"
    assert clay.mean(axis=1).std() > 12
    assert silhouette.std(axis=0).max() < 1.0


@pytest.mark.sweep
@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("look", LOOKS)
def test_every_look_fills_the_same_body(scene: Scene, inside: np.ndarray, look: str, quick: bool) -> None:
    with_body, without = drawn(replace(scene, style=Style(look)), quick), drawn(replace(scene, figures=()), quick)
    changed = np.abs(with_body - without).sum(axis=-1) > 12
    assert changed[inside].mean() > 0.95


def test_a_line_drawing_is_paper_with_dark_lines_along_the_border(scene: Scene, inside: np.ndarray) -> None:
    picture = drawn(replace(scene, style=Style("line")), transparent=True)
    assert np.median(picture[inside][:, :3]) > 225
    border = (picture[..., 3] > 200) & ~inside
    assert (picture[border][:, :3].max(axis=1) < 90).mean() > 0.25


@pytest.mark.parametrize(("theme", "light"), [(DARK, True), (LIGHT, False)])
def test_a_silhouette_stands_off_from_its_room(scene: Scene, inside: np.ndarray, theme: Theme, light: bool) -> None:
    picture = drawn(replace(scene, style=Style("silhouette")), theme=theme)
    assert bool(picture[inside][:, :3].mean() > 128) is light
    assert abs(picture[inside][:, :3].mean() - picture[:8, :, :3].mean()) > 90


@pytest.mark.parametrize("transparent", [False, True])
def test_silhouettes_of_several_people_have_a_line_around_each_and_none_within(scene: Scene, transparent: bool) -> None:
    one = scene.figures[0]
    beside = np.array(one.skinning)
    aside = np.float32([0.2, 0.0, -0.5])
    beside[:, :3, 3] += aside
    joints = one.joints + aside
    other = replace(one, id="other", color="#d08020", skinning=beside, joints=joints)
    styled = replace(scene, style=Style("silhouette"))
    alone, second = (drawn(replace(styled, figures=(figure,)), transparent=True) for figure in (one, other))
    solid, also = (picture[..., 3] > 250 for picture in (alone, second))
    both = drawn(replace(styled, figures=(one, other)), transparent=transparent)
    within = solid & ~also
    for axis in (0, 1):
        for step in range(-4, 5):
            within &= np.roll(solid, step, axis) & ~np.roll(also, step, axis)
    assert within.sum() > 500
    assert both[within][:, :3].std(axis=0).max() < 1.0, "nothing is drawn within somebody"
    rim = also & ~solid & (np.roll(solid, 2, 1) | np.roll(solid, -2, 1))
    between = rim & np.roll(also, 4, 1) & np.roll(also, -4, 1)  # of who is behind, beside who is in front
    assert between.sum() > 20
    line, filled = np.median(both[between][:, :3]), np.median(both[within][:, :3])
    assert abs(line - filled) > 30, "a line where one is in front of another"
    assert (line > filled) == transparent, "dark people wherever the picture will be laid"


@pytest.mark.sweep
@pytest.mark.parametrize("light", [name for name in LIGHTINGS if name != "studio"])
def test_every_set_up_of_lights_lights_otherwise(scene: Scene, inside: np.ndarray, light: str) -> None:
    studio, other = (drawn(replace(scene, style=Style("clay", name)))[inside][:, :3] for name in ("studio", light))
    assert np.abs(studio - other).mean() > 3
    if light == "grey":
        assert np.abs(other[:, 0] - other[:, 2]).mean() < np.abs(studio[:, 0] - studio[:, 2]).mean()


@pytest.mark.parametrize("quick", [False, True])
def test_the_side_is_bright_from_which_the_key_light_comes(scene: Scene, inside: np.ndarray, quick: bool) -> None:
    left, right = (
        drawn(replace(scene, style=Style("clay").aimed(turn, 20.0)), quick)[..., :3].mean(axis=-1) for turn in (-80, 80)
    )
    columns = np.nonzero(inside)[1]
    half = inside & (np.arange(SIZE[0]) < columns.mean())
    other = inside & ~half
    assert left[half].mean() > right[half].mean() + 5
    assert right[other].mean() > left[other].mean() + 5


@pytest.mark.parametrize("quick", [False, True])
def test_a_selected_person_has_a_line_around_and_keeps_their_colours(
    scene: Scene, inside: np.ndarray, quick: bool
) -> None:
    (figure,) = scene.figures
    chosen = replace(scene, figures=(replace(figure, selected=True),))
    before, after = drawn(scene, quick), drawn(chosen, quick)
    changed = np.abs(after - before).sum(axis=-1) > 40
    assert changed[inside].mean() < 0.002, "nothing is bleached"
    assert changed.sum() > 300
    color = np.array([int(figure.color[i : i + 2], 16) for i in (1, 3, 5)])
    assert np.abs(after[changed][:, :3] - color).sum(axis=1).min() < 40


def test_a_lit_part_alone_has_a_line_around_it(scene: Scene) -> None:
    (figure,) = scene.figures
    knee = 4  # the left one: its part is the shin
    after = drawn(replace(scene, figures=(replace(figure, lit=frozenset([knee])),)))
    changed = np.abs(after - drawn(scene)).sum(axis=-1) > 40
    rows, columns = np.nonzero(changed)
    at = View(CAMERA, *SIZE).project(np.asarray(figure.joints)[[knee, 7]])
    assert len(rows) > 30
    assert at[0][1] - 25 < rows.min() < at[0][1] + 12
    assert at[1][1] - 12 < rows.max() < at[1][1] + 20
    assert np.abs(columns - at[:, 0].mean()).max() < 30


@pytest.mark.sweep
@pytest.mark.parametrize("joint", [12, 13, 14])  # the neck and the collars
def test_joints_that_share_all_their_skin_with_others_have_a_line_as_well(scene: Scene, joint: int) -> None:
    (figure,) = scene.figures
    after = drawn(replace(scene, figures=(replace(figure, lit=frozenset([joint])),)))
    rows, columns = np.nonzero(np.abs(after - drawn(scene)).sum(axis=-1) > 40)
    assert len(rows) > 20
    at = View(CAMERA, *SIZE).project(np.asarray(figure.joints)[joint])
    assert np.abs(np.array([columns.mean(), rows.mean()]) - at).max() < 20


def test_a_finished_picture_marks_nobody(scene: Scene) -> None:
    (figure,) = scene.figures
    marked = replace(scene, figures=(replace(figure, selected=True, lit=frozenset([4])),))
    assert np.array_equal(drawn(marked.without_tools()), drawn(scene))


def test_the_floor_is_dark_below_feet_and_not_below_someone_in_the_air(scene: Scene) -> None:
    (figure,) = scene.figures
    lift = np.eye(4)
    lift[1, 3] = 0.6
    up = replace(figure, skinning=lift @ figure.skinning, joints=np.asarray(figure.joints) + [0, 0.6, 0])
    place = View(CAMERA, *SIZE).project(np.asarray(figure.joints)[10] * [1, 0, 1] + [0.0, 0.0, 0.09])
    x, y = place.astype(int)
    near, far, none = (
        drawn(replace(scene, figures=figures))[y - 2 : y + 6, x - 6 : x + 6, :3].mean()
        for figures in ((figure,), (up,), ())
    )
    assert none > far
    assert abs(none - far) < 0.5 * abs(none - near)
