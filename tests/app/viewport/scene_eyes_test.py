"""People's eyes in the scene and in the picture follow what the head is asked to look at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_document
from app.services.view_state import ViewState
from app.viewport.scene_builder import Look, SceneBuilder
from rendering.camera.camera import OrbitCamera
from rendering.drawing.offscreen import render_image
from rendering.drawing.surfaceless import NoOpenGL
from rendering.scene.style import LOOKS, Style
from rendering.scene.values import Figure, Scene
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector

LOOK = Look("#d9a98b", "#4a5568")
SIZE = (160, 80)


def looking(document: Document, toward: tuple[float, float, float], **options: bool) -> Document:
    """The first person asked to look at a point so far from the head, metres; the pose stays."""
    person = document.characters[0]
    look = next(e for e in person.effectors if e.kind == "lookat")
    asked = replace(look, target=head_of(person) + np.float32(toward), **{"loose": False, **options})
    effectors = tuple(asked if e is look else e for e in person.effectors)
    return document.with_character(replace(person, effectors=effectors))


def head_of(person: Character) -> np.ndarray:
    return joints_of(person).positions[skeleton_of(person).index("head")]


def scene_of(document: Document, look: Look = LOOK, **view: object) -> Scene:
    state = replace(ViewState(character=document.characters[0].id, handles=False), **view)
    return SceneBuilder().build(document, state, look)


def ahead(figure: Figure) -> np.ndarray:
    """(3,) where the left eye looks."""
    assert figure.eyes is not None
    axis = np.asarray(figure.eyes)[0, :, 2]
    return axis / np.linalg.norm(axis)


def test_the_line_to_what_is_looked_at_comes_from_between_the_eyes_however_the_body_is_turned() -> None:
    document = looking(new_document(), (0.5, 0.1, 1))
    person = document.characters[0]
    turned = Pose(person.pose.root_position, from_rotation_vector(np.full((24, 3), 0.1)))
    document = document.with_character(replace(person, pose=turned))
    scene = scene_of(document, handles=True)
    (look,) = (handle for handle in scene.handles if handle.shape == "target")
    between = np.asarray(scene.figures[0].eyes)[:, :, 3].mean(axis=0)
    np.testing.assert_allclose(look.held_position, between, atol=1e-4)
    assert look.held_position[1] > head_of(document.characters[0])[1] + 0.02, "the head's joint is at its base"


@pytest.mark.parametrize("options", [{"loose": True}, {"enabled": False}])
def test_eyes_look_straight_ahead_until_the_look_at_asks_for_something(options: dict[str, bool]) -> None:
    quiet = looking(new_document(), (1, 0, 1), **options)
    np.testing.assert_allclose(ahead(scene_of(quiet).figures[0]), [0, 0, 1], atol=0.02)


def test_eyes_turn_to_the_target_before_the_head_has_moved_and_no_further_than_eyes_do() -> None:
    left = ahead(scene_of(looking(new_document(), (0.5, 0.1, 1))).figures[0])
    assert 0.35 < left[0] < 0.5
    far = ahead(scene_of(looking(new_document(), (-3, 0.1, 0.5))).figures[0])
    assert np.degrees(np.arcsin(-far[0])) == pytest.approx(35.0, abs=1.0)
    up = ahead(scene_of(looking(new_document(), (0, 3, 1))).figures[0])
    assert np.degrees(np.arcsin(up[1])) == pytest.approx(18.0, abs=1.0)


def test_a_target_that_moves_makes_the_figure_anew_and_one_that_rests_does_not() -> None:
    builder, view = SceneBuilder(), ViewState(handles=False)
    document = looking(new_document(), (0.5, 0, 1))
    first = builder.build(document, view, LOOK).figures[0]
    assert builder.build(document, view, LOOK).figures[0] is first
    moved = builder.build(looking(document, (0.2, 0, 1)), view, LOOK).figures[0]
    assert ahead(moved)[0] < ahead(first)[0] - 0.1
    assert moved.mesh is first.mesh


def test_ghosts_have_no_eyes() -> None:
    person = new_document().characters[0]
    other = replace(person, base_pose=replace(person.pose, root_position=person.pose.root_position + np.float32(0.3)))
    figures = scene_of(Document().with_characters((other,)), ghost=True).figures
    assert [figure.eyes is None for figure in figures] == [False, True]


def picture(document: Document, look: str = "clay") -> np.ndarray:
    """(H, W) brightness of the face from the front."""
    target = tuple((head_of(document.characters[0]) + [0.0, 0.09, 0.1]).tolist())
    camera = OrbitCamera(yaw=0.0, pitch=0.05, distance=0.18, target=target)
    scene = scene_of(document, replace(LOOK, style=Style(look)))
    try:
        return render_image(scene, camera, SIZE)[..., :3].astype(float).mean(axis=-1)
    except NoOpenGL as error:
        pytest.skip(str(error))


@pytest.mark.gl
@pytest.mark.parametrize("look", [look for look in LOOKS if look != "silhouette"])
def test_the_irises_move_to_where_somebody_looks(qapp: object, look: str) -> None:
    pictures = [picture(looking(new_document(), (side, 0.1, 1)), look) for side in (-0.5, 0.5)]
    change = pictures[1] - pictures[0]
    columns = np.arange(SIZE[0])[None, :].repeat(SIZE[1], 0)
    for eye in (columns < SIZE[0] // 2, columns >= SIZE[0] // 2):
        darker, brighter = (np.where(eye, np.clip(sign * change, 0, None), 0.0) for sign in (-1.0, 1.0))
        assert darker.sum() > 100.0
        # Somebody who looks to their left has dark irises further to the right of the picture.
        assert (darker * columns).sum() / darker.sum() > (brighter * columns).sum() / brighter.sum() + 2.0


@pytest.mark.gl
def test_a_silhouette_has_no_eyes(qapp: object) -> None:
    left, right = (picture(looking(new_document(), (side, 0.1, 1)), "silhouette") for side in (-0.5, 0.5))
    assert np.abs(left - right).max() < 2.0
