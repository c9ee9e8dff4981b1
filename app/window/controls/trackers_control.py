"""Tracker mode in the window: its panel, and where trackers come from."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, QTimer
from PySide6.QtWidgets import QFileDialog

from app.dialogs import messages
from app.look.theme import SPACE
from app.services.background.jobs import Cancelled, Jobs, Progress
from app.services.session import Session
from app.services.settings import SettingsStore
from app.window.commands.actions import Command
from rendering.camera.camera import OrbitCamera
from rendering.view.viewport import Viewport

if TYPE_CHECKING:
    from app.dialogs.trackers_dialog import TrackersDialog
    from app.tracking.played_trackers import PlayedTrackers
    from app.tracking.receiver import TrackerReceiver
    from app.tracking.tracker_take import TrackerTake
    from app.tracking.tracking import Tracking
    from solver.kinematics.pose import Motion

REFRESH_MS = 200
ON_JOINTS = "A file's sensors sit on the joints themselves: there is nothing to calibrate"
UNHEARD = "Listen first: there is nobody to calibrate"
NO_MOTION = "Choose a motion first: there is nothing to follow"
NONE_HEARD = "No tracker is heard now: there is nothing to record"
NO_LISTENING = "Listen first: there is nothing to follow"
REOPEN = "The take waits in Trackers (T)."
NONE_CHOSEN = "Choose a motion, and its sensors show here as trackers."


class TrackersControl(QObject):
    """Opens the panel and fills it. tracking: None until it is first opened. panel: None while it is closed."""

    def __init__(
        self, session: Session, jobs: Jobs, settings: SettingsStore, viewport: Viewport,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        super().__init__(viewport)
        self._session, self._jobs, self._settings, self._viewport = session, jobs, settings, viewport
        self._clock = clock
        self.tracking: Tracking | None = None
        self.panel: TrackersDialog | None = None
        self._motion: tuple[Path, str, Motion] | None = None  # the file, whom it is for, and the motion for them
        self._played: PlayedTrackers | None = None
        self._receiver: TrackerReceiver | None = None
        self._timer = QTimer(self, interval=REFRESH_MS)
        self._timer.timeout.connect(self._refresh)
        jobs.idle.connect(self._show_name)

    @property
    def _window(self) -> Any:  # the MainWindow, which this room does not know
        return self._viewport.window()

    def commands(self) -> tuple[Command, ...]:
        """What menus and the command search offer."""
        return (
            Command("time.trackers", "Trackers", self.toggle, ("T",), checked=lambda: self.panel is not None,
                    tip="Trackers: let somebody follow trackers, played from a file or sent by other programs"),
            # never disabled: the window does not refresh when a tracker is heard, so F9 would stay dead
            Command("time.calibrate", "Calibrate trackers", self.calibrate, ("F9",),
                    tip="Count down, and measure how the trackers sit on a person standing upright"),
        )  # fmt: skip

    def toggle(self) -> None:
        """Show the panel, or put it away as its cross does."""
        if self.panel is None:
            self.open()
        else:
            self.panel.close()

    def open(self) -> None:
        """Show the panel."""
        from app.dialogs.tracker_source import FILE, NETWORK, SENSORS
        from app.dialogs.trackers_dialog import TrackersDialog  # only once asked for: the window starts without it
        from app.tracking.camera_follow import CameraFollow
        from app.tracking.hidden_meanwhile import HiddenMeanwhile
        from app.tracking.receiver import DEFAULT_PORT
        from app.tracking.tracking import Tracking

        if self.tracking is None:
            self.tracking = Tracking(self._session, self._jobs, self._clock, parent=self)
            CameraFollow(self._session, self._viewport, self.tracking)
            self.tracking.changed.connect(self._refresh)
            self.tracking.kept.connect(self._show_way)  # after the camera has gone to them
            HiddenMeanwhile(self._session, self.tracking)
            self.tracking.refused.connect(self._refused)
            self._viewport.painted.connect(lambda _ms: self._painted())
        if self.panel is None:
            port = self._settings.values.tracker_port
            panel = self.panel = TrackersDialog(self._window, SENSORS, port or DEFAULT_PORT)
            panel.source.show_kind(NETWORK if port and self._motion is None else FILE)
            panel.source.kind_chosen.connect(self._change_kind)
            panel.source.browse.connect(self._browse)
            panel.source.sensors_chosen.connect(lambda _id: self._play())
            panel.source.listen.connect(self._listen)
            panel.source.hang_up.connect(self._hang_up)
            panel.rows.changed.connect(self._put_on)
            panel.calibrate.connect(self._calibrate)
            panel.follow.connect(lambda: self._do(self._follow))
            panel.stop.connect(lambda: self._do(self.tracking.stop))
            panel.record.connect(lambda: self._do(self._record))
            panel.keep.connect(lambda: self._do(self.tracking.keep))
            panel.discard.connect(lambda: self._do(self._discard))
            panel.closed.connect(self._closed)
            window = self._window
            if window.covered_by(panel):
                panel.become_docked()
                window.dock(panel)
            else:
                panel.place(window.mapToGlobal(QPoint(SPACE, SPACE * 12)))  # beside the figure
            self._play()  # what was played when it was closed
        self.panel.show()
        self.panel.take_focus()
        self._timer.start()
        self._refresh()
        self._session.changed.emit()  # the menu shows what is open

    def close(self) -> None:
        """Close the panel and end following."""
        if self.panel is not None:
            self.panel.close()
        if self.tracking is not None:
            self.tracking.close()

    def may_go(self) -> bool:
        """Whether the scene may be closed: every take is a motion by now, or the user gives it up. Else one is being
        kept, or the scene stays."""
        while self.tracking is not None and (take := self.tracking.unfinished):
            if not self._may_drop(take, "the scene stays open"):
                return False
        return True

    def _may_drop(self, take: TrackerTake, then: str) -> bool:
        """Whether the user gives a take up, which is then forgotten. then: what follows if it is kept."""
        tracking = self.tracking
        assert tracking is not None
        tracking.stop()
        waits = take is tracking.take and not tracking.solving
        answer = messages.ask_to_keep_take(self._window, take.length_s, then, not waits)
        if answer == messages.KEEP_TAKE and waits:
            tracking.keep()
        elif answer == messages.GIVE_UP:
            take.given_up = True
            if take is tracking.take:
                tracking.drop()
        return answer == messages.GIVE_UP

    def calibrate(self) -> None:
        """Count down to the calibration, or say why there is none."""
        if self.panel is None:
            self.open()
        assert self.panel is not None
        if self.panel.calibrate_button.isEnabled():
            self.panel.count_down()
        else:
            self.panel.say(f"{self.panel.calibrate_button.toolTip()}.")

    def _do(self, what: Callable[[], object]) -> None:
        if self.panel is not None:
            self.panel.say("")
        what()

    def _follow(self) -> None:
        """Let the active person follow."""
        assert self.tracking is not None
        self._begin_anew()
        self.tracking.follow()

    def _begin_anew(self) -> None:
        """Begin a file where the person stands, as soon as somebody follows it."""
        if self._played is not None and self.tracking is not None and not self.tracking.following:
            self._played.begin(self._clock())

    def _record(self) -> None:
        """Begin a take, or end the one being recorded; a waiting one is not overwritten without asking."""
        assert self.tracking is not None
        if self.tracking.recording:
            self.tracking.end_take()
            return
        take = self.tracking.take
        if not take or self.tracking.solving or self._may_drop(take, "then press Record again"):
            self._begin_anew()
            self.tracking.record()

    def _discard(self) -> None:
        """Forget the take once the user has confirmed it."""
        assert self.tracking is not None
        take = self.tracking.take
        if take and messages.ask_to_discard_take(self.panel, take.length_s):
            self.tracking.drop()

    def _calibrate(self) -> None:
        if self.tracking is not None:
            self._do(self.tracking.calibrate)

    def _put_on(self, name: str, what: str, value: object) -> None:
        if self.tracking is not None and name in self.tracking.attachments:
            self.tracking.put_on(name, **{what: value})

    def _refused(self, text: str) -> None:
        if self.panel is not None:
            self.panel.say(text)
        else:
            waits = self.tracking is not None and bool(self.tracking.take)
            self._session.refused.emit(f"{text} {REOPEN}" if waits else text)

    def _painted(self) -> None:
        if self.tracking is not None:
            self.tracking.latency.painted(self._clock())

    # Where trackers come from

    def _browse(self) -> None:
        folder = str(self._settings.usual_folder(self._session.path))
        path, _ = QFileDialog.getOpenFileName(self.panel, "Play a motion as trackers", folder, "Motion (*.bvh)")
        if path:
            self.play(Path(path))

    def play(self, path: Path) -> None:
        """Play a BVH file as trackers."""
        active = self._session.active
        if self.panel is None or active is None:
            from app.tracking.tracking import NOBODY

            self._refused(NOBODY)
            return
        self.panel.source.name.set_text(f"Reading {path.name}…")

        def work(_progress: Progress, _cancelled: Cancelled) -> Motion:
            from app.document.model.figure import skeleton_of
            from app.tracking.played_trackers import read_motion

            return read_motion(path, skeleton_of(active))

        def done(motion: Motion) -> None:
            self._motion = path, active.id, motion
            if self.panel is not None and self.panel.source.plays_file:  # else it is played once that is chosen again
                self._hang_up()
                self._play()

        self._jobs.run(f"Reading {path.name}", work, done)

    def _show_name(self) -> None:
        """Name the file that is played: another one may not have been readable, or its reading was cancelled."""
        if self.panel is not None:
            from app.dialogs.tracker_source import NO_FILE

            played = self._motion if self._played is not None else None
            self.panel.source.name.set_text(played[0].name if played is not None else NO_FILE)

    def _change_kind(self) -> None:
        """Hear the other kind of source: the file that was read last, or nobody until the network is listened to."""
        self._hang_up()
        if self.panel is not None and self.panel.source.plays_file:
            self._play()
        self._show_name()

    def _play(self) -> None:
        from app.dialogs.tracker_source import EVERY
        from app.document.model.figure import skeleton_of
        from app.tracking.played_trackers import PlayedTrackers, begun_at
        from solver.rig.rig import rig_of
        from solver.rig.roles import BODY_ROLES
        from solver.trackers.attachment import Attachment
        from solver.trackers.simulated_trackers import DEFAULT_ROLES, SIX_ROLES

        who = next((c for c in self._session.document.characters if self._motion and c.id == self._motion[1]), None)
        if self._motion is None or self.tracking is None or self.panel is None or who is None:
            return
        skeleton, chosen = skeleton_of(who), str(self.panel.source.sensors.currentData())
        rig, followed = rig_of(skeleton), self.tracking.following
        worn = rig.names_of(DEFAULT_ROLES.get(chosen, SIX_ROLES))
        joints = rig.names_of(BODY_ROLES) if chosen == EVERY else worn
        if len(skeleton) != self._motion[2].rotations.shape[1]:
            self._refused("The file was read for another body. Choose it again.")
            return
        self.panel.source.name.set_text(self._motion[0].name)
        self.panel.source.name.setToolTip(str(self._motion[0]))
        motion = begun_at(self._motion[2], who.pose.root_position)
        self._played = PlayedTrackers(skeleton, motion, joints, self._clock())
        self.tracking.open(self._played, {name: Attachment(name if name in worn else "") for name in joints})
        if followed:
            self.tracking.follow()

    def _listen(self, port: int, to_network: bool) -> None:
        from app.tracking.receiver import TrackerReceiver
        from solver.errors import PoserError

        self._hang_up()
        receiver = TrackerReceiver(self._clock)
        try:
            receiver.start(port, to_network)
        except PoserError as error:
            self._refused(str(error))
            return
        self._receiver = receiver
        self._settings.set(tracker_port=port)
        if self.tracking is not None:
            self.tracking.open(receiver)

    def _hang_up(self) -> None:
        self._receiver = self._played = None
        if self.panel is not None:
            self.panel.say("")
        if self.tracking is not None:
            self.tracking.forget()
        self._refresh()

    # What the panel shows

    def _refresh(self) -> None:
        panel, tracking = self.panel, self.tracking
        if panel is None or tracking is None:
            return
        from app.document.model.figure import skeleton_of
        from app.tracking.latency import delay_text
        from app.tracking.tracking import NOBODY
        from app.window.controls.tracker_texts import (
            calibration_text,
            joints_to_wear,
            packets_text,
            rivals_text,
            state_text,
            unheard_text,
        )
        from solver.rig.rig import rig_of

        active = self._session.active
        joints = joints_to_wear(rig_of(skeleton_of(active)), tracking.attachments) if active is not None else ()
        panel.rows.show_attachments(tracking.attachments, joints, tracking.is_heard)
        none = NONE_CHOSEN if panel.source.plays_file else unheard_text(self._receiver, self._clock())
        panel.empty.setText("" if tracking.attachments else none)
        panel.empty.setVisible(not tracking.attachments)
        panel.source.show_listening(self._receiver is not None)
        panel.show_can_calibrate(
            "" if self._receiver is not None else ON_JOINTS if tracking.source is not None else UNHEARD
        )
        take = tracking.take
        state = rivals_text(self._receiver, self._clock())
        state += state_text(self._session, tracking, self._receiver is not None)
        reason = NO_MOTION if panel.source.plays_file else NO_LISTENING
        reason = NOBODY if active is None else "" if tracking.source is not None else reason
        heard = self._receiver is None or any(map(tracking.is_heard, tracking.attachments))
        taken, unheard = bool(take) and not tracking.solving, "" if heard else NONE_HEARD
        panel.show_state(state, tracking.following, tracking.recording, taken, reason, unheard)
        calibrated = calibration_text(tracking, active, self._receiver is not None)
        panel.calibration.setText(calibrated)
        panel.calibration.setVisible(bool(calibrated))
        panel.latency.show_text(delay_text(tracking.latency.delay(self._clock()), tracking.slow_ones_later_s))
        panel.packets.show_text(packets_text(self._receiver.counts) if self._receiver is not None else "–")
        if self._receiver is not None and self._receiver.failed:
            panel.say(self._receiver.failed)

    def _closed(self) -> None:
        """End following, as it can no longer be seen. A take is kept: closing loses nothing."""
        self._timer.stop()
        panel, self.panel = self.panel, None  # what is refused is said in the window
        if self.tracking is not None:
            if self.tracking.take:
                self.tracking.keep()
            self.tracking.forget()  # nothing is heard any more, and no row must say otherwise on reopening
        self._receiver = self._played = None
        if panel is not None:
            self._window.undock(panel)
            panel.deleteLater()
            self._session.changed.emit()

    def _show_way(self) -> None:
        """Have all of the way of a take that is a motion now in view, as when a motion is opened."""
        from app.viewport.camera.framing import shown_points, stepped_back

        document, camera = self._session.document, self._viewport.camera
        who = self.tracking.follows if self.tracking is not None else ""
        alone = replace(document, props=(), actors=tuple(each for each in document.actors if each.id == who))
        size = self._viewport.width(), max(self._viewport.height(), 1)
        points = shown_points(alone, camera, size) if isinstance(camera, OrbitCamera) else None
        if points is not None and (seen := stepped_back(camera, points, size)) is not camera:
            self._viewport.move_camera(seen, glide=True)
