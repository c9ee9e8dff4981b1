"""Which joints of files are which, as far as the user said so: asking, remembering, and changing it later."""

from __future__ import annotations

from collections.abc import Sequence
from os.path import exists  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from weakref import ReferenceType, ref

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.dialogs import messages
from app.document.model.document import Character
from app.panels.widgets.popups import ask
from app.services.background.jobs import Jobs
from app.services.session import Session
from app.services.settings import SettingsStore
from solver.errors import InputRefused, PoserError
from solver.kinematics.pose import Motion

if TYPE_CHECKING:
    from app.document.model.history import Edit
    from solver.body.body import BodyShape
    from solver.formats.bvh.mapping import JointQuestion
    from solver.formats.gltf.mapped_people import MappedPerson
    from solver.rig.foreign_skeleton import ForeignSkeleton
    from solver.rig.joint_guess import JointGuess
    from solver.rig.joint_map_file import JointMaps

KEPT = "joint-maps.json"
RIGS = "Motions (*.bvh *.glb *.gltf *.vrm *.vrma)"


class _Origin(NamedTuple):
    """person: which one of the file's people. id, shape: whose motion it is, also once a pose of one frame was animated
    and has no motion beneath any more."""

    motion: ReferenceType[Motion]
    path: Path
    person: int
    id: str
    shape: ReferenceType[BodyShape]

    def is_of(self, character: Character) -> bool:
        """Whether somebody came from there."""
        if character.clip.source is not None:
            return self.motion() is character.clip.source.motion
        return self.id == character.id and self.shape() is character.shape


