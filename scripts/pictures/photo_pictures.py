"""The pictures of photos: some of our own bodies photographed in a drawn room, read back by the networks."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from app.dialogs.people_dialog import PeopleDialog
from app.document import edits
from app.document.exchange.label_files import FOLDER, files_of
from app.document.exchange.label_folder import save_label
from app.document.exchange.photo_document import document_of_photo
from app.document.model.document import Document
from app.document.scene_file.photo_link import sha256_of
from app.viewport.overlays.photo_box import PhotoBox
from app.viewport.overlays.photo_points import PhotoPoints
from app.window.editor import Editor
from rendering.camera.camera import PhotoView
from scripts.pictures.drawn_photo import HALL, Posed, Room, draw_photo
from scripts.pictures.manual_studio import Picture, Studio

ROOM = Room((1080, 810), 1.55, -0.13, 42.0, 4.5, 2)
PEOPLE = (
    Posed(4, 3, 0.9, (-0.75, -3.6), "#a14a3b", "#d9a383"),
    Posed(10, 10, -0.5, (0.75, -3.9), "#3d6b8f", "#9a6a48"),
)
TWO_PEOPLE = Path(__file__).resolve().parents[2] / "tests" / "data" / "photos" / "two_people.jpg"
ACROSS = 840  # pixels of a picture of a whole photo
SHIFT = Qt.KeyboardModifier.ShiftModifier


def people(studio: Studio) -> QPixmap:
    """Four people that were found, with only the photo on the left of a divider."""
    studio.fresh()
    open_drawn(studio.editor)
    studio.until(lambda: studio.session.view.through_photo)
    studio.session.select("")
    studio.rest_pointer()
    studio.strike(Qt.Key.Key_W, SHIFT)
    picture = studio.screen(_photo_area(studio, (0.01, 0.12, 0.99, 0.99), HALL.size))
    studio.strike(Qt.Key.Key_W, SHIFT)
    return picture.scaledToWidth(ACROSS, Qt.TransformationMode.SmoothTransformation)


def open_drawn(editor: Editor) -> None:
    """Open the picture of four people, accept everyone found, and wait until they are posed."""
    before = editor.session.document

    def agree() -> None:
        modal = QApplication.activeModalWidget()
        if isinstance(modal, PeopleDialog):
            buttons = modal.findChild(QDialogButtonBox)
            assert buttons is not None
            QTest.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)

    timer = QTimer()
    timer.timeout.connect(agree)
    timer.start(100)
    editor.files.open_path(Path(_hall().name, "hall.jpg"))
    while editor.session.document is before or editor.session.document.photo is None:
        QTest.qWait(50)
    timer.stop()


@cache
def _hall() -> tempfile.TemporaryDirectory[str]:
    """Where the picture lies until the program ends, since the window reads it again."""
    folder = tempfile.TemporaryDirectory()
    draw_photo(Path(folder.name, "hall.jpg"))
    return folder


def doubt(studio: Studio) -> QPixmap:
    """The points in the photo, some of them guesses, and the pointer on a mark, whose other reading shows."""
    points = _opened(studio)
    marks = lambda: [mark for mark in points.marks.by_limb.values() if mark.isVisible()]  # noqa: E731
    studio.until(lambda: bool(marks()))
    mark = marks()[0]
    middle = QPointF(mark.rect().center())  # entered by an event: on a scaled screen the pointer lands elsewhere
    QApplication.sendEvent(mark, QEnterEvent(middle, middle, QPointF(mark.mapToGlobal(middle))))
    studio.until(lambda: studio.session.view.reading is not None)
    picture = studio.screen(_photo_area(studio, (0.0, 0.3, 0.76, 1.0)))
    _left(studio, points)
    return picture


def box(studio: Studio) -> QPixmap:
    """A picture as backdrop: one of its people found in a box, the other's box just drawn."""
    studio.fresh()
    people = (437, 58, 854, 661), (101, 93, 495, 659)  # pixels of the photo
    studio.editor.photos.start_backdrop(TWO_PEOPLE, lambda _said: None)
    studio.until(lambda: studio.session.view.through_photo)
    studio.session.edit("Nobody yet", edits.remove_character(studio.session.document.characters[0].id))
    studio.settle()
    for number, (left, top, right, bottom) in enumerate(people):
        studio.strike(Qt.Key.Key_F, SHIFT)
        lens = studio.view.camera
        assert isinstance(lens, PhotoView)
        across, down, scale = lens.image_rect(studio.view.width(), studio.view.height())
        start = QPoint(round(across + scale * left), round(down + scale * top))
        way = QPoint(round(scale * (right - left)), round(scale * (bottom - top)))
        studio.drag(_box_of(studio), start, way, release=number == 0)
        if number == 0:
            studio.until(lambda: bool(studio.session.document.characters))
            studio.session.set_view(handles=False, outline=True)
            studio.settle()
    picture = studio.screen(studio.area(studio.view).adjusted(60, 120, -60, -160))
    for _ in range(2):
        QTest.keyClick(_box_of(studio), Qt.Key.Key_Escape)
    studio.session.set_view(handles=True, outline=False, through_photo=False)
    return picture.scaledToWidth(600, Qt.TransformationMode.SmoothTransformation)  # nothing small to read in it


