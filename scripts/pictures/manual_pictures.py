"""Makes the manual's pictures from the real window, all of them or those named.

xvfb-run -a -s "-screen 0 2400x1500x24" .venv/bin/python -m scripts.pictures.manual_pictures [NAME…]
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip

from app.dialogs.gallery import Gallery
from app.document import edits
from scripts.arguments import one_of, script_parser
from scripts.pictures.between_pictures import BETWEEN_PICTURES
from scripts.pictures.body_pictures import BODY_PICTURES
from scripts.pictures.hand_pictures import HAND_PICTURES
from scripts.pictures.library_pictures import LIBRARY_PICTURES
from scripts.pictures.look_pictures import LOOK_PICTURES
from scripts.pictures.manual_studio import BOTH, LEFT, Picture, Studio, row, studio_window
from scripts.pictures.motion_pictures import MOTION_PICTURES
from scripts.pictures.moving_pictures import MOVING_PICTURES
from scripts.pictures.own_character_pictures import OWN_CHARACTER_PICTURES
from scripts.pictures.photo_pictures import PHOTO_PICTURES
from scripts.pictures.prop_pictures import PROP_PICTURES
from scripts.pictures.six_poses import six_poses
from scripts.pictures.solver_pictures import SOLVER_PICTURES
from scripts.pictures.standing_pictures import STANDING_PICTURES
from solver.ik.preserve_modes import PRESERVE_MODES
from solver.rig.roles import Role

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "manual" / "images"
SCALE = 1.5  # pixels of a picture for each logical one
FEW_COLORS = (
    "comparison", "contact-floor", "contacts", "gaze", "hands", "hands-drag", "hands-over-time", "hands-panel",
    "joint-map", "jump", "labelling", "library", "lights", "modes", "more-like-this", "moving-group", "moving-number",
    "moving-people", "moving-settled", "only-limb", "out-of-bed", "own-skin", "photo-doubt", "photo-floor", "reasons",
    "six-poses", "skelik", "solvers", "solvers-kept", "solvers-tolerance", "table-and-cup", "timeline", "trackers",
    "variations",
)  # fmt: skip
LIKED = 3  # which of the variations is taken


def base_pose(studio: Studio) -> QPixmap:
    """The panel, with one arm's place and the head's shape kept."""
    studio.fresh()
    studio.posture(5, 2)
    id, rows = studio.person.id, studio.editor.panels.base_pose.rows
    session = studio.session
    session.edit("Keep place", edits.keep_place(id, edits.scope_joints("right arm", ()), True), solve=True)
    session.edit("Keep shape", edits.keep_shape(id, edits.scope_joints("torso", ()), True), solve=True)
    session.edit("Keep shape", edits.keep_shape(id, [Role.LEFT_KNEE], True), solve=True)
    session.edit("Strength", edits.set_preserve_strength(id, 0.5, "shape"), solve=True)
    studio.move(Role.LEFT_WRIST, (0.0, 0.05, 0.1))
    studio.editor.panels.base_pose.advanced.set_open(True)
    fold = rows["right arm"].fold
    assert fold is not None
    QTest.mouseClick(fold, LEFT)
    studio.settle()
    picture = studio.screen(studio.area(studio.editor.panels.section("Base pose")))
    QTest.mouseClick(fold, LEFT)
    studio.editor.panels.base_pose.advanced.set_open(False)
    return picture


def modes(studio: Studio) -> QPixmap:
    """One drag of pinned hips in each of the four modes."""
    return row([(mode.title, _hips(studio, mode.id, "smplik")) for mode in PRESERVE_MODES])


def skelik(studio: Studio) -> QPixmap:
    """What two solvers make of one drag with nothing kept, and with everything kept."""
    shown = [("SMPL-IK, Global", "global", "smplik"), ("SKEL-IK, Global", "global", "skelik")]
    shown += [("SMPL-IK, Local", "local", "smplik"), ("SKEL-IK, Local", "local", "skelik")]
    return row([(title, _hips(studio, mode, solver)) for title, mode, solver in shown])


def _hips(studio: Studio, mode: str, solver: str) -> QPixmap:
    studio.fresh()
    studio.look(target=(-0.1, 0.83, 0.0), distance=6.4, yaw=0.3, pitch=0.1)
    session, id = studio.session, studio.person.id
    session.edit("Solver", edits.set_solver(id, solver))
    studio.posture(1, 11)
    chosen = next(each for each in PRESERVE_MODES if each.id == mode)
    session.edit("Mode", edits.set_preserve_mode(id, chosen))
    studio.move(Role.PELVIS, (0.2, -0.12, 0.05), pinned=True)
    session.set_view(ghost=True)
    session.select(id)
    studio.rest_pointer()
    middle = studio.area(studio.view).topLeft() + studio.pixel((-0.1, 0.83, 0.0))
    return studio.screen(QRect(middle.x() - 120, middle.y() - 176, 240, 344))


def only_limb(studio: Studio) -> QPixmap:
    """The middle of a Ctrl+Shift-drag: all but the arm is grey."""
    studio.fresh()
    studio.posture(5, 10)
    studio.look(target=(0.0, 0.72, 0.1), distance=4.7, yaw=0.5, pitch=0.12)
    hand = studio.place(Role.LEFT_WRIST)
    ways = [QPoint(2 * n, -9 * n) for n in range(1, 11)]
    studio.drag(studio.view, hand, *ways, keys=BOTH, release=False)
    picture = studio.screen(studio.area(studio.view).adjusted(0, 0, 0, -150))
    QTest.mouseRelease(studio.view, LEFT, BOTH, hand + ways[-1])
    return picture


def reasons(studio: Studio) -> QPixmap:
    """A hand that is held back by what is kept, with what its row says."""
    studio.fresh()
    studio.posture(1, 5)
    session, id = studio.session, studio.person.id
    session.edit("Keep place", edits.keep_place(id, edits.scope_joints("torso", ()), True), solve=True)
    studio.move(Role.RIGHT_WRIST, (-0.25, 0.1, 0.5))
    studio.look(target=(0.35, 1.12, 0.0), distance=5.2, yaw=-0.35, pitch=0.12)
    studio.rest_pointer()
    rows = studio.editor.panels.effectors.rows
    said = next(each for each in rows if each.effector_id == studio.effector(Role.RIGHT_WRIST).id)
    place = said.mapToGlobal(QPoint(120, 14))
    QToolTip.showText(place, said.toolTip(), said)
    left, view = studio.area(studio.editor.panels.section("Effectors")), studio.area(studio.view)
    picture = studio.screen(QRect(left.left(), view.top(), 790, 560))
    QToolTip.hideText()
    return picture


def variations(studio: Studio) -> QPixmap:
    """The gallery beside the figure that it is for."""
    gallery = _gallery(studio)
    return _beside_gallery(studio, gallery)


def more_like_this(studio: Studio) -> QPixmap:
    """Poses like one that was chosen."""
    gallery = _gallery(studio)
    QTest.mouseClick(gallery.tiles[LIKED], LEFT)
    studio.settle()
    first = gallery.tiles[0]
    QTest.mouseClick(gallery.like, LEFT)
    studio.until(lambda: bool(gallery.tiles) and gallery.tiles[0] is not first)
    _drawn(studio, gallery)
    return _beside_gallery(studio, gallery)


def _beside_gallery(studio: Studio, gallery: Gallery) -> QPixmap:
    place, view = studio.area(gallery), studio.area(studio.view)
    picture = studio.screen(place.united(view))
    studio.editor.pose_browsers.variations.close()
    return picture


def _gallery(studio: Studio) -> Gallery:
    studio.fresh()
    id = studio.person.id
    feet = [each.id for each in studio.person.effectors if each.joint == Role.RIGHT_ANKLE]
    studio.session.edit("Make loose", edits.make_loose(id, feet), solve=True)
    studio.move(Role.LEFT_WRIST, (0.1, 0.75, 0.35))
    studio.move(Role.RIGHT_WRIST, (-0.2, 0.2, 0.2))
    studio.session.select(id)
    studio.look(target=(0.0, 0.86, 0.0), distance=5.2, yaw=0.45, pitch=0.12)
    studio.rest_pointer()
    studio.strike(Qt.Key.Key_V)
    gallery = studio.editor.pose_browsers.variations.gallery
    assert gallery is not None
    _drawn(studio, gallery)
    return gallery


def _drawn(studio: Studio, gallery: Gallery) -> None:
    studio.until(lambda: bool(gallery.tiles) and all(tile.drawn for tile in gallery.tiles))
    studio.settle()


def contacts(studio: Studio) -> QPixmap:
    """Hands on hips, crossed arms, a chin on a hand, and two people who hold hands."""
    shown: list[tuple[str, QPixmap]] = []
    for id in ("hips", "crossed", "chin", "hands"):
        studio.fresh()
        if id == "hands":
            studio.strike(Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
        studio.editor.refresh()
        studio.editor.actions[f"contact.{id}"].trigger()
        studio.settle()
        two = id == "hands"
        middle = studio.person.pose.root_position[0] / 2 if two else 0.0
        studio.look(target=(middle, 1.2, 0.0), distance=3.4 if two else 2.6, yaw=0.35, pitch=0.08)
        studio.rest_pointer()
        joint = Role.RIGHT_WRIST if two else Role.SPINE3
        title, place = studio.editor.actions[f"contact.{id}"].text(), studio.around(joint, 330, 420, 0.45)
        shown.append((title, studio.screen(place)))
    return row(shown)


def contact_floor(studio: Studio) -> QPixmap:
    """A hand that was dragged onto the floor with S, and the list that says so."""
    studio.fresh()
    studio.look(target=(0.1, 0.75, 0.2), distance=4.2, yaw=0.75, pitch=0.25)
    x, _, z = studio.person.pose.root_position.tolist()
    start, end = studio.place(Role.LEFT_WRIST), studio.pixel((x + 0.35, 0.0, z + 0.45))
    studio.drag(studio.view, start, QPoint(5, 5), end - start, release=False)
    QTest.keyPress(studio.view, Qt.Key.Key_S)
    studio.drag_on(start, end - start)
    QTest.keyRelease(studio.view, Qt.Key.Key_S)
    studio.rest_pointer()
    studio.look(target=(0.25, 0.3, 0.25), distance=3.2, yaw=0.75, pitch=0.2)
    view = studio.area(studio.view)
    return studio.screen(QRect(0, view.top() + 60, view.right() - 120, 560))


PICTURES: dict[str, Picture] = {
    "base-pose": base_pose,
    "modes": modes,
    "only-limb": only_limb,
    "reasons": reasons,
    "skelik": skelik,
    "variations": variations,
    "more-like-this": more_like_this,
    "contacts": contacts,
    "contact-floor": contact_floor,
    **BODY_PICTURES,
    **BETWEEN_PICTURES,
    **HAND_PICTURES,
    **LOOK_PICTURES,
    **LIBRARY_PICTURES,
    **MOTION_PICTURES,
    **MOVING_PICTURES,
    **OWN_CHARACTER_PICTURES,
    **PHOTO_PICTURES,
    **PROP_PICTURES,
    "six-poses": six_poses,
    **SOLVER_PICTURES,
    **STANDING_PICTURES,
}


def write(picture: QPixmap, path: Path) -> None:
    """Write a picture, its colours in steps of two, which nobody sees and which makes the file a third smaller.

    For hands and figures on an even ground 256 colours are enough, if they are chosen anew from where the first choice
    leads: by that one alone skin has blotches, and what is small, such as the colour of a person, turns grey.
    """
    image = picture.toImage().convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    pixels = rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3)
    drawn = Image.fromarray((pixels | 1) - (pixels < 2))
    if path.stem in FEW_COLORS:
        drawn = drawn.quantize(256, kmeans=4, dither=Image.Dither.NONE)
    drawn.save(path, optimize=True)


def main() -> None:
    """Make the pictures of the names given, or all."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("names", nargs="*", type=one_of(PICTURES), metavar="NAME", help=f"of: {', '.join(PICTURES)}")
    names = parser.parse_args().names
    os.environ.setdefault("QT_SCALE_FACTOR", str(SCALE))
    IMAGES.mkdir(parents=True, exist_ok=True)
    with studio_window() as editor:
        studio = Studio(editor)
        for name in names or PICTURES:
            write(PICTURES[name](studio), IMAGES / f"{name}.png")
            print(f"wrote docs/manual/images/{name}.png")


if __name__ == "__main__":
    main()
