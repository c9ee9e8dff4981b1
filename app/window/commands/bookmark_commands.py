"""Views that a scene keeps to come back to, on the even digits, as the odd ones look from fixed sides."""

from __future__ import annotations

from collections.abc import Callable

from app.document.model.bookmark import SLOTS, Bookmark
from app.services.session import Session
from app.viewport.session_view import SessionView
from app.window.commands.actions import Command
from rendering.camera.camera import OrbitCamera

SAY_MS = 6000


def bookmark_commands(session: Session, view: SessionView, say: Callable[[str, int], object]) -> tuple[Command, ...]:
    """The table. say(text, ms): a notice."""

    def keep(slot: int) -> None:
        from app.document.edits.bookmarks import keep_bookmark  # only once there is one

        seen = view.moves.orbit_camera()
        bookmark = Bookmark(slot, seen.target, seen.distance, seen.yaw, seen.pitch, seen.fov_y, seen.orthographic)
        session.edit(f"Keep view {slot}", keep_bookmark(bookmark))
        say(f"The scene keeps this view: {slot} comes back to it.", SAY_MS)

    def look(slot: int) -> None:
        kept = next((each for each in session.document.bookmarks if each.slot == slot), None)
        if kept is None:
            say(f"No view is kept under {slot} yet: Ctrl+{slot} keeps the one you see.", SAY_MS)
        else:
            view.moves.look_from(camera_of(kept))

    return (
        *(
            Command(f"view.bookmark{slot}", f"Go to view {slot}", lambda slot=slot: look(slot), (str(slot),),  # type: ignore[misc]
                    tip=f"Go to view {slot}: look from where you did when you kept it with Ctrl+{slot}")
            for slot in SLOTS
        ),
        *(
            Command(f"view.keep{slot}", f"Keep view {slot}", lambda slot=slot: keep(slot), (f"Ctrl+{slot}",),  # type: ignore[misc]
                    tip=f"Keep view {slot}: the scene remembers where you look from, and {slot} comes back to it")
            for slot in SLOTS
        ),
    )  # fmt: skip


def camera_of(kept: Bookmark) -> OrbitCamera:
    """The camera of a kept view."""
    return OrbitCamera(kept.target, kept.distance, kept.yaw, kept.pitch, kept.fov_y, kept.flat)
