"""The photo behind the scene: how strongly it shows, looking through its camera, its lens, and its people's place."""

from __future__ import annotations

from os.path import isfile  # False where the system refuses to look, where Path's raise OSError
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QVBoxLayout, QWidget

from app.document import edits
from app.document.model.document import GUESSED, NOTED, SET, UNKNOWN, Document, Photo
from app.document.model.history import Edit
from app.panels.widgets.buttons import NoWheelComboBox
from app.panels.widgets.external_text import LONGEST_WORD, escaped, shortened
from app.panels.widgets.scrub import bind_scrub
from app.panels.widgets.section import horizontal_layout, panel_layout, vertical_layout, wrapped_label
from app.panels.widgets.value_slider import ValueSlider
from app.services.session import Session
from solver.focal_length import NO_LENS, equivalent_mm, focal_px, is_panorama

if TYPE_CHECKING:
    from app.panels.camera_distance_rows import CameraDistanceRows
    from app.panels.photo_buttons import PhotoButtons


# People say next to nothing about the focal length: see docs/photo.md.
FOCAL_SURE = {
    NOTED: "From the file.",
    GUESSED: "A guess: ×/÷ 1.4. The file does not state it, and the people in a picture say little about it.",
    SET: "Set by hand, or by the estimator that read the people.",
    UNKNOWN: "",
}
OF_PANORAMA = {
    NOTED: "From the file, whose camera noted that of a single shot.",
    GUESSED: "A guess, as the file does not state it.",
}

LARGE = 2048  # pixels of the longer side, to which no picture is scaled down to be worked on


