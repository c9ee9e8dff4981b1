"""The library in the window: opening it, and taking poses as steps of undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import hypot
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, Signal
from PySide6.QtWidgets import QMenu

from app.dialogs import messages
from app.document import edits
from app.document.library.apply import ALL, Taking, is_held, take_hold, take_pose_alone
from app.document.library.parting import parted
from app.document.library.shelf import Entry, Shelf, poses_of
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.model.history import Edit
from app.document.posing.rest.new_seat import is_above_something
from app.library import folders
from app.library.own_poses import OwnPoses
from app.library.panel import OWN, SELECTED, WHOLE, LibraryPanel
from app.library.pictures import Pictures
from app.panels.widgets.popups import add_entry, show_menu
from app.services.background.jobs import Jobs
from app.services.background.taking_hold import Hold, TakingHold
from app.services.session import Session
from app.services.settings import SettingsStore
from rendering.view.viewport import Viewport
from solver.errors import PoserError
from solver.formats.pose_json.pose_file import PoseFile
from solver.rig.rig import rig_of
from solver.rig.roles import BODY_PARTS, ENDS, Role
from solver.sentences import and_more

SEATS = {"Sitting on a chair": "chair", "Sitting on a box": "box"}  # by folders of the poses that came with the program
SITS = "“{0}” sits on a {1}, and there is none below: {3}Add › {2} brings one."
THERE = "drag the cross on the floor onto “{0}” with S, or "
WENT = "{0} went {1:.1f} m, to where “{2}” was saved: the pin below the cards, With its place, is on."
FAR_M = 0.1  # over the floor, from where a way is worth a word
PARTED = "{} and {} no longer hold each other."
FOR_SEVERAL = "“{0}” is for {1} people: {2}."


class LibraryControl(QObject):
    """What the panel's buttons and the library's commands do. said(text): who else was posed by the last step, how
    far somebody went, or what is lacking; retracted(text): no longer."""

    said = Signal(str)
    retracted = Signal(str)

    def __init__(self, session: Session, jobs: Jobs, settings: SettingsStore, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._settings, self._viewport = session, settings, viewport
        self.pictures = Pictures(settings, self)
        self.pictures.ratio = viewport.devicePixelRatioF()
        self.panel = LibraryPanel(self.pictures)
        self.own = OwnPoses(session, viewport, self.panel, self.pictures)
        self.own.kept.connect(self._show_new)
        self.own.changed.connect(self.read)
        self.shelf = self._on_disk = Shelf()
        self._read: tuple[Path, PoseFile] | None = None
        self._from: Document | None = None  # the document that the pose is blended into
        self._made: Document | None = None  # the document with the pose blended in
        self._lacking = ""  # what was said to be
        self._holding = TakingHold(session, jobs, self.said.emit)
        self._hold: Hold | None = None  # what those who took the pose are still to do, once the step is closed
        self._theme = settings.values.theme
        panel, view = self.panel, self.panel.view
        view.taken.connect(self.take)
        view.deleted.connect(self.own.delete)
        view.renamed.connect(self.own.rename)
        view.menu.connect(self._menu)
        view.chosen.connect(self._begin_anew)  # a lambda would keep this: a panel never shown goes with no window
        panel.options_changed.connect(self._again)
        panel.shares.connect(self._blend)
        panel.share_done.connect(self._end_step)
        panel.share_undone.connect(self._take_back)
        panel.closing.connect(self.close)
        panel.saving.connect(self.own.save)
        panel.dropped.connect(self.own.add_files)
        panel.folder_asked.connect(self.own.show_folder)
        self.pictures.failed.connect(self._cannot_be_read)
        session.changed.connect(self._look_again)
        settings.changed.connect(self._restyle)
        viewport.window().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See whether the files changed while the user worked in another window."""
        if event.type() == QEvent.Type.WindowActivate and self.is_open:
            self._read_if_changed()
        return super().eventFilter(watched, event)

    @property
    def is_open(self) -> bool:
        """Whether the panel shows."""
        return self.panel.isVisible()

    def open(self) -> None:
        """Show the panel beside the view with what lies in the folders now: all poses if the chosen one is empty."""
        self.read()
        self.panel.leave_empty_folder()
        self._viewport.window().dock(self.panel)  # type: ignore[attr-defined]
        self.panel.search.setFocus()
        self._session.changed.emit()  # menu and toolbar show what is open

    def close(self) -> None:
        """Put the panel away and let go of what draws for it."""
        self._viewport.window().undock(self.panel)  # type: ignore[attr-defined]
        self.pictures.close()
        self._viewport.setFocus()
        self._session.changed.emit()

    def read(self) -> None:
        """Look through the folders again."""
        self._show(folders.whole_shelf())

    def take(self, entry: Entry, flipped: bool | None = None, in_passing: bool = False) -> None:
        """Apply a pose in one step. flipped: as the panel says where it is None. in_passing: hands take hold later."""
        flip = self.panel.flip.isChecked() if flipped is None else flipped
        if not self._can_pose(entry, lambda: self.take(entry, flip, in_passing)):
            return
        self._start()
        if self._apply(entry, ALL, flip):
            self._end_step(in_passing)
            self.panel.share.set_value(100.0)
            self._name_place(entry)
            self._name_others(entry)
            self._name_parted()
            self._name_seat(entry)

    def _name_place(self, entry: Entry) -> None:
        """Say how far a pose with its place has taken the person."""
        active = self._session.active
        if self._from is None or active is None or not self.panel.place.isChecked():
            return
        way = active.pose.root_position - self._from.character(active.id).pose.root_position
        far = hypot(float(way[0]), float(way[2]))
        if far > FAR_M:
            self.said.emit(WENT.format(active.name, far, entry.name))

    def _name_others(self, entry: Entry) -> None:
        """Say who was added or posed along by a card for several people."""
        if self._from is None or entry.people < 2:
            return
        before = {character.id: character.pose for character in self._from.characters}
        others = [c for c in self._session.document.characters if c is not self._session.active]
        came = [c.name for c in others if c.id not in before]
        posed = [c.name for c in others if c.id in before and c.pose is not before[c.id]]
        told = ((posed, "posed too"), (came, "added"))
        said = [f"{and_more(names[0], len(names))} {'was' if len(names) == 1 else 'were'} {how}"
                for names, how in told if names]  # fmt: skip
        if said:
            self.said.emit(FOR_SEVERAL.format(entry.name, entry.people, ", and ".join(said)))

    def _name_parted(self) -> None:
        """Say who no longer holds whom, where the other one was not posed along."""
        if self._from is not None:
            for pair in parted(self._from, self._session.document):
                self.said.emit(PARTED.format(*pair))

    def _name_seat(self, entry: Entry) -> None:
        """Say that there is nothing below to sit on, where a pose that came with the program asks for it."""
        seat, active = "" if entry.own else SEATS.get(entry.folder, ""), self._session.active
        if not seat or active is None or self.panel.part != WHOLE:
            return
        document = self._session.document
        if not is_above_something(document, active):
            there = next((THERE.format(prop.name) for prop in document.props if prop.kind == seat and prop.visible), "")
            self._lacking = SITS.format(entry.name, seat, seat.capitalize(), there)
            self.said.emit(self._lacking)

    def take_named(self, entry: Entry) -> None:
        """Apply a pose that was found by name elsewhere. The panel then has it chosen, or none."""
        if entry not in self.shelf.entries:
            self.read()
        self.panel.view.choose(entry.path)
        self.take(entry)

    def step(self, by: int) -> None:
        """Apply the next or the previous of the poses shown."""
        if not self.shelf.entries:
            self.read()
        entry = self.panel.view.step(by)
        if entry is not None:
            self.take(entry, in_passing=True)

    def _apply(self, entry: Entry, share: float, flipped: bool | None = None) -> bool:
        active = self._session.active
        if active is None or self._from is None:
            self._say("Nobody is selected. Click a person in the view first.")
            return False
        if entry.trouble:
            messages.refuse(self._viewport.window(), entry.trouble)
            return False
        joints = self._joints()
        if joints is not None and not joints:
            self._say("No joint is selected. Click joints or handles in the view, or choose a part.")
            return False
        panel, start = self.panel, self._from
        flip = panel.flip.isChecked() if flipped is None else flipped
        taking = Taking(flip, panel.place.isChecked(), joints, share)
        try:
            edit = take_pose_alone(active.id, content := self._content(entry), taking)
        except PoserError as error:
            self._cannot_be_read(entry.path, str(error))
            if not self.is_open or panel.view.entry is None:  # else its card and the line below say so
                messages.refuse(self._viewport.window(), str(error))
            return False
        title = f"Apply “{entry.name}”" + (" flipped" if flip else "")
        self._made = None  # until then: the change is announced before this is set
        done = self._session.edit(title, lambda _document: edit(start), merge_key=self)
        self._made = self._session.document
        held = done and is_held(content, taking)
        self._hold = partial(take_hold, active.id, content, taking) if held else None
        if done:
            self.panel.tell_of_chosen()
        return done

    def _show(self, found: Shelf) -> None:
        self._read = None  # the pose's file may have changed
        self.shelf = self._on_disk = found
        self.panel.show_shelf(found)

    def _read_if_changed(self) -> None:
        """Show what the folders hold now, if that has changed; the cards stay where they were scrolled to.

        Files that have not changed are not read again, so this takes a few milliseconds.
        """
        found, view = folders.whole_shelf(), self.panel.view
        if found == self._on_disk:
            return
        scrolled = view.verticalScrollBar().value()
        self._show(found)
        view.doItemsLayout()
        view.verticalScrollBar().setValue(scrolled)

    def _say(self, text: str) -> None:
        """Say it in the panel, opened for that where needed: a pose may be taken by a key or from the search."""
        if not self.is_open:
            self.open()
        self.panel.tell(text)

    def _can_pose(self, entry: Entry, later: Callable[[], object]) -> bool:
        """Whether a pose can be applied now; else that is done once the solver is prepared, unless another is taken or
        the person is gone by then."""
        who = self._session.view.character

        def then() -> None:
            if self._session.view.character == who:
                self.panel.view.choose(entry.path)  # another one may have been since
                later()

        ready = self._session.late.is_ready(entry.name, then, key=self)
        if not ready and self.is_open:
            self.panel.tell("Applied as soon as the solver is prepared.")
        return ready

    def _blend(self, percent: float) -> None:
        entry = self.panel.view.entry
        if entry is not None and self._can_pose(entry, lambda: self._blend_in(percent)):
            if self._from is None:
                self._start()
            self._apply(entry, percent / 100.0)

    def _blend_in(self, percent: float) -> None:
        self._blend(percent)
        self.panel.share.set_value(percent)

    def _take_back(self) -> None:
        """Esc during a drag of the share: the document is as it was, and the bar goes on showing the share."""
        self._made = None  # until then: the change is announced before this is set
        self._session.cancel(self)
        self._made = self._session.document

    def _again(self) -> None:
        """The options have changed: apply the chosen pose again if it had been applied, in the same step."""
        percent, entry = self.panel.share.value(), self.panel.view.entry
        if entry is not None and self._from is not None and percent > 0:
            self._session.reopen_step(self._from, self)
            self._blend(percent)
            self._end_step()

    def _end_step(self, in_passing: bool = False) -> None:
        """Nothing more is blended in; now those who took the pose hold each other, as part of the step."""
        self._session.close_step()
        if self._hold is not None and (entry := self.panel.view.entry) is not None:
            self._holding.begin(entry.name, self._hold, self._fold_in, in_passing)
        self._hold = None

    def _fold_in(self, edit: Edit) -> None:
        self._made = None  # until then: the change is announced before this is set
        self._session.history.amend(self._session.history.revision, edit, saved=False)
        self._made = self._session.document

    def _start(self) -> None:
        self._holding.drop()
        self._session.close_step()
        self._from = self._session.document

    def _begin_anew(self) -> None:
        self._from = self._made = None
        self.panel.share.set_value(0.0)

    def _look_again(self) -> None:
        """Forget what the pose is blended into once something else has changed the document, and say no longer that
        there is no seat once there is one."""
        active = self._session.active
        if self._lacking and (active is None or is_above_something(self._session.document, active)):
            self.retracted.emit(self._lacking)
            self._lacking = ""
        if self._made is not None and not self._session.in_step and self._session.document != self._made:
            self.panel.share.cancel_drag()  # an undo in the middle takes the scrub back for good
            self._begin_anew()

    def _joints(self) -> frozenset[str] | None:
        """The joints that take the pose, None for all. A handle on a limb's end stands for the limb."""
        part, active = self.panel.part, self._session.active
        if part == WHOLE or active is None:
            return None
        rig = rig_of(skeleton_of(active))
        root = {rig.name(Role.PELVIS)}
        if part != SELECTED:
            return frozenset(edits.scope_joints(part)) - root
        joints = set(self._session.view.joints)
        for effector in self._session.selected_effectors:
            role = rig.role_of(effector.joint)
            whole = [roles for roles in BODY_PARTS.values() if role in roles] if role in ENDS else []
            joints |= set(rig.names_of(whole[0])) if whole else {effector.joint}
        return frozenset(joints)

    def _content(self, entry: Entry) -> PoseFile:
        if self._read is None or self._read[0] != entry.path:
            self._read = (entry.path, poses_of(entry))
        return self._read[1]

    def _cannot_be_read(self, path: object, text: str) -> None:
        entries = tuple(replace(e, trouble=text) if e.path == path else e for e in self.shelf.entries)
        self.shelf = replace(self.shelf, entries=entries)
        self.panel.show_shelf(self.shelf)

    def _show_new(self, entry: Entry, said: str) -> None:
        self.read()
        self.panel.search.clear()
        if self.panel.folders.currentData() not in (OWN, f"{OWN}/{entry.folder}"):
            self.panel.choose_folder(OWN)
        self.panel.view.choose(entry.path)
        self.panel.tell(said)
        if not self.is_open:
            self.open()

    def _menu(self, entry: Entry, place: QPoint) -> None:
        def fill(menu: QMenu) -> None:
            broken, given = entry.trouble, "" if entry.own else "it came with the program"
            add_entry(menu, "Apply", lambda: self.take(entry), broken)
            add_entry(menu, "Apply flipped", lambda: self.take(entry, flipped=True), broken)
            menu.addSeparator()
            add_entry(menu, "Rename…", lambda: self.own.rename(entry), given or broken)
            add_entry(menu, "Delete…", lambda: self.own.delete(entry), given)

        show_menu(self.panel, place, fill)

    def _restyle(self) -> None:
        if self._settings.values.theme != self._theme:
            self._theme = self._settings.values.theme
            self.pictures.forget()
            self.panel.view.viewport().update()
