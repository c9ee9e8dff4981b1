"""What the window tells its user: the hint in the view, facts and notices in the status bar, refusals in a box."""

from __future__ import annotations

from math import degrees
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.dialogs import messages
from app.document import edits
from app.document.model.document import Character, Document
from app.document.posing.findings import Finding
from app.document.posing.modes import half_turn, mode_of, off_their_places
from app.document.posing.solving import refusal_for
from app.look.wording import let_go_text, time_text, worst_state
from app.panels.offer_bar import OfferBar
from app.panels.worst_effector import stand_in_text, worst_text
from app.services.clock import clock_of
from app.services.device import run_text
from app.services.session import Session
from app.services.soon import soon
from app.window.main_window import PART, MainWindow
from solver.effectors.resolve import tied_figures

if TYPE_CHECKING:
    from app.window.commands.actions import Command
    from rendering.view.viewport import Viewport

LONG_MS, ALREADY_MS = 15_000, 8000
HALF_TURN = "The hips are turned {}° away from the base pose, whose places are kept."
KEEPS_UP = "{0} is tied to {1} and so has frames now, too. Wherever you pose {1}, {0} gets a key as well."
ENDED = "{} was posed at frame {:,}, where their motion ends."
TOO_FAR = "{} stands too far away to get there."
LONG_SOLVE_MS = 600
WELCOME = "Drag a handle · double-click a joint to add one · drop a photo"
AWAY = "Press 0 to go back to the photo and its horizon"
WELCOME_SHORT = "Drag a handle to pose"
FOLLOWS_LATER = "The body follows once the solver is prepared"
ONCE = " (once, about 2 min)"  # on a new machine, where it is compiled
ALL_MET = "All effectors met"


