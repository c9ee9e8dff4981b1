"""What to export and how."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.dialogs.film_fields import FilmFields
from app.dialogs.own_character_field import OwnCharacterField
from app.dialogs.proportions import PrintedSize, Proportions, paper_side
from app.document.edits.body import is_own
from app.document.model.finger_curve import hands_move
from app.film.film import Film
from app.film.film_file import MOVING
from app.look.theme import SPACE
from app.panels.widgets.buttons import NoWheelComboBox, SegmentedControl
from app.panels.widgets.external_text import escaped
from app.panels.widgets.section import wrapped_label
from app.services.clock import Span, clock_of, plays
from app.services.session import Session
from app.services.settings import Settings
from solver.files.file_names import one_each
from solver.rig.joint_names import PROFILE_TITLES

UNITS = {"m": "Metres (Blender)", "cm": "Centimetres (Maya, MotionBuilder, Unreal)"}
MESHES = {
    "glb": "GLB (Blender, Unity, Unreal, the web)",
    "obj": "OBJ (any 3D program)",
    "stl": "STL (3D printing)",
}
EACH = "One file for each person."
HINTS = {
    "bvh": "In Blender: File › Import › Motion Capture (.bvh), with its default settings. One file for each person.",
    "bvh_cm": "In Blender: File › Import › Motion Capture (.bvh), with the scale 0.01. One file for each person.",
    "json": "Joint rotations, positions and effectors as plain JSON; docs/pose-format.md describes it.",
    "own": "Your own file again with its meshes, skin and textures, in the pose or motion of {name}. The file that you "
    "choose stays as it is.",
    "own_bvh": "Your own file again with its joints and their names, in the pose or motion of {name}. BVH files have "
    "no skin. The file that you choose stays as it is.",
    "npz": "SMPL-H rotations with Z up, as AMASS has them (.npz). The program's own body is written as SMPL's mean "
    "body. One file for each person.",
    "glb": "The person with skeleton and skin, bound in the T-pose, in the pose shown; a motion as an animation. "
    "Metres, Y up. One file for each person.",
    "glb_together": "Everybody with a skeleton and skin of their own, bound in the T-pose, in the pose shown; all "
    "motions as one animation. Metres, Y up.",
    "mesh": "The posed skin in metres, Y up. One file for each person.",
    "film": "A moving picture of the view as you see it now, without handles.",
    "through": "A moving picture without handles; its camera goes from each of your views to the next.",
    "still": "A moving picture without handles; its camera goes through your views, past people who stand as they are.",
    "png": "A picture of the view as it is now, without handles.",
}

LONGEST_PX = 8192  # of a picture's sides
NARROWEST = 440  # pixels
NOT_ROUND = (
    "Through a photo's camera a film cannot go round the people. Leave that camera first: press 0 in the view, or "
    "clear “Look through its camera” in the Photo panel."
)
NO_CHARACTER = "Choose the BVH, GLB, glTF or VRM file of your character. Its own skin comes along."
GONE = "“{}” was not found among the recent files. Choose it, or another file of your character. Its skin comes along."
NO_PERSON = "Select the person whose pose your character should take."
NO_OWN_SKIN = "This writes our body, not the skin of your own character: “Your character” writes that."
GHOSTS = "Ghosts that the view shows are in it: B, Shift+B and M switch them off."
NOBODY = "This kind of file holds people, and nobody is in the scene. Add a person first."
NOTHING = "The scene is empty. Add a person or a prop first."
NO_PROPS = "This kind of file cannot hold props: save the scene, or export a mesh, to keep them."


@dataclass(frozen=True)
class ExportChoice:
    """format: bvh, own, json, npz, png, gif, mp4, glb, obj or stl. size: (width, height) in pixels, for pictures.

    skinned: for GLB, with skeleton and skin. together: of these, all people in one file. props: for meshes, with the
    scene's props. film: what a GIF or MP4 shows.
    rig: for own, the file of the user's character. span: in seconds, what of the whole motion; None for all of it.
    crop: of a transparent picture, leaves out the empty rim.
    """

    format: str
    names: str
    unit: str
    only_active: bool
    whole_motion: bool
    fingers: bool
    size: tuple[int, int]
    transparent: bool
    skinned: bool = True
    props: bool = True
    film: Film | None = None
    rig: Path | None = None
    span: Span | None = None
    crop: bool = False
    together: bool = True


class ExportDialog(QDialog):
    """Asks for the format and its few options; the file name is asked for afterwards."""

    def __init__(
        self,
        session: Session,
        settings: Settings,
        view_size: tuple[int, int],
        format: str = "",
        parent: QWidget | None = None,
        whole: bool | None = None,
        rig: Path | None = None,
        folder: str = "",
        picture: ExportChoice | None = None,
    ) -> None:
        """format: the page to show, by default that of the last export, if there is something for it; before the first,
        "own" for somebody drawn as their own character. whole: see `FilmFields`. rig, folder: see `OwnCharacterField`.
        picture: the last one, whose size and background are proposed again.
        """
        super().__init__(parent)
        self.setWindowTitle("Export")
        self.format = SegmentedControl(
            [
                ("bvh", "BVH"),
                ("own", "Your character"),
                ("json", "Pose JSON"),
                ("npz", "SMPL"),
                ("mesh", "Mesh"),
                ("png", "Picture"),
                ("film", "Film"),
            ]
        )
        self.format.chosen.connect(self._show)
        self.rig = OwnCharacterField(rig, folder)
        self.rig.chosen.connect(lambda: self._show("own"))
        self._make_motion_fields(session, settings)
        self._make_picture_fields(session, settings, view_size, whole, picture)
        self._lay_out()
        active = session.active
        own = active is not None and is_own(active)
        last = settings.export_format or ("own" if own else "bvh")
        self._turn(format or self._fitting(_page_of(last)))

    def turn_to(self, format: str) -> None:
        """Show the page of a format: bvh, json, npz, png, gif, mp4, glb, obj or stl."""
        if format in MESHES:
            self.mesh.setCurrentIndex(self.mesh.findData(format))
        self.film.choose(format)
        self._turn(_page_of(format))

    def _turn(self, page: str) -> None:
        self.format.set_current(page)
        self._show(page)

    def _make_motion_fields(self, session: Session, settings: Settings) -> None:
        """The fields of motions and meshes."""
        self.names, self.unit = NoWheelComboBox(), NoWheelComboBox()
        for box, titles, current in (
            (self.names, PROFILE_TITLES, settings.bvh_names),
            (self.unit, UNITS, settings.bvh_unit),
        ):
            for id, title in titles.items():
                box.addItem(title, id)
            box.setCurrentIndex(box.findData(current))
        self.unit.currentIndexChanged.connect(lambda _: self._show("bvh"))
        self.mesh = NoWheelComboBox()
        for id, title in MESHES.items():
            self.mesh.addItem(title, id)
        self.mesh.setCurrentIndex(max(0, self.mesh.findData(settings.export_format)))
        self.mesh.currentIndexChanged.connect(lambda _: self._show("mesh"))
        self.skinned = QCheckBox("With skeleton and skin, to be animated")
        self.skinned.setChecked(True)
        self.skinned.toggled.connect(lambda _: self._show("mesh"))
        self.together = QCheckBox("Everybody in one file")
        self.together.setChecked(settings.glb_together)
        self.together.toggled.connect(lambda _: self._show("mesh"))
        self._has_props = any(prop.visible for prop in session.document.props)
        self._has_own_skin = any(is_own(person) for person in session.document.characters)
        self._names = [character.name for character in session.document.characters]
        self._several = len(self._names) > 1
        self._has_people = bool(session.document.characters)
        self.props = QCheckBox()
        self.props.setChecked(True)
        self.props.toggled.connect(lambda _: self._show("mesh"))
        active = session.active
        self._name = active.name if active else ""
        own = active.own_skin if active else None
        self._no_character = GONE.format(escaped(own.name)) if own else NO_CHARACTER
        self.only_active = QCheckBox(f"Only {escaped(active.name)}" if active else "Only the active person")
        self.only_active.toggled.connect(lambda _: self._show(self.format.current()))
        self.whole = QCheckBox("The whole motion, not only the frame shown")
        self.whole.setChecked(True)
        self.whole.toggled.connect(lambda _: self._show(self.format.current()))
        self._moves = plays(session.document)
        self._active_moves = active is not None and len(session.document.actor(active.id).clip) > 1
        self._span = session.view.range_s
        clock = clock_of(session.document, session.view.character, self._span)
        self.played = QCheckBox(f"Only the range that is played, frames {clock.first + 1} to {clock.last + 1}")
        self.fingers = QCheckBox("Jaw, eyes and fingers too")
        self.fingers.setChecked(any(hands_move(c.clip) for c in session.document.characters))

    def _make_picture_fields(
        self,
        session: Session,
        settings: Settings,
        view_size: tuple[int, int],
        whole: bool | None,
        last: ExportChoice | None,
    ) -> None:
        """The fields of pictures and films."""
        scale = min(1.0, LONGEST_PX / max(view_size))  # both sides, or a wide photo would be cut off
        own = round(view_size[0] * scale), round(view_size[1] * scale)
        self.width_px, self.height_px = (paper_side(side, 16, LONGEST_PX) for side in (last.size if last else own))
        self.proportions = Proportions(self.width_px, self.height_px)
        self.as_view = QPushButton(f"As large as the view, {own[0]} × {own[1]} px")
        self.as_view.setAutoDefault(False)
        self.as_view.clicked.connect(lambda: self.proportions.take(own))
        self._another_size = last is not None and last.size != own
        self.printed = PrintedSize(self.width_px, self.height_px)
        photo = session.document.photo
        view = session.view
        self._through_photo, self._has_ghosts = view.through_photo, view.ghost or view.onion or view.before
        over_photo = self._through_photo and photo is not None and photo.visible
        self._has_photo = over_photo
        self.transparent = QCheckBox("Transparent background")
        self.transparent.setChecked(last.transparent if last else not over_photo)
        self.crop = QCheckBox("Crop to what is drawn")
        self.crop.setChecked(last is not None and last.crop)
        self.crop.setEnabled(self.transparent.isChecked())
        self.transparent.toggled.connect(self.crop.setEnabled)
        rate = clock_of(session.document, session.view.character).fps
        self.film = FilmFields(view_size, self._moves, session.view.range_s, rate, whole, session.document.bookmarks)
        self.film.choose(settings.export_format)
        if over_photo:
            for each in (self.transparent, self.film.transparent):
                each.setText("Transparent background, without the photo")
        self.film.file.currentIndexChanged.connect(lambda _: self._show("film"))
        self.film.shown.currentIndexChanged.connect(lambda _: self._show("film"))
        self.film.camera.currentIndexChanged.connect(lambda _: self._show("film"))

    def _lay_out(self) -> None:
        self._form = QFormLayout()
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setVerticalSpacing(SPACE)
        self._rows: list[tuple[str, QWidget]] = [
            ("Your file", self.rig),
            ("File", self.mesh),
            ("", self.skinned),
            ("", self.together),
            ("Joint names", self.names),
            ("Unit", self.unit),
            ("", self.fingers),
            ("", self.whole),
            ("", self.played),
            ("", self.props),
            ("Width", self.width_px),
            ("Height", self.height_px),
            ("", self.printed),
            ("", self.as_view),
            ("", self.proportions),
            ("", self.transparent),
            ("", self.crop),
            *self.film.rows,
        ]
        for title, field in self._rows:
            if title:
                self._form.addRow(wrapped_label(title), field)
            else:
                self._form.addRow(field)
        self.hint = wrapped_label()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.export = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.export.setText("Export…")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE * 2, SPACE * 2, SPACE * 2, SPACE * 2)
        column.setSpacing(SPACE * 2)
        column.addWidget(self.format)
        column.addLayout(self._form)
        for widget in (self.only_active, self.hint, buttons):
            column.addWidget(widget)
        self.export.setDefault(True)  # only now is it part of this dialog

    def choice(self) -> ExportChoice:
        """What was chosen."""
        format = self.format.current()
        kinds = {"mesh": str(self.mesh.currentData()), "film": self.film.kind()}
        filmed = format == "film"
        return ExportChoice(
            format=kinds.get(format, format),
            names=str(self.names.currentData()),
            unit=str(self.unit.currentData()),
            only_active=self.only_active.isVisibleTo(self) and self.only_active.isChecked(),
            whole_motion=self.whole.isVisibleTo(self) and self.whole.isChecked(),
            fingers=self.fingers.isChecked(),
            size=self.film.size() if filmed else (self.width_px.value(), self.height_px.value()),
            transparent=(self.film.transparent if filmed else self.transparent).isChecked(),
            skinned=self.skinned.isChecked(),
            together=self.together.isChecked(),
            props=self.props.isChecked(),
            film=self.film.film() if filmed else None,
            rig=self.rig.path if format == "own" else None,
            crop=format == "png" and self.crop.isEnabled() and self.crop.isChecked(),
            span=self._span if self.played.isVisibleTo(self) and self.played.isChecked() else None,
        )

    def _centimetres(self) -> bool:
        return str(self.unit.currentData()) == "cm"

    def _show(self, format: str) -> None:
        animated = self.mesh.currentData() == "glb" and self.skinned.isChecked()
        crowd = self._several and not self.only_active.isChecked()
        together = crowd and animated and self.together.isChecked()
        self.props.setText("Props too, in the first file" if crowd and not together else "Props too")
        ranged = self._span is not None and self.whole.isChecked()
        motion: set[QWidget] = {self.whole, self.played} if ranged else {self.whole}
        mesh_rows = {self.skinned, *((self.names, self.fingers, *motion) if animated else ())}
        mesh_rows |= {self.together} if crowd and animated else set()
        sides = {self.width_px, self.height_px, self.printed, *((self.as_view,) if self._another_size else ())}
        pages: dict[str, set[QWidget]] = {
            "bvh": {self.names, self.unit, self.fingers, *motion},
            "own": {self.rig, *motion},
            "json": motion,
            "npz": motion,
            "mesh": {self.mesh, self.props, *(mesh_rows if self.mesh.currentData() == "glb" else ())},
            "png": {*sides, self.proportions, self.transparent, self.crop},
            "film": self.film.asked(),
        }
        asked, moves = pages[format], self._active_moves if format == "own" else self._moves
        for row, (_, field) in enumerate(self._rows):
            there = moves if field in (self.whole, self.played) else self._has_props if field is self.props else True
            self._form.setRowVisible(row, field in asked and there)
        self.only_active.setVisible(self._several and format not in ("png", "film", "own"))
        variant = {"mesh": "glb" if animated else "mesh", "bvh": "bvh_cm" if self._centimetres() else "bvh"}
        variant |= {"mesh": "glb_together"} if together else {}
        variant |= {"own": "own_bvh"} if self.rig.path and self.rig.path.suffix.lower() == ".bvh" else {}
        film = self.film.film()
        variant["film"] = "still" if film.still else "through" if film.through else "film"
        hint = HINTS[variant.get(format, format)].replace("{name}", f"“{escaped(self._name)}”")
        hint = hint.replace(EACH, self._files(str(self.mesh.currentData()) if format == "mesh" else format)).rstrip()
        stuck = self._through_photo and format == "film" and film.turntable
        lacking = self._lacking(format)
        self.export.setEnabled(not stuck and not lacking)
        no_props = self._has_props and format in ("bvh", "json", "npz")
        left_out = [NO_PROPS] * no_props + [NO_OWN_SKIN] * (self._has_own_skin and format == "mesh")
        left_out += [GHOSTS] * (self._has_ghosts and format in ("png", "film"))
        self.hint.setText(NOT_ROUND if stuck else lacking or " ".join([hint, *left_out]))
        self._fit()

    def _fit(self) -> None:
        """As large as what is shown asks for: Qt's own way ends at two thirds of the screen, which cuts off names."""
        column, room = self.layout(), self.screen().availableSize()
        assert column is not None
        column.activate()
        width = max(NARROWEST, column.minimumSize().width())
        self.resize(min(width, room.width()), min(column.totalHeightForWidth(width), room.height()))

    def _files(self, suffix: str) -> str:
        """What the files will be called, in a sentence; "" for one person."""
        if not self._several or self.only_active.isChecked():
            return ""
        first, second, *_ = (escaped(file.name) for file in one_each(Path(f"name.{suffix}"), self._names))
        return f"{EACH[:-1]}: {first}, {second}{' …' if len(self._names) > 2 else '.'}"

    def _fitting(self, last: str) -> str:
        """The page of the last export; if this scene has nothing for it, the first page that it has something for."""
        lacks = self._lacking(last) not in ("", self._no_character)
        return next((page for page in ("mesh", "png") if lacks and not self._lacking(page)), last)

    def _lacking(self, format: str) -> str:
        """What there is nothing to export for, in a sentence; "" if all is there."""
        if format == "own":
            return NO_PERSON if not self._name else "" if self.rig.path else self._no_character
        if self._has_people:
            return ""
        if format in ("bvh", "json", "npz"):
            return NOBODY
        if format == "mesh" and self._has_props and not self.props.isChecked():
            return NOBODY
        return "" if self._has_props or (self._has_photo and format in ("png", "film")) else NOTHING


def _page_of(format: str) -> str:
    return "mesh" if format in MESHES else "film" if format in MOVING else format
