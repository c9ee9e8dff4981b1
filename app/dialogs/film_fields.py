"""What the export dialog asks about a moving picture."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QSpinBox, QWidget

from app.dialogs.proportions import Proportions
from app.document.model.bookmark import Bookmark
from app.film.film import Film
from app.film.film_file import LARGEST_SIDE, MOST_FPS, MOVING, film_rate, mp4_works
from app.panels.widgets.buttons import NoWheelComboBox
from app.panels.widgets.number_box import DecimalBox, WholeBox
from app.services.clock import Span

TITLES = {"gif": "GIF (plays everywhere, 256 colours)", "mp4": "MP4 (small and in full colour)"}
NO_MP4 = "MP4 (needs the library “av”)"
SHOWN = {
    "span": "The range that is played", "motion": "The whole motion", "turntable": "Once round the people",
    "still": "Through your views {}",
}  # fmt: skip
STILL, THROUGH = "Stays where it is", "Goes through your views "
NO_VIEWS = "Goes through your views (keep two first: Ctrl+2, Ctrl+4)"
USUAL_FPS = 25  # frames a second
LONGEST_SIDE = 960  # pixels, until something else is asked for


class FilmFields:
    """The fields, as rows of the dialog's form. moves: whether somebody has a motion to show. span: the range to play,
    if one was set. rate: the motion's frames a second. whole: whether everybody is in view now, or nobody; None through
    a photo, whose camera stands still. views: those that the scene keeps."""

    def __init__(
        self,
        view_size: tuple[int, int],
        moves: bool,
        span: Span | None = None,
        rate: float = USUAL_FPS,
        whole: bool | None = None,
        views: tuple[Bookmark, ...] = (),
    ) -> None:
        self._span, self._steps, self._views = span, whole is not None, views
        self.file, self.shown, self.camera = NoWheelComboBox(), NoWheelComboBox(), NoWheelComboBox()
        for kind in reversed(MOVING) if mp4_works() else MOVING:
            works = kind != "mp4" or mp4_works()
            self.file.addItem(TITLES[kind] if works else NO_MP4, kind)
            self.file.model().item(self.file.count() - 1).setEnabled(works)  # type: ignore[attr-defined]
        *others, last = [str(view.slot) for view in views] or [""]
        several, kept = bool(others), f"{', '.join(others)} and {last}"
        offered = {"span": moves and span is not None, "motion": moves, "still": self._steps and several}
        for id, title in SHOWN.items():
            if offered.get(id, True):
                self.shown.addItem(title.format(kept), id)
        self.camera.addItem(STILL, False)
        self.camera.addItem(f"{THROUGH}{kept}" if several else NO_VIEWS, True)
        self.camera.model().item(1).setEnabled(several)  # type: ignore[attr-defined]
        scale = min(1.0, LONGEST_SIDE / max(view_size))
        self.width_px = spin(round(view_size[0] * scale), 16, LARGEST_SIDE, " px")
        self.height_px = spin(round(view_size[1] * scale), 16, LARGEST_SIDE, " px")
        self.proportions = Proportions(self.width_px, self.height_px)
        self.seconds = DecimalBox()
        self.seconds.setDecimals(1)
        _set_up(self.seconds, 6, 1, 60, " s")
        self.fps = spin(film_rate(rate) if moves else USUAL_FPS, 1, MOST_FPS, "")
        self.whole = QCheckBox("Step back where people would leave the picture")
        self.whole.setChecked(bool(whole))
        self.transparent = QCheckBox("Transparent background")
        self.rows: list[tuple[str, QWidget]] = [
            ("File", self.file),
            ("Shows", self.shown),
            ("Camera", self.camera),
            ("Lasts", self.seconds),
            ("Frames a second", self.fps),
            ("Width", self.width_px),
            ("Height", self.height_px),
            ("", self.proportions),
            ("", self.whole),
            ("", self.transparent),
        ]

    def choose(self, kind: str) -> None:
        """Choose "gif" or "mp4", unless it is neither or films of that kind cannot be written."""
        row = self.file.findData(kind)
        if row >= 0 and (kind != "mp4" or mp4_works()):
            self.file.setCurrentIndex(row)

    def asked(self) -> set[QWidget]:
        """The fields that matter for the present choice."""
        fields = {field for _, field in self.rows}
        film = self.film()
        left_out: set[QWidget] = {self.camera} if film.stands else {self.seconds}
        left_out |= set() if self._steps else {self.whole, self.camera}
        left_out |= {self.whole} if film.through else set()
        return fields - left_out - (set() if self.kind() == "gif" else {self.transparent})

    def kind(self) -> str:
        """ "gif" or "mp4"."""
        return str(self.file.currentData())

    def film(self) -> Film:
        """The film asked for."""
        turntable, still = (self.shown.currentData() == id for id in ("turntable", "still"))
        span = self._span if self.shown.currentData() == "span" else None
        through = self._views if self._steps and not turntable and (still or self.camera.currentData()) else ()
        whole = self._steps and not through and self.whole.isChecked()
        return Film(float(self.fps.value()), turntable, float(self.seconds.value()), span, whole, through, still)

    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.width_px.value(), self.height_px.value()


def spin(value: int, least: int, most: int, unit: str) -> WholeBox:
    """A field for a whole number."""
    box = WholeBox()
    _set_up(box, value, least, most, unit)
    return box


def _set_up(box: QSpinBox | QDoubleSpinBox, value: int, least: int, most: int, unit: str) -> None:
    box.setRange(least, most)
    box.setValue(value)
    box.setSuffix(unit)
