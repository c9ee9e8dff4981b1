"""The manual's pictures of hands: all sixteen presets on one sheet, and the panel."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtTest import QTest

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import body_of, skeleton_of
from app.panels.hands_panel import HandsPanel
from app.services.view_state import ViewState
from app.viewport.finger_pick import fingers_of
from app.viewport.scene_builder import Look, SceneBuilder
from rendering.camera.camera import OrbitCamera
from rendering.scene.values import Scene
from scripts.pictures.manual_studio import LEFT, Picture, Studio, row, stacked
from scripts.pointer import move_held
from solver.body.finger_chain import FINGERS
from solver.body.hand_presets import HAND_PRESETS, preset_hands
from solver.body.hands import Hands
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import Role

INDEX = FINGERS.index("index")
CELL, COLUMNS = 200, 4  # pixels
UPRIGHT, THUMB_UP = (0.0, 0.0, np.pi / 2), (-np.pi / 2, 0.0, 0.0)  # how the T-pose is turned: fingers up, or the thumb
PALM, BETWEEN, SIDE = 70.0, 45.0, 18.0  # degrees of the camera's yaw; the first looks into the palm
HELD_AT = (-0.26, 1.05, 0.4)  # metres, in front of the right shoulder
AROUND = (  # title, kind, metres, how it is turned in degrees, the camera's yaw
    ("A stick", "stick", (0.03, 0.9, 0.03), (0.0, 0.0, 90.0), -20.0),
    ("Upright", "stick", (0.03, 0.9, 0.03), (0.0, 0.0, 0.0), 10.0),
    ("A cup", "cylinder", (0.075, 0.11, 0.075), (0.0, 0.0, 0.0), 10.0),
    ("A ball", "ball", (0.07, 0.07, 0.07), (0.0, 0.0, 0.0), -10.0),
)
YAWS = {
    "cupped": SIDE, "fist": BETWEEN, "loose_fist": BETWEEN, "ok": BETWEEN, "pinch": SIDE,
    "grip_thick": SIDE, "grip_thin": SIDE, "holding_a_cup": SIDE, "thumbs_up": 8.0, "relaxed": BETWEEN,
}  # fmt: skip


def hands(studio: Studio) -> QPixmap:
    """The left hand held in each of the sixteen ways."""
    studio.fresh()
    body, cells = body_of(studio.person), []
    for id, preset in HAND_PRESETS.items():
        turn = THUMB_UP if id == "thumbs_up" else UPRIGHT
        cells.append((preset.title, _hand(studio, preset_hands(id, body), YAWS.get(id, PALM), turn)))
    return stacked([row(cells[start : start + COLUMNS]) for start in range(0, len(cells), COLUMNS)])


def hands_panel(studio: Studio) -> QPixmap:
    """The panel after a click on a hand, with one finger bent further."""
    studio.fresh()
    section = studio.editor.panels.section("Hands")
    above = [studio.editor.panels.section(title) for title in ("Base pose", "Library", "Photo")]
    for each in above:
        each.set_open(False)
    section.set_open(True)
    section.bring_up()
    studio.settle()
    panel = studio.editor.panels.hands.panel
    assert isinstance(panel, HandsPanel)
    QTest.mouseClick(panel.grid.buttons["peace"], LEFT)
    studio.settle()
    picture = studio.screen(studio.area(section))
    section.set_open(False)
    for each in above:
        each.set_open(True)
    return picture


def _hand(studio: Studio, hands: Hands | None, yaw: float, turn: tuple[float, float, float] = UPRIGHT) -> QPixmap:
    person = studio.person
    pose = rest_pose(skeleton_of(person))
    rotations = np.array(pose.rotations)
    rotations[0] = from_rotation_vector(np.array(turn))
    pose = replace(pose, rotations=rotations)
    shown = replace(person, pose=pose, base_pose=pose, effectors=(), hands=hands)
    scene = SceneBuilder().build(
        Document().with_characters((shown,)), ViewState(grid=False), Look(*studio.editor.session_view.colors())
    )
    skeleton = skeleton_of(person)
    knuckles = forward_kinematics(skeleton, pose).positions[skeleton.index(Role.LEFT_HAND)].astype(np.float64)
    target = knuckles + ([-0.05, 0.035, 0.0] if turn is THUMB_UP else [0.0, 0.02, 0.008])
    camera = OrbitCamera(_triple(target), distance=0.42, yaw=np.radians(yaw), pitch=0.18)
    return _cell(studio, scene, camera)


def _triple(point: NDArray[np.floating]) -> tuple[float, float, float]:
    x, y, z = map(float, point)
    return x, y, z


def _cell(studio: Studio, scene: Scene, camera: OrbitCamera) -> QPixmap:
    pixels = studio.view.grab_scene(scene.without_tools(), camera, (CELL, CELL))
    height, width = pixels.shape[:2]
    image = QImage(np.ascontiguousarray(pixels).data, width, height, QImage.Format.Format_RGBA8888).copy()
    return QPixmap.fromImage(image)


def hands_drag(studio: Studio) -> QPixmap:
    """A close-up of a hand whose index finger is being dragged."""
    studio.fresh()
    session, person = studio.editor.session, studio.person
    session.edit("Spread", edits.set_hands(person.id, preset_hands("spread", body_of(person))))
    fingers = fingers_of(studio.person)[0]
    target = fingers.mean(axis=(0, 1))
    studio.view.set_camera(OrbitCamera(_triple(target), 0.66, yaw=np.pi / 2, pitch=0.1))
    studio.settle()
    start = studio.pixel(0.3 * fingers[INDEX, 2] + 0.7 * fingers[INDEX, 3])
    move_held(studio.view, start, buttons=Qt.MouseButton.NoButton)
    studio.drag(studio.view, start, QPoint(-4, -6), QPoint(34, -64), release=False)
    studio.settle()
    corner = studio.pixel(target) + studio.area(studio.view).topLeft() - QPoint(300, 250)
    picture = studio.screen(QRect(corner, QSize(560, 440)) & studio.area(studio.view))
    studio.strike(Qt.Key.Key_Escape)
    return picture


def hands_over_time(studio: Studio) -> QPixmap:
    """The left hand at five frames from a fist to a spread hand, as keys at two of them hold it."""
    studio.fresh()
    id, body = studio.person.id, body_of(studio.person)
    document = edits.set_clip_length(id, 40)(studio.session.document)
    for frame, preset in ((9, "fist"), (29, "spread")):
        document = edits.set_hands(id, preset_hands(preset, body))(document.at_frame(id, frame))
    cells = []
    for frame in (9, 14, 19, 24, 29):
        held = document.at_frame(id, frame).character(id)
        key = ", a key" if held.clip.key(frame) else ""
        cells.append((f"Frame {frame + 1}{key}", _hand(studio, held.hands, BETWEEN)))
    return row(cells)


def hands_around(studio: Studio) -> QPixmap:
    """The right hand around two sticks, a cup and a ball, as drags with S leave it."""
    cells = []
    for title, kind, size, turn, yaw in AROUND:
        studio.fresh()
        who = studio.person.id
        studio.editor.actions[f"prop.{kind}"].trigger()
        studio.settle()
        turned = np.asarray(from_rotation_vector(np.radians(turn)), np.float32)
        base = np.array(HELD_AT) - turned @ np.array([0.0, size[1] / 2, 0.0])
        prop = replace(studio.session.document.props[-1].sized(size), turn=turned, place=base.astype(np.float32))
        studio.session.edit("Put", edits.put_prop(prop))
        studio.session.select(who)
        studio.look(target=(-0.1, 1.1, 0.2), distance=2.0, yaw=-0.6, pitch=0.4)
        start = studio.place(Role.RIGHT_WRIST)
        QTest.mousePress(studio.view, LEFT, pos=start)
        move_held(studio.view, start + QPoint(8, 8))
        QTest.keyPress(studio.view, Qt.Key.Key_S)
        end = studio.pixel(prop.middle)
        move_held(studio.view, end)
        studio.solved()
        QTest.mouseRelease(studio.view, LEFT, pos=end)
        QTest.keyRelease(studio.view, Qt.Key.Key_S)
        studio.settle()
        cells.append((title, _near_hand(studio, np.asarray(prop.middle, np.float64), yaw)))
    return row(cells)


def _near_hand(studio: Studio, target: NDArray[np.float64], yaw: float) -> QPixmap:
    camera = OrbitCamera(_triple(target), distance=0.75, yaw=np.radians(yaw), pitch=0.15)
    return _cell(studio, studio.view.scene, camera)


HAND_PICTURES: dict[str, Picture] = {
    "hands": hands, "hands-panel": hands_panel, "hands-drag": hands_drag, "hands-over-time": hands_over_time,
    "hands-around": hands_around,
}  # fmt: skip