class PhotoPanel(QWidget):
    """open_asked(), find_asked(), look_asked(through): by the user; the second if the photo's file is missing."""

    open_asked = Signal()
    find_asked = Signal()
    look_asked = Signal(bool)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.name: QLabel = wrapped_label()
        self.choice: NoWheelComboBox | None = None  # of several: made once there are some
        self.unsure: QLabel = wrapped_label()  # whose pose is hardly more than a guess, or who may face the other way
        self.is_right = QPushButton()  # says so of the active person, if that is one of them
        self.is_right.setProperty("flat", True)
        self.is_right.setToolTip("Nothing needs correcting: this takes the note away")
        self.is_right.clicked.connect(self._look_over)
        self.doubt = vertical_layout(self.unsure, horizontal_layout(self.is_right, stretch=True))
        self._sized = "", (0, 0), (0, 0)  # the last photo's path, its size as it is worked on, and in its file
        self._numbered: tuple[Photo, ...] = ()  # in the order of the list
        self._order: list[int] = []  # their places in the document
        self._lenses: tuple[Document, Document] | None = None  # before and after the last changes of the focal length
        self.open = QPushButton("Open a photo…")
        self.open.clicked.connect(self.open_asked)
        self.find_file = QPushButton("Find the file…")
        self.find_file.setToolTip("Say where the photo's file is now; camera and people stay as they are")
        self.find_file.clicked.connect(self.find_asked)
        self.shown = QCheckBox("Show the photo")
        self.shown.clicked.connect(self._set_visible)
        self.opacity = ValueSlider("Photo opacity", 0.0, 1.0, default=1.0, decimals=2)
        bind_scrub(self.opacity, session, lambda: "Change photo opacity", self._set_opacity, solve=False)
        self.bodies = ValueSlider("Body opacity", 0.0, 1.0, default=1.0, decimals=2)
        self.bodies.setToolTip("How strongly people show while you look through the photo's camera")
        self._before: float | None = None  # the body opacity when a scrub of it began
        self.bodies.edited.connect(self._set_bodies)
        self.bodies.finished.connect(self._keep_bodies)
        self.bodies.cancelled.connect(self._put_bodies_back)
        self.outline = QCheckBox("Outlines only")
        self.outline.setToolTip("People are outlines over the photo while you look through its camera")
        self.outline.clicked.connect(lambda on: session.set_view(outline=on))
        self.look = QCheckBox("Look through its camera")
        self.look.clicked.connect(self.look_asked)
        self.focal = ValueSlider("Focal length", 14, 200, default=50, decimals=1, suffix=" mm")
        self.focal.setToolTip(
            "35 mm equivalent, across the picture's diagonal. People's distances follow; after a large change, "
            "Read again lays a person onto the picture anew"
        )
        bind_scrub(self.focal, session, lambda: "Change focal length", self._set_focal, solve=False)
        self.focal_sure: QLabel = wrapped_label()  # how sure the focal length is
        self._held = (self.shown, self.opacity, self.bodies, self.outline, self.look, self.focal)
        self.remove = QPushButton("Remove photo")
        self.remove.setProperty("flat", True)
        self.remove.clicked.connect(self._remove)
        self.sight: CameraDistanceRows | None = None  # made with the first photo, as are the buttons
        self.buttons: PhotoButtons | None = None
        panel_layout(
            self,
            self.name,
            self.find_file,
            horizontal_layout(self.open, self.remove, stretch=True),
            self.doubt,  # what comes and goes is below the buttons, which stay under the mouse
            *self._held,
            self.focal_sure,
        )

    def leaveEvent(self, event: QEvent) -> None:
        """The room kept for a note that is gone closes."""
        super().leaveEvent(event)
        self.doubt.setMinimumHeight(0)
        self.doubt.setVisible(bool(self.unsure.text()))

    def refresh(self) -> None:
        """Show the document's photo."""
        self._refresh_sight()
        photo = self._session.document.photo
        self._refresh_choice()
        self._refresh_unsure()
        missing = photo is not None and not isfile(photo.path)
        self.find_file.setVisible(missing)
        for widget in (*self._held, self.remove):
            widget.setVisible(photo is not None)
        self.focal_sure.setText(_how_sure(photo) if photo is not None else "")
        self.focal_sure.setVisible(bool(self.focal_sure.text()))
        if photo is None:
            self.name.setText("Open a photo, or drop one onto the window: the people in it become bodies to pose.")
            self.open.setText("Open a photo…")
            return
        width, height = self._size_of(photo)
        there = " (the file is missing)" if missing else ""
        self.name.setText(f"{PureWindowsPath(photo.path).name}, {width} × {height}{there}")  # splits at both slashes
        self.open.setText("Open another…")
        self.shown.setChecked(photo.visible)
        self.opacity.set_value(round(photo.opacity, 3))
        self.bodies.set_value(round(self._session.view.body_opacity, 3))
        self.bodies.setEnabled(self._session.view.through_photo)
        self.outline.setChecked(self._session.view.outline)
        self.outline.setEnabled(self._session.view.through_photo)
        self.look.setChecked(self._session.view.through_photo)
        self.focal.set_value(_shown_mm(photo))

    def _size_of(self, photo: Photo) -> tuple[int, int]:
        """Width and height of a photo in its file; a large one is worked on as a smaller copy."""
        size = photo.camera.image_size
        if max(size) <= LARGE:
            return size
        if self._sized[:2] != (photo.path, size):
            from app.document.exchange.label import in_pixels_of_file  # only for a large one

            self._sized = photo.path, size, in_pixels_of_file(photo).image_size
        return self._sized[2]

    def _refresh_choice(self) -> None:
        photos = self._session.document.photos
        if len(photos) < 2:
            self._numbered, self._order = photos, list(range(len(photos)))
            if self.choice is not None:
                self.choice.hide()
            return
        if self.choice is None:
            self.choice = NoWheelComboBox()
            self.choice.setToolTip("Which of the scene's photos stands behind it, with its own camera")
            self.choice.activated.connect(self._choose)
            column = self.layout()
            assert isinstance(column, QVBoxLayout)
            column.insertWidget(column.indexOf(self.find_file) + 1, self.choice)
        self.choice.show()
        from app.document.in_photo.photo_list import in_order, photo_names  # only once there are several

        order = self._order = in_order(photos, self._numbered)
        self._numbered = tuple(photos[place] for place in order)
        names = photo_names([photo.path for photo in self._numbered])
        if names != [self.choice.itemText(i) for i in range(self.choice.count())]:
            self.choice.clear()
            self.choice.addItems(names)
        self.choice.setCurrentIndex(order.index(0))

    def _refresh_unsure(self) -> None:
        document, text, right = self._session.document, "", ""
        if any(one.sighting is not None for one in document.characters):
            from app.document.in_photo.unsure_people import in_doubt, words_about_unsure  # only once somebody was read

            active = self._session.view.character
            text = words_about_unsure(document, active, lambda name: shortened(name, LONGEST_WORD))
            right = next((shortened(one.name, LONGEST_WORD) for one in in_doubt(document) if one.id == active), "")
        self.unsure.setText(text)
        self.unsure.setVisible(bool(text))
        self.doubt.setVisible(bool(text) or self.doubt.minimumHeight() > 0)
        self.is_right.setText(escaped(f"{right} is fine"))
        self.is_right.setVisible(bool(right))

    def _look_over(self) -> None:
        from app.document.in_photo.looked_over import look_over

        if (active := self._session.active) is not None:
            if self.is_right.underMouse():  # its room stays, or what is below would come up under the mouse
                self.doubt.setMinimumHeight(self.doubt.height())
            self._session.edit(f"{active.name} is fine", look_over({active.id}))

    def _choose(self, chosen: int) -> None:
        from app.services.steps.photo_choice import show_photo  # only once there are several

        show_photo(self._session, self._order[chosen])

    def _refresh_sight(self) -> None:
        layout = self.layout()
        if self.sight is None and self._session.document.photo is not None and layout is not None:
            from app.panels.camera_distance_rows import CameraDistanceRows
            from app.panels.photo_buttons import PhotoButtons

            assert isinstance(layout, QVBoxLayout)
            self.buttons = PhotoButtons(self.window())
            layout.insertWidget(layout.indexOf(self.doubt), self.buttons)
            self.sight = CameraDistanceRows(self._session)
            layout.addWidget(self.sight)
        if self.buttons is not None:
            self.buttons.setVisible(self._session.document.photo is not None)
        if self.sight is not None:
            self.sight.refresh()

    def _set_visible(self, visible: bool) -> None:
        self._session.edit("Show photo" if visible else "Hide photo", edits.set_photo_visible(visible))

    def _set_opacity(self, value: float) -> Edit | None:
        return edits.set_photo_opacity(value) if self._session.document.photo else None

    def _set_bodies(self, value: float) -> None:
        if self._before is None:
            self._before = self._session.view.body_opacity
        self._session.set_view(body_opacity=value)

    def _keep_bodies(self) -> None:
        self._before = None

    def _put_bodies_back(self) -> None:
        if self._before is not None:
            self._session.set_view(body_opacity=self._before)
            self._before = None

    def _remove(self) -> None:
        self._session.edit("Remove photo", edits.set_photo(None))

    def _set_focal(self, millimetres: float) -> Edit | None:
        from app.document.in_photo.focal_length import set_focal  # only once there is a photo

        document = self._session.document
        start, last = self._lenses or (document, document)
        if last.actors is not document.actors or last.photos is not document.photos:
            start = document  # something else was done since
        photo = start.photo
        if photo is None:
            return None
        same = round(millimetres, 1) == _shown_mm(photo)  # as it is shown; a scrub back may begin from a rounded value
        camera = photo.camera
        change = set_focal(start, camera.focal_px if same else focal_px(millimetres, camera.image_size))

        def edit(now: Document) -> Document:
            after = change(now)
            self._lenses = (start, after)
            return after

        return edit


def _shown_mm(photo: Photo) -> float:
    return round(equivalent_mm(photo.camera.focal_px, photo.camera.image_size), 1)


def _how_sure(photo: Photo) -> str:
    """Where the focal length of a photo comes from, and what it cannot be right about."""
    if not is_panorama(photo.camera.image_size):
        return FOCAL_SURE[photo.focal_from]
    return f"{OF_PANORAMA.get(photo.focal_from, FOCAL_SURE[photo.focal_from])} {NO_LENS}".strip()
