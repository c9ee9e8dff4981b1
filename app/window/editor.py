"""The window and everything behind it, connected."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from app.dialogs import messages
from app.look.theme import THEMES, apply_colors, apply_theme
from app.panels.all_panels import AllPanels
from app.panels.job_bar import JobBar
from app.panels.offer_bar import OfferBar
from app.services.background.autosave import Autosave
from app.services.background.in_betweens import InBetweens
from app.services.background.jobs import Jobs
from app.services.background.photo_import import PhotoImport
from app.services.background.reason_scheduler import ReasonScheduler
from app.services.body_choice import BodyChoice
from app.services.garbage_collection import MainThreadCollector
from app.services.live_channel import LiveChannel
from app.services.player import Player
from app.services.session import Session
from app.services.settings import SettingsStore
from app.services.solve_service import SolveService, ahead, prepare_default
from app.viewport.overlays.hover_label import HoverLabel
from app.viewport.session_view import SessionView
from app.viewport.tools.pose_tool import PoseTool
from app.window.areas import Areas
from app.window.commands.actions import Actions, Command, waits_for_release
from app.window.commands.bookmark_commands import bookmark_commands
from app.window.commands.gaze_commands import gaze_commands
from app.window.commands.people_commands import people_commands
from app.window.commands.place_commands import place_commands
from app.window.commands.posing_commands import PosingCommands
from app.window.commands.time_commands import stride_command, time_commands
from app.window.commands.view_commands import orbit_commands, view_commands
from app.window.controls.depth_control import DepthControl
from app.window.controls.drop_control import DropControl
from app.window.controls.handle_menu import open_handle_menu, open_place_menu
from app.window.controls.label_control import LabelControl
from app.window.controls.photo_people import PhotoPeople
from app.window.controls.picture_wait import PictureWait
from app.window.controls.pose_browsers import PoseBrowsers
from app.window.controls.prop_control import PropControl
from app.window.controls.start_control import StartActions, StartControl
from app.window.controls.trackers_control import TrackersControl
from app.window.crash_recovery import offer_recovery
from app.window.files import Files
from app.window.held_keys import HeldKeys
from app.window.main_window import MainWindow, WindowParts
from app.window.user_messages import UserMessages
from app.window.window_commands import file_commands, help_commands
from app.window.window_dialogs import dialogs_of
from rendering.view.viewport import Viewport
from solver import devices

if TYPE_CHECKING:
    from app.panels.solver_panel import SolverPanel
    from app.window.commands.search_items import SearchItem

INTERRUPTED = 130  # exit code


class Editor(QObject):
    """Everything that belongs to one window. clock: the time in seconds that motions play by."""

    def __init__(
        self,
        application: QApplication,
        settings: SettingsStore,
        body: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._application, self.settings = application, settings
        self._shut = self._warm = self.work_is_kept = False
        self._dressed = settings.values.theme
        self._garbage = MainThreadCollector(self)
        apply_colors(application, THEMES[self._dressed])
        self.service = SolveService(prepare=prepare_default, spare=lambda: ahead(self.session.document), parent=self)
        self.session = Session(self.service, self)
        self.reason_scheduler = ReasonScheduler(self.session, self)
        self.jobs = Jobs(self, held_up=lambda: not self.service.awake)
        self.in_betweens = InBetweens(self.session, self.jobs, parent=self)
        self.window = MainWindow()
        self.viewport = Viewport()
        self.session_view = SessionView(self.session, settings, self.viewport)
        self.tool = PoseTool(self.session, self.viewport, self, settings)
        self.viewport.set_tool(self.tool)
        self.hover_label = HoverLabel(self.viewport)
        choice = BodyChoice(settings, body)
        self.photos = photos = PhotoImport(
            session=self.session,
            jobs=self.jobs,
            settings=settings,
            body=choice,
            choose=self._choose_people,
            backdrop=partial(messages.ask_for_backdrop, self.window),
            parent=self,
        )
        self.files = Files(
            session=self.session,
            jobs=self.jobs,
            settings=settings,
            photos=photos,
            pictures=self.session_view,
            body=choice,
            window=self.window,
        )
        self._make_controls(settings, choice, clock)
        self._make_actions(settings)
        self._lay_out()
        self._connect()
        self.session.open(self.files.fresh())
        self.autosave = Autosave(self.session, parent=self)
        self.autosave.failed.connect(self.user_messages.not_kept)
        self.refresh()
        # Only now that all widgets are in place: each takes the style sheet again whenever it is put into another.
        apply_theme(application, THEMES[self._dressed])
        self.session_view.frame_all(glide=False)

    def _make_controls(self, settings: SettingsStore, choice: BodyChoice, clock: Callable[[], float]) -> None:
        """What commands and panels act on."""
        self.posing = PosingCommands(self.session, choice, self.session_view, self.window.status.notices, self.jobs)
        self.props = PropControl(self.session, self.session_view, self.files.add_mesh)
        self.pose_browsers = PoseBrowsers(self.session, self.jobs, settings, self.viewport, self._say_of_step)
        self.trackers = TrackersControl(self.session, self.jobs, settings, self.viewport, clock)
        self.depth = DepthControl(self.session, self.viewport)
        self.drops = DropControl(self.session, self.viewport, self.files.open_path, self.pose_browsers.card_of)
        self.labels = LabelControl(
            session=self.session,
            jobs=self.jobs,
            settings=settings,
            photos=self.photos,
            body=choice,
            may_leave=self.trackers.may_go,
            may_open=self.files.may_close,
            view=self.viewport,
            pixels=self.session_view.pixels,
            window=self.window,
        )
        self.picture_wait = PictureWait(self.labels, self.window.wait_for)
        self.files.hooks = self.labels.hooks()
        self.photo_people = PhotoPeople(self.session, self.jobs, settings, choice, self.viewport)
        self.player = Player(self.session, LiveChannel(self.session, clock), self)
        self.in_betweens.playing = lambda: self.player.playing
        self.panels = AllPanels(self.session, settings, self.player)
        self.areas = Areas(self.window, self.viewport)

    def _make_actions(self, settings: SettingsStore) -> None:
        """The commands of menus, toolbar and keys."""
        files, library = self.files, self.pose_browsers.open_library
        starts = StartActions(self.posing.add_person, files.photos.open, library, files.open_motion)
        self.start_cards = StartControl(self.session, self.jobs, starts, self.viewport)
        dialogs = dialogs_of(
            self.window, self.viewport, settings, lambda: self.actions, self._named, lambda: self.labels.active
        )
        self.actions = Actions(
            (
                *file_commands(self.files, dialogs),
                *self.posing.commands(settings.values.keymap),
                *place_commands(self.posing, self.viewport),
                *self.props.commands(settings.values.keymap),
                *self.pose_browsers.commands(),
                *view_commands(self.session, self.session_view, settings, self.window.status.notices),
                *orbit_commands(self.session_view, self.viewport),
                *bookmark_commands(self.session, self.session_view, self.window.status.notices.say),
                *self.areas.commands(),
                *time_commands(self.session, self.panels.timeline, self.viewport, settings.values.keymap),
                stride_command(self.panels.timeline.stride, self.panels.type_stride),
                *self.depth.commands(),
                *self.photo_people.commands(),
                *self.trackers.commands(),
                *people_commands(self.session, self.session_view, self.panels),
                *gaze_commands(self.session, self.viewport),
                *self.labels.commands(),
                *help_commands(dialogs),
            ),
            self.window,
            lambda each: self.user_messages.run(each, self.viewport) if self._may_run(each) else None,
        )

    def _may_run(self, command: Command) -> bool:
        """Whether a command can be run now; says so if it has to wait until what is dragged is let go of."""
        if what := self.picture_wait.why_not(command.id):
            self.window.status.notices.say(what, 4000)
            self.actions.refresh()
            return False
        asks_for_a_name = command.id == "file.save" and self.session.path is None
        if not (self.tool.dragging and (waits_for_release(command.id) or asks_for_a_name)):
            return True
        title = command.title_now() if command.title_now is not None else command.title
        self.window.status.notices.say(f"Let go of the mouse button first, then “{title}”.", 0)
        self.actions.refresh()  # a switch that Qt has turned goes back
        return False

    def _lay_out(self) -> None:
        self.window.lay_out(
            WindowParts(self.viewport, self.panels.timeline, self.panels.curves, self.panels.left, self.panels.right),
            self.actions,
        )
        self.job_bar = self.window.over_hint = JobBar(self.jobs, self.viewport)
        self.global_offer = OfferBar("Solve in Global", self.viewport)
        self.user_messages = UserMessages(self.session, self.window, self.global_offer)

    def refresh(self) -> None:
        """Show the session's state in panels, actions, title and status bar."""
        self.panels.refresh()
        self.actions.refresh()
        self.start_cards.refresh()
        self.user_messages.refresh(dragging=self.tool.dragging)

    def begin(self, file: Path | None = None) -> None:
        """Offer unsaved work of a crashed run, then open the file the program was started with."""
        restored = offer_recovery(self.session, self.autosave, self.window)
        if restored and file is not None:
            from solver.files.same_file import same_file  # only after a crash

            file = None if same_file(file, self.session.path) else file
        if file is not None:
            self.files.open_path(file)

    def shut_down(self) -> None:
        """End all threads and remove the recovery file; the window has closed."""
        if self._shut:
            return
        self._shut = True
        self.player.stop()
        self.settings.set_geometry(self.window.saveGeometry())
        self.panels.curves.keep_height()
        self.pose_browsers.close()
        self.trackers.close()
        self.labels.stop()
        self.window.hide()  # a solver that is still compiling takes its time to end
        self.panels.curves.stop()
        self.in_betweens.stop()
        self.autosave.close(keep=self.work_is_kept)
        self.jobs.stop()
        self.panels.body.warm_up.wait()
        self.photos.stop()
        self.service.stop()
        self.session_view.stop()
        self._garbage.stop()

    def interrupt(self) -> None:
        """End at once, as on Ctrl+C in the terminal or a log-out: unsaved work is kept for the next start."""
        self.work_is_kept = self.session.history.dirty and self.autosave.write_now() is not None
        self._application.exit(INTERRUPTED)

    def emergency(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Handle an uncaught exception: keep the work, say where it is, and go on if possible."""
        text = "".join(traceback.format_exception(kind, error, trace))
        print(text, flush=True)
        if threading.current_thread() is not threading.main_thread() or self._shut:
            return
        unsaved = self.session.history.dirty
        messages.tell_of_failure(self.window, self.autosave.write_now() if unsaved else None, text, unsaved)

    def _connect(self) -> None:
        session, window = self.session, self.window
        soon = window.refresh_with(self.refresh, busy=lambda: session.in_step)
        session.changed.connect(soon)
        session.solved.connect(soon)
        self.service.ready.connect(soon)
        session.path_changed.connect(soon)
        session.opened.connect(self.session_view.start_view)
        session.opened.connect(self.jobs.leave_scene)
        self.settings.changed.connect(self._restyle)
        self.settings.changed.connect(self.refresh)
        self.settings.not_kept.connect(self.user_messages.settings_not_kept)
        self.jobs.failed.connect(self.user_messages.job_failed)
        self.player.changed.connect(soon)
        self.panels.timeline.solve_asked.connect(self.in_betweens.again)
        self.panels.timeline.typed.connect(self.viewport.setFocus)
        self.in_betweens.held = lambda: self.panels.timeline.track.held
        self.depth.said.connect(lambda text: window.status.notices.say(text, 0))  # as long as it takes to read
        for teller in (self.areas, self.depth, self.labels, self.panels.timeline.chosen):
            teller.retracted.connect(window.status.notices.retract)
        for said in (self.areas.said, self.labels.said, self.files.message, self.drops.said):
            said.connect(lambda text: window.status.notices.say(text, 8000))
        panels = self.panels
        for one in (self.tool, panels.target, panels.timeline, panels.people, self.photo_people, self.in_betweens):
            one.said.connect(self._say_of_step)
        self.files.step_message.connect(self._say_of_step)
        panels.timeline.chosen.copied.connect(self.posing.clipboard.keep_keys)
        self.labels.changed.connect(soon)
        self.files.saved.connect(self.labels.saved)
        self.files.opened.connect(self._opened)
        self.photos.reading.connect(self._show_reading)
        self.files.asking.connect(self.player.stop)
        self.tool.hint.connect(self._drag_hint)
        self.tool.hover_name.changed.connect(self.hover_label.show_at)
        self.tool.hover_name.named.connect(lambda name: window.status.set_facts(under=name))
        self.tool.menu_asked.connect(partial(open_handle_menu, self.window, self.session))
        self.tool.place_asked.connect(partial(open_place_menu, self.viewport, self.posing, self.props, self.actions))
        self.tool.pressing.connect(self.session_view.end_swings)
        for taken in (self.tool.taken, self.panels.target.taken, self.pose_browsers.searching):
            taken.connect(self.player.stop)
        self.tool.taken.connect(lambda: session.set_view(peek=False))
        self.session_view.refused.connect(self.user_messages.refuse)
        self.viewport.failed.connect(self.user_messages.refuse)
        self.panels.people.add_asked.connect(self.posing.add_person)
        self.panels.people.copy_asked.connect(self.posing.duplicate)
        self.panels.people.prop_asked.connect(self.props.ask)
        self.panels.photo.open_asked.connect(self.files.photos.open)
        self.panels.photo.find_asked.connect(self.files.photos.find)
        self.panels.photo.look_asked.connect(self.session_view.look_through)
        self.panels.connect_solver = self._connect_solver
        self.global_offer.accepted.connect(self.posing.solve_globally)
        window.hovered, window.held_at, self.posing.open_pasted = self.drops.hover, self.drops.move, self.drops.paste
        window.address_hovered, window.may_close = self.drops.hover_address, self.files.may_close_window
        window.dropped.connect(self.drops.drop)
        window.expected.connect(self.files.expect)
        window.closed.connect(self.shut_down)
        opens, why, notices = lambda: bool(self.labels.opening), self.actions.why_grey_at, window.status.notices
        keys = HeldKeys(session, self.viewport, self.tool, self.player, self.job_bar, opens, why, notices)
        window.key_filter, window.key_released, window.key_coming = keys.press, keys.key_released, keys.coming
        self.actions.restyle(THEMES[self._dressed])
        self._restyle()

    def _connect_solver(self, panel: SolverPanel) -> None:
        from app.services.background.effector_recovery import EffectorRecovery  # loaded with the panel

        recovery = EffectorRecovery(self.session, self.jobs, self._say_of_step)
        panel.errors = recovery.curve
        panel.recover_asked.connect(recovery.recover)
        panel.count_asked.connect(recovery.take)
        panel.other_asked.connect(self.session.request_other)
        panel.variations_asked.connect(self.pose_browsers.open_variations)
        panel.compare_asked.connect(self.pose_browsers.open_comparison)

    def warm_up(self) -> None:
        """Start the solver thread and let it load the solver, once the window shows; done only once."""
        if self._warm or self._shut:
            return
        self._warm = True
        self.service.start()

    def _restyle(self) -> None:
        devices.choose(self.settings.values.device)
        theme = THEMES[self.settings.values.theme]
        if theme.id != self._dressed:
            self._dressed = theme.id
            apply_theme(self._application, theme)
            self.actions.restyle(theme)
        forget = lambda: self.settings.set(recent=())  # noqa: E731
        self.window.set_recent(self.settings.values.recent, self._open_recent, forget)

    def _open_recent(self, path: Path) -> None:
        from app.window.recent_files import open_recent  # only once one is chosen

        open_recent(path, self.files.open_path, self.settings, self.window)

    def _opened(self) -> None:
        if not self.session.view.through_photo:
            self.session_view.frame_all(motion=True)

    def _say_of_step(self, text: str) -> None:
        """A notice that goes when the last step is undone."""
        self.window.status.notices.say(text, 8000, self.session.history.undo_revision)

    def _drag_hint(self, text: str) -> None:
        self.user_messages.say_in_drag(text)
        if not text:
            self.refresh()

    # What opens over the window is loaded when first opened: the window starts without it.

    def _named(self) -> tuple[SearchItem, ...]:
        from app.window.commands.search_items import items_of

        return items_of(self.session, self.panels, lambda: self.pose_browsers.library)

    def _show_reading(self, picture: object) -> None:
        from app.viewport.photo_reading import PhotoReading  # only once a photo is opened

        if not self.viewport.findChild(PhotoReading):
            PhotoReading(self.session_view, self.jobs, self.photos).show_photo(picture)  # type: ignore[arg-type]
            self.job_bar.raise_()

    def _choose_people(self, image: object, result: object) -> list[int] | None:
        from app.dialogs.people_dialog import ask_for_people

        people = result.people  # type: ignore[attr-defined]
        boxes, like = [p.box for p in people], [p.like for p in people]
        scores, unsure = [p.score if p.scored else None for p in people], [p.pose_is_unsure for p in people]
        children, rgb = [p.smaller is not None for p in people], image.rgb  # type: ignore[attr-defined]
        return ask_for_people(self.window, rgb, boxes, scores, like, unsure, children)
