"""Six poses, each made in the real window by real drags, keys and clicks, in few actions and without going through the
floor or through the body itself."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.window.editor import Editor
from scripts.pictures.manual_studio import studio_window
from scripts.pictures.six_poses import Animator, Measures, measured, skin_of
from scripts.pictures.six_recipes import RECIPES

pytestmark = [pytest.mark.e2e, pytest.mark.gl, pytest.mark.slow]
LOWEST = -0.005  # metres
DEEPEST = 0.002  # metres of skin within skin
PRESSED = 0.02  # the same where palms are held on thighs, whose skin would give


@pytest.fixture(scope="module")
def editor(qapp: object) -> Iterator[Editor]:
    """The window as it opens, drawn with few pixels; every pose is made in a scene of its own."""
    from kept_opengl import draw_few_pixels

    with pytest.MonkeyPatch.context() as patch, studio_window() as editor:
        draw_few_pixels(patch)
        yield editor


def made(editor: Editor, name: str, deepest: float = DEEPEST) -> tuple[Animator, Measures]:
    """The pose made in the window; what all six must keep to holds. deepest: metres of skin within skin."""
    animator = Animator(editor)
    animator.make(RECIPES[name])
    found = measured(animator)
    assert found.actions <= RECIPES[name].most
    assert found.lowest >= LOWEST
    assert found.within <= deepest
    return animator, found


def joint(person: Character, name: str) -> np.ndarray:
    return np.asarray(joints_of(person).positions[skeleton_of(person).index(name)], np.float64)


def lowest_near(person: Character, place: np.ndarray, within: float = 0.12) -> float:
    """Metres above the floor of the lowest skin around a place."""
    skin = skin_of(person)
    return float(skin[np.linalg.norm(skin - place, axis=1) < within][:, 1].min())


def lying(person: Character) -> set[str]:
    """The joints whose skin is held on a surface."""
    return {effector.joint for effector in person.effectors if effector.kind == "contact"}


def above_level(direction: np.ndarray) -> float:
    """Degrees."""
    return float(np.degrees(np.arcsin(direction[1] / np.linalg.norm(direction))))


def test_a_stride_has_its_feet_apart_and_the_rear_one_on_its_ball(editor: Editor) -> None:
    animator, found = made(editor, "stride")
    sides = sorted(("left", "right"), key=lambda side: float(joint(animator.person, f"{side}_ankle")[2]))
    rear, front = (joint(animator.person, f"{side}_ankle") for side in sides)
    assert front[2] - rear[2] > 0.6
    assert rear[1] > front[1] + 0.04, "the heel is up"
    assert abs(lowest_near(animator.person, joint(animator.person, f"{sides[0]}_foot"), 0.08)) < 0.005
    assert found.missed < 0.001


def test_a_sitting_person_has_level_thighs_and_the_seat_on_the_box(editor: Editor) -> None:
    animator, found = made(editor, "sit", PRESSED)
    person = animator.person
    for side in ("left", "right"):
        assert abs(above_level(joint(person, f"{side}_knee") - joint(person, f"{side}_hip"))) < 20
    low, high = (
        editor.session.document.props[-1].frame.points(corner) for corner in ((-0.5, 0.0, -0.5), (0.5, 1.0, 0.5))
    )
    skin = skin_of(person)
    above = skin[((skin > low) & (skin < high))[:, [0, 2]].all(axis=1) & (skin[:, 1] > high[1] / 2)]
    assert abs(above[:, 1].min() - high[1]) < 0.012, "the flesh of a seat gives"
    assert lying(person) == {"left_wrist", "right_wrist", "pelvis"}
    assert found.missed < 0.001


def test_a_kneeling_person_has_one_knee_low_and_the_other_foot_flat(editor: Editor) -> None:
    animator, found = made(editor, "kneel", PRESSED)
    person = animator.person
    assert abs(lowest_near(person, joint(person, "left_knee"))) < 0.005
    assert joint(person, "right_knee")[1] > 0.4
    assert abs(lowest_near(person, joint(person, "right_ankle"))) < 0.005
    assert lying(person) == {"right_wrist", "left_knee"}
    assert joint(person, "left_wrist")[1] < joint(person, "left_elbow")[1], "the other hand hangs, and is not raised"
    assert found.missed < 0.003


def test_a_kick_is_high_and_the_other_foot_stays_on_the_floor(editor: Editor) -> None:
    animator, found = made(editor, "kick")
    low, high = sorted(
        (joint(animator.person, f"{side}_ankle") for side in ("left", "right")), key=lambda at: float(at[1])
    )
    assert high[1] > 0.8
    assert abs(lowest_near(animator.person, low)) < 0.005
    assert found.missed < 0.01


def test_a_person_on_their_back_lies_level_on_the_floor(editor: Editor) -> None:
    animator, found = made(editor, "lie")
    person = animator.person
    assert abs(above_level(joint(person, "neck") - joint(person, "pelvis"))) < 15
    assert joint(person, "pelvis")[1] < 0.25
    assert found.lowest < 0.005
    assert found.missed < 0.001


def test_hands_on_hips_touch_the_hips(editor: Editor) -> None:
    animator, found = made(editor, "hips", 0.008)  # flesh gives
    person = animator.person
    assert lying(person) == {"left_wrist", "right_wrist"}
    assert found.missed < 0.001
    for side in ("left", "right"):
        out = joint(person, f"{side}_elbow") - joint(person, f"{side}_wrist")
        assert abs(out[0]) > 0.12, "elbows point to the sides"
    assert above_level(joint(person, "neck") - joint(person, "pelvis")) > 80, "nobody leans"