def _box_of(studio: Studio) -> PhotoBox:
    tool = studio.view.findChild(PhotoBox)
    assert tool is not None
    return tool


def floor(studio: Studio) -> QPixmap:
    """Horizon and floor, with the pointer on one of the floor's lines."""
    points = _opened(studio)
    studio.strike(Qt.Key.Key_L, SHIFT)
    studio.strike(Qt.Key.Key_H, SHIFT)
    picture = studio.screen(_photo_area(studio, (0.0, 0.3, 1.0, 1.0)))
    studio.strike(Qt.Key.Key_H, SHIFT)
    studio.strike(Qt.Key.Key_L, SHIFT)
    _left(studio, points)
    return picture


def labelling(studio: Studio) -> QPixmap:
    """The bar over a folder, some of whose pictures are checked."""
    folder = Path(tempfile.mkdtemp())
    draw_photo(folder / "room-01.jpg", PEOPLE, ROOM)
    document = document_of_photo(folder / "room-01.jpg")
    for number in range(2, 13):
        shutil.copy(folder / "room-01.jpg", folder / f"room-{number:02}.jpg")
    (folder / FOLDER).mkdir()
    for place, files in enumerate(files_of(folder, folder / FOLDER)):
        of_it = edits.relink_photo(str(files.picture), sha256_of(files.picture))(document)
        save_label(files, of_it, checked=place < 4)
    studio.fresh()
    labels = studio.editor.labels
    labels.open(folder)
    studio.until(lambda: labels.bar is not None and labels.bar.isVisible())
    studio.session.set_view(body_opacity=0.8)
    studio.rest_pointer()
    whole = _photo_area(studio, (0.0, 0.0, 1.0, 1.0))
    assert labels.bar is not None
    bar = studio.area(labels.bar)
    picture = studio.screen(QRect(bar.left(), bar.top(), bar.width(), whole.bottom() - bar.top()))
    studio.strike(Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    studio.session.set_view(through_photo=False, body_opacity=1.0)
    return picture


def _opened(studio: Studio) -> PhotoPoints:
    """The photo's people in the window, seen by its camera, with the points of the first."""
    folder = tempfile.mkdtemp()
    path = Path(folder, "room.jpg")
    draw_photo(path, PEOPLE, ROOM)
    document: Document = document_of_photo(path)
    studio.fresh()
    studio.session.open(document)
    studio.session.set_view(through_photo=True, body_opacity=0.8, handles=False)
    studio.settle()
    if not studio.editor.session_view.over_photo.has_points:
        studio.strike(Qt.Key.Key_L, SHIFT)
    found = studio.view.findChild(PhotoPoints)
    assert found is not None
    studio.rest_pointer()
    return found


def _left(studio: Studio, points: PhotoPoints) -> None:
    points.set_shown(False)
    studio.session.set_view(through_photo=False, body_opacity=1.0, handles=True)


def _photo_area(studio: Studio, part: tuple[float, float, float, float], size: tuple[int, int] = ROOM.size) -> QRect:
    """A part of the photo in the window. part: left, top, right, bottom, as shares of the photo of that size."""
    camera, view = studio.view.camera, studio.area(studio.view)
    assert isinstance(camera, PhotoView)
    left, top, scale = camera.image_rect(studio.view.width(), studio.view.height())
    x0, y0, x1, y1 = part
    corner = view.topLeft() + QPoint(round(left + x0 * scale * size[0]), round(top + y0 * scale * size[1]))
    return QRect(corner.x(), corner.y(), round((x1 - x0) * scale * size[0]), round((y1 - y0) * scale * size[1])) & view


PHOTO_PICTURES: dict[str, Picture] = {
    "photo-people": people,
    "photo-box": box,
    "photo-doubt": doubt,
    "photo-floor": floor,
    "labelling": labelling,
}
