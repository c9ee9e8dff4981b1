"""The posing commands: everything that edits the document through the session."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import dist
from types import ModuleType

from app.document import edits
from app.document.model.document import Character
from app.document.model.history import Edit
from app.document.posing.create import new_character
from app.document.posing.fitting_effectors import new_effectors
from app.document.posing.placing import Place, place_of
from app.document.posing.solving import can_have_other
from app.look.wording import joint_title
from app.panels.widgets.notices import Notices
from app.services.background.jobs import Jobs
from app.services.body_choice import BodyChoice
from app.services.session import MOMENT_S, Session
from app.services.steps.contacts import place_people
from app.services.steps.pose_clipboard import PoseClipboard
from app.services.view_state import moving_people, selected_people
from app.viewport.session_view import SessionView
from app.window.commands.actions import Command
from app.window.commands.contact_commands import contact_commands
from app.window.commands.rest_commands import rest_commands
from app.window.commands.side_commands import side_commands
from app.window.commands.why_grey import id_of_kind
from solver.effectors.kind import Kind
from solver.effectors.kinds import kinds
from solver.errors import PoserError
from solver.ik.preserve_modes import GLOBAL
from solver.sentences import mid_sentence

KEYMAPS = {"blender": {"ball": "G", "ring": "R", "target": "L"}, "maya": {"ball": "W", "ring": "E", "target": "L"}}
NOTICE_MS = 8000
UNDONE, REDONE = "Undone for ", "Done again for "  # somebody: whose step it was
ASIDE_M = 0.1  # metres beside the place clicked that nobody wonders about
ASIDE = "There is no room where you clicked: “{}” stands {:.0f} cm away."
ICONS = {
    "ball": "move",
    "ring": "rotate",
    "target": "target",
    "contact": "contact",
}  # of commands, by the handle they add


class PosingCommands:
    """What the Edit and Pose menus do to the active character, and to what is selected with it. seen: the view.

    open_pasted: opens the files or the picture that another program copied.
    """

    def __init__(self, session: Session, body: BodyChoice, seen: SessionView, notices: Notices, jobs: Jobs) -> None:
        self.session, self._body, self._seen, self._notices, self._jobs = session, body, seen, notices, jobs
        self.clipboard = PoseClipboard(session)
        self.open_pasted: Callable[[], object] = lambda: None
        for told in (UNDONE, REDONE):
            session.opened.connect(partial(notices.retract, told))

    def commands(self, keymap: str) -> tuple[Command, ...]:
        """The table."""
        session, keys = self.session, KEYMAPS[keymap]
        has = lambda: session.active is not None  # noqa: E731
        chosen = lambda: bool(session.selected_effectors)  # noqa: E731
        prop = lambda: bool(session.view.prop or session.view.props)  # noqa: E731
        selected = lambda: bool(session.selected_effectors or session.view.joints or prop())  # noqa: E731
        return (
            Command(
                "edit.undo", "Undo", self.undo, ("Ctrl+Z",), "undo",
                enabled=lambda: (session.late.undone_next or session.history.undo_text) is not None,
                title_now=self.undo_title,
            ),
            Command(
                "edit.redo", "Redo", self.redo, ("Ctrl+Shift+Z", "Ctrl+Y"), "redo",
                enabled=lambda: session.history.redo_text is not None,
                title_now=self.redo_title,
            ),
            Command("edit.copy", "Copy pose", self.copy, ("Ctrl+C",), enabled=lambda: has() or prop(),
                    title_now=lambda: self.title_of("Copy", "pose")),
            Command(
                "edit.paste", "Paste pose", self.paste, ("Ctrl+V",),
                enabled=lambda: self.clipboard.brings_something or (has() and self.clipboard.filled),
                title_now=self.paste_title,
            ),
            Command(
                "edit.paste_flipped", "Paste pose flipped", lambda: self.clipboard.paste(flipped=True),
                ("Ctrl+Shift+V",), enabled=lambda: has() and self.clipboard.filled,
            ),
            Command("edit.select_all", "Select all effectors", self.select_all, ("Ctrl+A",), enabled=has),
            Command("edit.select_none", "Select none", self.select_none, ("Alt+A",), enabled=selected),
            Command("edit.delete", "Delete effectors", self.delete, ("Del",), "delete",
                    enabled=lambda: has() or prop(), title_now=lambda: self.title_of("Delete", "effectors")),
            Command("pose.add_person", "Add a person", self.add_person, ("Shift+A",), "add"),
            Command("pose.duplicate", "Duplicate person", self.duplicate, ("Ctrl+D",), "duplicate",
                    enabled=lambda: has() or prop(), title_now=lambda: self.title_of("Duplicate", "person")),
            Command("pose.remove_person", "Delete person", self.remove_person, ("Ctrl+Del",), enabled=has,
                    tip="Delete person: everybody who is selected"),
            *(
                self._command_of(kind, (keys[kind.handle],) if first and kind.handle in keys else ())
                for kind, first in with_first(kinds())
            ),
            Command("pose.pin", "Pin", self.pin, ("P",), "pin", enabled=chosen, checked=self._all_pinned),
            Command(
                "pose.strict", "Make strict", self._on_chosen("Make strict", edits.make_strict), enabled=chosen,
                tip="Make strict: the selected effectors are met strictly, with tolerance 0",
            ),
            Command(
                "pose.loose", "Make loose", self._on_chosen("Make loose", edits.make_loose), enabled=chosen,
                tip="Make loose: the selected effectors follow the body until they are touched",
            ),
            Command(
                "pose.mirror", "Mirror pose", self.mirror, ("Ctrl+M",), "mirror",
                enabled=lambda: has() or prop(), title_now=self._mirroring,
                tip="Mirror pose: left and right change sides; of somebody who moves, at every frame",
            ),
            *side_commands(session),
            Command(
                "pose.other", "Other solution", session.request_other, ("O",), "other",
                enabled=lambda: can_have_other(session.active),
                tip="Other solution: another pose that meets the same effectors; choose it again for the next one",
            ),
            Command(
                "pose.set_base", "Set current as base pose",
                self._on_active("Set current pose as base pose", edits.set_current_as_base), ("Ctrl+B",), enabled=has,
            ),
            Command("pose.return", "Return to base pose",
                    self._on_active("Return to base pose", edits.reset_to_base), ("Alt+R",), "reset", enabled=has),
            Command(
                "pose.floor", "Set on the floor", self.set_on_floor, ("End",), enabled=lambda: has() or prop(),
                tip="Set on the floor: the lowest point of the body, or of the selected prop, touches it",
            ),
            *rest_commands(session, self._jobs, lambda text: self._notices.say(text, NOTICE_MS)),
            Command(
                "pose.remove_key", "Remove key", self._on_active("Remove key", edits.remove_key), enabled=self._on_key,
                tip="Remove key: this frame shows the motion again, without what you posed here",
            ),
            Command("pose.settle", "Move handles to the joints",
                    self._on_active("Move handles to the joints", edits.settle_effectors), enabled=has),
            *contact_commands(session),
        )  # fmt: skip

    def _command_of(self, kind: Kind, keys: tuple[str, ...]) -> Command:
        session = self.session
        return Command(
            id_of_kind(kind),
            kind.verb,
            lambda: self.handle_of(kind.id),
            keys,
            ICONS[kind.handle],
            enabled=lambda: (
                kind.handle in _on_prop().TOOLS  # a prop can neither look nor hold
                if session.view.prop
                else bool(session.selected_effectors or session.view.joints)
            ),
            tip=f"{kind.verb}: select or add the {kind.title.lower()} effector of the selected joint",
        )

    def undo(self) -> None:
        """Undo one step; the notice about it is dropped."""
        session, title = self.session, self.session.history.undo_text
        step, whose = session.history.undo_revision, session.view.character
        if put_off := session.late.undone_next:
            session.undo()
            self._notices.retract(f"“{put_off}”")
        elif session.undo():
            self._notices.undone(step)
            self._tell_whose(whose, UNDONE, title)

    def redo(self) -> None:
        """Redo one step."""
        title, whose = self.session.history.redo_text, self.session.view.character
        if self.session.redo():
            self._tell_whose(whose, REDONE, title)

    def _tell_whose(self, before: str, done: str, title: str | None) -> None:
        """Say so if undo or redo went to another person."""
        names, now = self.session.document.names, self.session.view.character
        if before in names and now != before:
            self._notices.say(f"{done}{names[now]}: {mid_sentence(title or '')}", NOTICE_MS)

    def undo_title(self) -> str:
        """ "Undo move left wrist"."""
        session = self.session
        return f"Undo {mid_sentence(session.late.undone_next or session.history.undo_text or '')}".strip()

    def redo_title(self) -> str:
        """ "Redo move left wrist"."""
        return f"Redo {mid_sentence(self.session.history.redo_text or '')}".strip()

    def title_of(self, verb: str, otherwise: str) -> str:
        """A title that names the selected props, such as “Delete Box”, else what the command is about."""
        view, deletes = self.session.view, verb == "Delete"
        if not (view.prop or view.props) or (deletes and not self._deletes_props()):
            return f"{verb} {otherwise}"
        return f"{verb} {_on_prop().name_of_selected(self.session, props_alone=deletes)}"

    def select_all(self) -> None:
        """Select every effector of the active character."""
        active = self.session.active
        if active is not None:
            self.session.select(active.id, [e.id for e in active.effectors])

    def select_none(self) -> None:
        """Select nothing."""
        self.session.select(self.session.view.character)

    def copy(self) -> None:
        """Copy what is selected if a prop is, else the active character's pose; say which."""
        active = self.session.active
        if self.session.view.prop or self.session.view.props:
            self._notices.say(_on_prop().copy_selected(self.session, self.clipboard), NOTICE_MS)
        elif active is not None:
            self.clipboard.copy()
            self._notices.say(f"Copied the pose of {active.name}.", NOTICE_MS)

    def paste_title(self) -> str:
        """The command's title, which says what is pasted."""
        if self.clipboard.keys:
            return "Paste keys"
        if self.clipboard.foreign:
            return f"Paste {self.clipboard.foreign}"
        return "Paste" if self.clipboard.things else "Paste pose"

    def paste(self) -> None:
        """Paste the keys that were copied last, open what another program copied, add the people and props that were
        copied, or give the active character the copied pose."""
        if self.clipboard.keys:
            self.clipboard.keys()
        elif self.clipboard.foreign:
            self.open_pasted()
        elif not self.clipboard.things or (self.session.active and self.clipboard.has_later_pose()):
            self.clipboard.paste()
        else:
            _on_prop().paste_things(self.session, self.clipboard, self._seen.sees, self._jobs, self._seen.show_new)

    def _deletes_props(self) -> bool:
        """Whether Delete takes out props: selected effectors go first, as they are the last that was clicked."""
        return bool(self.session.view.prop or (self.session.view.props and not self.session.selected_effectors))

    def delete(self) -> None:
        """Delete the selected effectors, or the selected props; for people say which key deletes them."""
        if self._deletes_props():
            _on_prop().delete_props(self.session, self._tell)
            return
        active, chosen = self.session.active, self.session.selected_effectors
        if active is not None and chosen:
            text = "Delete effector" if len(chosen) == 1 else f"Delete {len(chosen)} effectors"
            self.session.edit(text, edits.remove_effectors(active.id, [e.id for e in chosen]), solve=True)
        elif active is not None:
            others = len(self.session.view.others)
            who = f"{others + 1} people" if others else active.name
            self._notices.say(f"No effector is selected to be deleted. Ctrl+Del deletes {who}.", NOTICE_MS)

    def pin(self) -> None:
        """Pin the selected effectors, or release them if all are pinned."""
        active, chosen = self.session.active, self.session.selected_effectors
        if active is not None and chosen:
            on = not self._all_pinned()
            edit = edits.chain(*(edits.set_pinned(active.id, e.id, on) for e in chosen))
            self.session.edit("Pin" if on else "Unpin", edit, solve=True)

    def handle_of(self, kind: str) -> None:
        """Select the effector of that kind on each selected joint; add it where there is none.

        While a prop is selected, its gizmo moves or turns it instead.
        """
        if self.session.view.prop:
            _on_prop().use_tool(self.session, kind)
            return
        self.session.settle(MOMENT_S)  # it holds a joint where the body comes to
        active = self.session.active
        if active is None:
            return
        joints = {e.joint for e in self.session.selected_effectors} | self.session.view.joints
        found = [e for e in active.effectors if e.joint in joints and e.kind == kind]
        added = new_effectors(active, kind, sorted(joints - {e.joint for e in found}))
        if added:
            where = joint_title(added[0].joint).lower() if len(added) == 1 else f"{len(added)} joints"
            edit = edits.chain(*(edits.add_effector(active.id, effector) for effector in added))
            if not self.session.edit(f"Add {added[0].spec.title.lower()} to {where}", edit, solve=True):
                return
        self.session.select(active.id, [e.id for e in (*found, *added)])

    def add_person(self, place: Place | None = None) -> None:
        """Add a person beside those who are there, or as near to a place on the floor as there is room."""
        document = self.session.document
        try:
            character = new_character(document, body=self._body.id(), solid_floor=True)
        except PoserError as error:
            self.session.refused.emit(f"{error} The free body is used instead.")
            character = new_character(document, body=self._body.fall_back(), solid_floor=True)
        character = self._clear(character, place)
        if self.session.edit(f"Add {character.name}", edits.add_character(character), solve=True):
            self.session.select(character.id)
            if place is not None and (aside := dist(place, place_of(character))) > ASIDE_M:
                self._tell(ASIDE.format(character.name, aside * 100))
            if place is None:  # a clicked place is in view, and the floor must stay below the pointer
                self._seen.show_new_person(character.id)

    def duplicate(self) -> None:
        """Add a copy of what is selected if a prop is, else of the active person, where it is seen."""
        added = _on_prop().duplicate_selected(self.session, self._seen.sees, self._tell)
        if added is not None:
            self._seen.show_new(added)

    def _clear(self, character: Character, place: Place | None = None) -> Character:
        """A new person moved clear of everybody and everything, as near as possible to `place` or where they are."""
        from app.document.edits.clear_place import placed_clear  # only once somebody is added

        return placed_clear(self.session.document, character, place or place_of(character))

    def remove_person(self) -> None:
        """Take the selected people out."""
        people = self._people()
        if people:
            from app.services.steps.deleting import delete_people  # only once somebody is deleted

            if said := delete_people(self.session, [person.id for person in people]):
                self._tell(said)

    def set_on_floor(self) -> None:
        """Put the selected props, or else the selected people, onto the floor."""
        if self.session.view.prop:
            _on_prop().set_props_on_floor(self.session)
        else:
            people = moving_people(self.session.view, self.session.document)
            placed = edits.chain(*(edits.stand_on_floor(person.id) for person in people))
            place_people(self.session, "Set on the floor", people, placed)

    def solve_globally(self) -> None:
        """Keep nothing of the base pose, and solve."""
        active = self.session.active
        if active is not None:
            self.session.edit("Solve in Global", edits.set_preserve_mode(active.id, GLOBAL), solve=True)

    def _tell(self, text: str) -> None:
        """Say something about the step made last."""
        self._notices.say(text, NOTICE_MS, self.session.history.undo_revision)

    def _people(self) -> tuple[Character, ...]:
        return selected_people(self.session.view, self.session.document)

    def _on_key(self) -> bool:
        active = self.session.active
        return active is not None and len(active.clip.keys) > 1 and active.clip.key(active.frame) is not None

    def _all_pinned(self) -> bool:
        chosen = self.session.selected_effectors
        return bool(chosen) and all(e.pinned for e in chosen)

    def _on_chosen(self, text: str, make: Callable[[str, list[str]], Edit]) -> Callable[[], None]:
        def run() -> None:
            active, chosen = self.session.active, self.session.selected_effectors
            if active is not None and chosen:
                self.session.edit(text, make(active.id, [e.id for e in chosen]), solve=True)

        return run

    def mirror(self) -> None:
        """Mirror what is selected if a prop is; else exchange left and right of the active person, at every frame."""
        if self.session.view.prop or self.session.view.props:
            _on_prop().mirror_selected(self.session, lambda text: self._notices.say(text, NOTICE_MS))
            return
        self._on_active(self._mirroring(), edits.mirror_pose)()

    def _mirroring(self) -> str:
        active = self.session.active
        if self.session.view.prop or self.session.view.props:
            return self.title_of("Mirror", "")
        return "Mirror pose" if active is None or len(active.clip) == 1 else "Mirror motion"

    def _on_active(self, text: str, make: Callable[[str], Edit]) -> Callable[[], None]:
        def run() -> None:
            active: Character | None = self.session.active
            if active is not None:
                self.session.edit(text, make(active.id))

        return run


def with_first(every: Sequence[Kind]) -> Iterator[tuple[Kind, bool]]:
    """The kinds, and whether each is the first with its handle, which has the key."""
    seen: set[str] = set()
    for kind in every:
        yield kind, kind.handle not in seen
        seen.add(kind.handle)


def _on_prop() -> ModuleType:
    """What keys do to a selected prop, loaded late: the window starts without it."""
    from app.window.commands import selected_prop_commands

    return selected_prop_commands
