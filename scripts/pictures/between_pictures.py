"""The manual's pictures of what people do between two keys: out of bed, down by a jump; and of the dialog for speed."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRect
from PySide6.QtGui import QPixmap

from app.benchmark.walk import walk
from app.document import edits
from app.document.model.document import Document
from app.panels.timeline.speed_dialog import SpeedDialog
from scripts.motions.beds_between_keys import WAYS, going
from scripts.motions.climbs_between_keys import CLIMBS, climbing
from scripts.motions.walks_between_keys import FPS, PEOPLE
from scripts.pictures.manual_studio import SIZE, Picture, Studio, row
from scripts.pictures.prop_pictures import WOOD
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.formats.bvh.write import write_bvh


def out_of_bed(studio: Studio) -> QPixmap:
    """Moments of somebody who lies on a bed at one key and stands beside it at the other."""
    _open(studio, going(WAYS["off the back, 45 cm"], PEOPLE["female"]))
    studio.look(target=(0.27, 0.8, 0.12), distance=7.6, yaw=0.6, pitch=0.28)
    return _moments(studio, (0, 34, 58, 86, 130), (-130, -180, 260, 330))


def jump(studio: Studio) -> QPixmap:
    """Moments of somebody who stands on a box at one key and before it at the other, a second later."""
    _open(studio, climbing(CLIMBS["in haste, down 45 cm, 1 s"], PEOPLE["female"]))
    studio.look(target=(0.0, 0.98, 0.45), distance=7.6, yaw=0.85, pitch=0.12)
    return _moments(studio, (0, 8, 16, 20, 30), (-130, -195, 260, 370))


def speed(studio: Studio) -> QPixmap:
    """The dialog, with a walk that is to go half as fast again."""
    studio.fresh()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "walk.bvh")
        write_bvh(path, load_body(DEFAULT_BODY).skeleton(BodyShape()), walk())
        studio.open(path)
    clip = studio.person.clip
    dialog = SpeedDialog(studio.person.name, len(clip), clip.fps, True, parent=studio.editor.window)
    dialog.show()
    dialog.percent.setValue(150.0)
    studio.settle()
    picture = studio.screen(studio.area(dialog).adjusted(1, 1, -1, -1))
    dialog.close()
    return picture


def _open(studio: Studio, document: Document) -> None:
    studio.fresh()
    (prop,) = document.props
    studio.session.open(edits.set_prop_color(prop.id, WOOD)(document))
    studio.editor.window.setGeometry(0, 0, *SIZE)
    studio.session.set_view(handles=False)
    studio.settle()


def _moments(studio: Studio, frames: Sequence[int], crop: tuple[int, int, int, int]) -> QPixmap:
    """The view at those frames, side by side. crop: left, top, width and height about the view's middle."""
    left, top, width, height = crop
    middle = studio.area(studio.view).center()
    place, shown = QRect(middle.x() + left, middle.y() + top, width, height), []
    for frame in frames:
        studio.editor.player.go_to(frame)
        studio.rest_pointer()
        shown.append((f"{frame / FPS:.1f} s", studio.screen(place)))
    studio.session.set_view(handles=True)
    return row(shown)


BETWEEN_PICTURES: dict[str, Picture] = {"out-of-bed": out_of_bed, "jump": jump, "speed": speed}