class JointMapping(QObject):
    """What the user said about joints, kept in a file beside the settings. message(text): for the status bar."""

    message = Signal(str)

    def __init__(self, session: Session, jobs: Jobs, settings: SettingsStore, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._jobs, self._settings, self._window = session, jobs, settings, window
        self._origins: dict[int, _Origin] = {}  # by the identity of a motion
        self._worn: dict[str, Path] = {}  # files whose skins people were given, by their names
        self._unwritten: JointMaps | None = None  # they hold until the program ends where nothing can be written

    def maps(self) -> JointMaps:
        """The maps as they are kept now; none where the file is damaged: the user is asked again."""
        from solver.rig.joint_map_file import NO_MAPS, read_kept_maps  # the window starts without

        if self._unwritten is not None:
            return self._unwritten
        try:
            return read_kept_maps(self._settings.folder / KEPT)
        except PoserError:
            return NO_MAPS

    def ask(self, path: Path, questions: Sequence[JointQuestion]) -> bool:
        """Ask about skeletons, each once; whether all were answered. Answers are kept: nobody is asked again."""
        asked: set[str] = set()
        for question in questions:
            skeleton = question.skeleton
            if skeleton.signature in asked:
                continue
            asked.add(skeleton.signature)
            joints = self._ask(path.name, skeleton, question.guess)
            if joints is None:
                return False
            self._keep(skeleton, joints)
        return True

    def remember(self, path: Path, people: Sequence[Character]) -> None:
        """Which file these people's motions have just come from, in its order."""
        self._origins = {key: origin for key, origin in self._origins.items() if origin.motion() is not None}
        for person, character in enumerate(people):
            self._remember(character, path, person)

    def origin_of(self, character: Character) -> tuple[Path, int] | None:
        """The file that somebody came from, if that is known and it is still there, and which of its people."""
        found = (origin for origin in reversed(self._origins.values()) if origin.is_of(character))
        return next(((origin.path, origin.person) for origin in found if exists(origin.path)), None)

    def file_of(self, character: Character) -> Path | None:
        """The file whose skin somebody has, of those that were read last, or else the one that they came from."""
        origin, own = self.origin_of(character), character.own_skin
        came_from = origin and origin[0]
        if own is None or (came_from is not None and came_from.name == own.name):
            return came_from
        worn = self._worn.get(own.name)
        known = ([worn] if worn is not None else []) + [Path(path) for path in self._settings.values.recent]
        return next((path for path in known if path.name == own.name and exists(path)), came_from)

    def wear(self, path: Path) -> None:
        """Remember the file whose skin somebody has just got."""
        self._worn[path.name] = path

    def edit(self) -> None:
        """Show the joint map of the active person's file, asking for the file if it is not known, and read the motion
        again if the map is changed."""
        active = self._session.active
        if active is None or active.clip.source is None:
            return
        origin = self.origin_of(active)
        if origin is not None:
            self._show(active.id, *origin)
            return
        title = f"The file that “{active.name}” came from"
        start = str(self.file_of(active) or self._settings.usual_folder())
        path, _ = QFileDialog.getOpenFileName(self._window, title, start, RIGS)
        if path:
            self._show(active.id, Path(path), None)

    def _show(self, id: str, path: Path, person: int | None) -> None:
        maps = self.maps()

        def read(_progress: object, _cancelled: object) -> list[MappedPerson]:
            from app.document.exchange.file_kind import kind_of
            from solver.formats.gltf.mapped_people import mapped_people

            kind = kind_of(path)
            if kind not in ("bvh", "glb"):
                raise InputRefused(path, "has no joints to choose from", "BVH, GLB, glTF and VRM files have them")
            return mapped_people(path, kind == "bvh", maps)

        change = lambda people: self._change(id, path, person, people)  # noqa: E731
        self._jobs.run(f"Reading {path.name}", read, change, for_scene=True)

    def _change(self, id: str, path: Path, person: int | None, people: list[MappedPerson]) -> None:
        if not self._is_there(id):
            return
        name = self._session.document.character(id).name
        if person is None or person >= len(people):  # the file has changed since
            named = (place for place, other in enumerate(people) if other.name == name)
            person = next(named, 0 if len(people) == 1 else None)
        if person is None:
            text = f"{path.name} holds {len(people)} people, and none of them is named “{name}”. Open the file again."
            messages.refuse(self._window, text)
            return
        chosen = people[person]
        joints = self._ask(path.name, chosen.skeleton, chosen.guess)
        if joints is None:
            return
        self._keep(chosen.skeleton, joints)
        if joints != chosen.guess.joints:
            self._read_again(id, path, person)

    def _read_again(self, id: str, path: Path, person: int) -> None:
        body, maps = self._session.document.character(id).body, self.maps()

        def read(_progress: object, _cancelled: object) -> Edit:
            from app.document.exchange.import_placement import placed_as_before
            from app.document.exchange.open_file import open_file

            edit = open_file(path, id, body, joint_maps=maps, person=person).edit
            assert edit is not None, "a rig is an edit"
            return placed_as_before(edit, id)

        def take(edit: Edit) -> None:
            if self._is_there(id) and self._session.edit("Change the joint map", edit):
                self._remember(self._session.document.character(id), path, person)
                self.message.emit(f"Read {path.name} again with the joints as you chose them.")

        self._jobs.run(f"Opening {path.name}", read, take, for_scene=True)

    def _set_aside(self) -> None:
        """Rename kept maps that cannot be read, damaged or of a newer version, before they are replaced, and say so."""
        from solver.rig.joint_map_file import read_kept_maps, set_aside

        try:
            read_kept_maps(self._settings.folder / KEPT)
        except PoserError as error:
            kept = set_aside(self._settings.folder / KEPT)
            self.message.emit(f"Earlier joint maps could not be used, and are kept as {kept.name}: {error}")

    def _is_there(self, id: str) -> bool:
        return any(character.id == id for character in self._session.document.characters)

    def _remember(self, character: Character, path: Path, person: int) -> None:
        if character.clip.source is not None:
            motion = character.clip.source.motion
            self._origins[id(motion)] = _Origin(ref(motion), path, person, character.id, ref(character.shape))

    def _ask(self, name: str, skeleton: ForeignSkeleton, guess: JointGuess) -> dict[str, int] | None:
        from app.dialogs.joint_map_dialog import JointMapDialog  # only once it is asked for

        dialog = JointMapDialog(name, skeleton, guess, self._window)
        return dialog.joints() if ask(dialog) else None

    def _keep(self, skeleton: ForeignSkeleton, joints: dict[str, int]) -> None:
        from solver.rig.joint_map_file import write_kept_maps

        maps = self.maps().with_choice(skeleton, joints)
        try:
            if (self._settings.folder / KEPT).is_file():
                self._set_aside()
            write_kept_maps(self._settings.folder / KEPT, maps)
        except PoserError as error:
            if self._unwritten is None:  # said once
                messages.refuse(self._window, f"{error} The answer holds until the program ends.")
            self._unwritten = maps
        else:
            self._unwritten = None