class UserMessages(QObject):
    """global_offer: the bar that offers to solve in Global, shown when hips are turned half round."""

    def __init__(self, session: Session, window: MainWindow, global_offer: OfferBar) -> None:
        super().__init__(window)
        self._session, self._window, self._global_offer = session, window, global_offer
        self.nearer_offer = OfferBar("Bring nearer", global_offer.parentWidget() or window)
        self.nearer_offer.accepted.connect(self._bring_nearer)
        self._solves_long = QTimer(self, singleShot=True, interval=LONG_SOLVE_MS)
        self._solves_long.timeout.connect(self._tell_that_it_solves)
        self._trouble, self._in_drag, self._waits_long = "", "", False
        self._told: set[str] = set()
        self._refusals = 0
        self._document = session.history.document
        session.changed.connect(self._tell_whose_frames)
        session.refused.connect(self.refuse)
        session.solve_failed.connect(self._solve_failed)
        session.solved.connect(self._solved)
        session.late.said.connect(self._put_off)
        session.late.held_up.connect(self._held_up)
        session.opened.connect(self._opened)
        session.service.slow.connect(self._compiles)
        session.service.woken.connect(self._prepared)

    def refresh(self, dragging: bool) -> None:
        """Bring everything up to date; during a drag the hint is the tool's."""
        session, status = self._session, self._window.status
        active = session.active
        angle = self._offer_global(active)
        self._offer_to_bring_nearer(None if angle or session.document.photos else active)
        self._window.set_document_name(session.path, session.unsaved)
        self._watch_solve()
        worst = _worst_fact(active, session.finding) if active and not self._waits_long else ""
        ran = session.service.last_run
        status.set_facts(device=run_text(ran) if ran else "")
        status.set_facts(worst=worst, time=self._time_text())
        if not dragging:
            untouched = not session.history.steps() and session.path is None
            welcome = WELCOME if untouched and session.view.handles and session.document.characters else ""
            away = session.view.horizon and session.document.photo is not None and not session.view.through_photo
            text = self._trouble or (AWAY if away else welcome)
            self._window.set_hint(text, "" if self._trouble or away else WELCOME_SHORT)

    def say_in_drag(self, text: str) -> None:
        """Show the tool's hint, and why the body does not follow yet while the solver is prepared; "" ends it.

        A hint of one part answers a key, and stays alone: a narrow view would leave it out.
        """
        self._in_drag = text
        waits = PART in text and self._session.solving and not self._session.service.awake
        self._window.set_hint(f"{FOLLOWS_LATER}{PART}{text}" if waits else text)

    def run(self, command: Command, viewport: Viewport) -> None:
        """Run a command; where all was already as it would have it, say so: a key that does nothing seems broken."""
        session = self._session
        state = lambda: (session.history.document, session.view, viewport.final_view.camera)  # noqa: E731
        busy = lambda: (session.late.names, session.solving, self._refusals)  # noqa: E731
        before, waiting = state(), busy()
        command.run()
        if busy() == waiting and all(now is was for now, was in zip(state(), before, strict=True)):
            from app.window.commands.already import already_so  # seldom needed

            if text := already_so(command, session):
                self._window.status.notices.say(text, ALREADY_MS)

    def refuse(self, text: str) -> None:
        """Say that something asked for cannot be done."""
        self._refusals += 1
        messages.refuse(self._window, text)

    def job_failed(self, text: str, trace: str) -> None:
        """Say that a job ended early. trace: that of an unexpected error, else ""."""
        if trace:
            print(trace, flush=True)
            text = f"That did not work: {text}. Nothing was changed."
        self.refuse(text)

    def not_kept(self, reason: str) -> None:
        """Say in the status bar, not in a box that would interrupt the work, that unsaved work is not backed up."""
        self._window.status.notices.say(f"Unsaved work is not backed up at the moment. {reason}", LONG_MS)

    def settings_not_kept(self, text: str) -> None:
        """Say in the status bar that settings could not be saved."""
        self._window.status.notices.say(text, LONG_MS)

    def _time_text(self) -> str:
        if not self._session.service.awake:
            put_off, once = self._session.late.names, ONCE if self._session.service.compiles else ""
            return f"Preparing the solver{once}{f', then “{put_off[-1]}”' if put_off else ''}…"
        if self._waits_long:
            return "Solving…"
        finding = self._session.finding
        return f"Solve {time_text(finding.elapsed_s)}" if finding.elapsed_s > 0 else "Ready"

    def _watch_solve(self) -> None:
        """Have it said once a solve takes long, as what is said about the last one is no longer true."""
        if not self._session.solving:
            self._solves_long.stop()
            self._waits_long = False
        elif not (self._waits_long or self._solves_long.isActive()):
            self._solves_long.start()

    def _tell_that_it_solves(self) -> None:
        self._waits_long = True
        self._window.status.set_facts(worst="", time=self._time_text())

    def _solve_failed(self, text: str) -> None:
        """Say so in the view's hint, not in a box, as it may come with every move of a drag."""
        self._trouble = text
        self._window.set_hint(text)

    def _put_off(self, text: str) -> None:
        self._window.status.notices.say(text, LONG_MS)
        self._window.status.set_facts(time=self._time_text())

    def _compiles(self) -> None:
        self._window.status.set_facts(time=self._time_text())

    def _prepared(self) -> None:
        if self._in_drag:
            self.say_in_drag(self._in_drag)

    def _offer_global(self, active: Character | None) -> float | None:
        """Offer it to somebody whose hips are turned half round, by these radians; in a drag the offer is hidden, and
        stays declined."""
        if self._session.in_step or active is None:
            self._global_offer.hide()
            return None
        angle = half_turn(active)
        text = HALF_TURN.format(round(degrees(angle))) if angle else ""
        self._global_offer.offer(text, (active.id, mode_of(active)), active.frame)
        return angle

    def _offer_to_bring_nearer(self, active: Character | None) -> None:
        """Offer it if feet keep somebody's seat away; until that is known the offer is hidden, and stays declined."""
        session = self._session
        if active is None or session.in_step or session.solving or session.unexplained_character is not None:
            self.nearer_offer.hide()
        else:
            text = TOO_FAR.format(active.name) if self._held_back_by_feet(active)[0] else ""
            self.nearer_offer.offer(text, active.id, active.frame)

    def _held_back_by_feet(self, active: Character) -> tuple[str, tuple[str, ...]]:
        if self._session.unexplained_character is not None or worst_state(self._session.finding.residuals) == "met":
            return "", ()
        from app.document.posing.holds.feet_too_far import held_back_by_feet  # only once something is missed

        return held_back_by_feet(active, self._session.finding)

    def _bring_nearer(self) -> None:
        active = self._session.active
        contact, at_feet = self._held_back_by_feet(active) if active is not None else ("", ())
        if active is not None and contact:
            self._session.edit("Bring nearer", edits.bring_nearer(active.id, contact, at_feet), solve=True)

    def _held_up(self) -> None:
        self._window.status.set_facts(time="Waiting for the solver…")
        self._window.status.repaint()  # now, as nothing is drawn meanwhile

    def _opened(self) -> None:
        self._global_offer.forget()
        self.nearer_offer.forget()
        soon(self, self._tell_who_stands_in)  # after what is said about the file

    def _solved(self) -> None:
        self._trouble, self._waits_long = "", False
        self._solves_long.stop()
        self._tell_who_stands_in()

    def _tell_who_stands_in(self) -> None:
        """Say it once for each reason; the panel shows it as long as it holds."""
        active = self._session.active
        refusal = refusal_for(active) if active is not None else ""
        if refusal and refusal not in self._told:
            self._told.add(refusal)
            self._window.status.notices.say(f"{refusal} {stand_in_text()}", LONG_MS)

    def _tell_whose_frames(self) -> None:
        """Name those who were given frames because somebody they hold on to has some, and who was posed at an end."""
        history, before = self._session.history, self._document
        self._document = history.document
        if not history.undo_revision or before is history.document:
            return
        if not history.redo_text and (text := _posed_at_end(before, self._session)):
            self._window.status.notices.say(text, LONG_MS, history.undo_revision)
        still = {actor.id for actor in before.actors if len(actor.clip) == 1}
        document, active = self._session.document, self._session.view.character
        moving = {character.id: character.name for character in document.characters if len(character.clip) > 1}
        for id in moving.keys() & still:
            others = tied_figures(document.character(id).effectors) & (
                moving.keys() - (still if id == active else {id})
            )
            if others:
                text = KEEPS_UP.format(moving[id], moving[min(others)])
                self._window.status.notices.say(text, LONG_MS, history.undo_revision)


def _posed_at_end(before: Document, session: Session) -> str:
    """What to say where the active person was just posed at a time after their motion; "" elsewhere."""
    active, view = session.active, session.view
    was = next((actor.clip for actor in before.actors if active is not None and actor.id == active.id), None)
    if active is None or was is None or len(was) == 1 or len(was) != len(active.clip):
        return ""
    clip, clock = active.clip, clock_of(session.document, active.id, view.range_s)
    last = clock.frame((len(clip) - 1) / clip.fps)
    if clock.frame(view.time_s) <= last or clip.keys[-1].frame != len(clip) - 1 or clip.keys[-1] == was.keys[-1]:
        return ""
    return ENDED.format(active.name, last + 1)


def _worst_fact(active: Character, finding: Finding) -> str:
    """The worst effector in the status bar's words, or else the kept joint that is furthest off, or that all are met;
    "" where none asks for anything."""
    worst = worst_state(finding.residuals)
    if worst in ("met", "tolerated") and (off := let_go_text(off_their_places(active))):
        return off
    if worst == "met":
        return ALL_MET
    text = worst_text(active, finding)
    return f"Worst effector {text}" if text else ""
