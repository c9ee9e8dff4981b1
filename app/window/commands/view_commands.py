"""The View menu: what shows, where the view looks from, and the photo."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.panels.widgets.notices import Notices
from app.services.clock import plays
from app.services.session import Session
from app.services.settings import SettingsStore
from app.viewport.session_view import SessionView
from app.window.commands.actions import Command
from app.window.commands.look_commands import SAID_MS, look_commands

SIDES = (
    ("front", "Front", ("1", "Num+1")), ("right", "Right", ("3", "Num+3")), ("top", "Top", ("7", "Num+7")),
    ("back", "Back", ("Ctrl+1", "Ctrl+Num+1")), ("left", "Left", ("Ctrl+3", "Ctrl+Num+3")),
    ("bottom", "Bottom", ("Ctrl+7", "Ctrl+Num+7")),
)  # fmt: skip

NO_HANDLES = "The handles are hidden. H shows them again."
LENSES_MM = (18, 24, 35, 42, 50, 85, 100)  # 42: as the view begins

Toggle = tuple[Callable[[], None], Callable[[], bool]]


def view_commands(
    session: Session, view: SessionView, settings: SettingsStore, notices: Notices
) -> tuple[Command, ...]:
    """The View menu."""
    return (
        *_what_shows(session, settings, notices),
        *_from_where(session, view),
        *_over_the_photo(session, view),
        *(
            Command(
                f"view.lens{mm}", f"{mm} mm lens", lambda mm=mm: view.moves.set_lens(mm),  # type: ignore[misc]
                checked=lambda mm=mm: view.moves.lens_mm == mm,  # type: ignore[misc]
            )
            for mm in LENSES_MM
        ),
        Command(
            "view.light", "Light theme",
            lambda: settings.set(theme="light" if settings.values.theme == "dark" else "dark"),
            ("Ctrl+Shift+L",), "sun", checked=lambda: settings.values.theme == "light",
        ),
        *look_commands(settings, view, notices),
    )  # fmt: skip


def _what_shows(session: Session, settings: SettingsStore, notices: Notices) -> tuple[Command, ...]:
    has = _has_people(session)

    def show(what: str) -> Callable[[], None]:
        return lambda: session.set_view(show=what)

    def shows(what: str) -> Callable[[], bool]:
        return lambda: session.view.show == what

    ghost, grid, handles, onion, before, balance, crossing = (
        _toggle(session, name) for name in ("ghost", "grid", "handles", "onion", "before", "balance", "intersections")
    )

    def toggle_handles() -> None:
        handles[0]()
        if handles[1]():
            notices.retract(NO_HANDLES)
        else:  # without them nothing can be dragged
            notices.say(NO_HANDLES, SAID_MS)

    return (
        Command("view.body", "Show body", show("body"), ("Alt+1",), "body", checked=shows("body")),
        Command("view.bones", "Show bones", show("bones"), ("Alt+2",), "bones", checked=shows("bones")),
        Command("view.both", "Show body and bones", show("both"), ("Alt+3",), "both", checked=shows("both")),
        Command("view.ghost", "Ghost of the base pose", ghost[0], ("B",), "ghost", checked=ghost[1]),
        Command(
            "view.onion", "Onion skin", onion[0], ("Shift+B",), "onion", checked=onion[1],
            tip="Onion skin: show the poses of the keys before and after this frame",
        ),
        Command(
            "view.before", "Ghost of the motion before the edit", before[0], ("M",), "before", checked=before[1],
            tip="Ghost of the source motion at this frame, beside what is posed there; hold N to see it alone",
        ),
        Command(
            "view.curves", "Curves", lambda: settings.set(curves=not settings.values.curves), ("C",), "curves",
            enabled=lambda: plays(session.document), checked=lambda: settings.values.curves,
            tip="Curves of the motion below the timeline: speed, foot skate, effectors, before and after the edit",
        ),
        Command("view.handles", "Handles", toggle_handles, ("H",), "ball", checked=handles[1]),
        Command("view.grid", "Ground grid", grid[0], ("Shift+G",), checked=grid[1]),
        Command(
            "view.axes", "Axes in the corner", lambda: settings.set(triad=not settings.values.triad), ("Shift+X",),
            checked=lambda: settings.values.triad,
            tip="Axes in the corner: which way you look, and what the view is called; click one to look along it",
        ),
        Command(
            "view.balance", "Balance", balance[0], ("Shift+C",), enabled=has, checked=balance[1],
            tip="Balance: the centre of mass and the support polygon on the floor, green where the one is over the "
                "other, amber where the person would fall",
        ),
        Command(
            "view.intersections", "Intersections", crossing[0], ("Shift+T",), enabled=has, checked=crossing[1],
            tip="Intersections: skin within another part of the body, another person, a prop or the floor is red",
        ),
    )  # fmt: skip


def _from_where(session: Session, view: SessionView) -> tuple[Command, ...]:
    has, moves = _has_people(session), view.moves

    def follow() -> None:
        from app.window.commands.motion_follow import MotionFollow  # not before it is first wanted

        if view.viewport.findChild(MotionFollow) is None:
            MotionFollow(session, view.viewport)
        session.set_view(follow=not session.view.follow, film_way=False)

    def film_way() -> None:
        from app.window.commands.film_way import FilmWay  # not before it is first wanted

        if view.viewport.findChild(FilmWay) is None:
            FilmWay(session, view.viewport)
        session.set_view(film_way=not session.view.film_way, follow=False)

    return (
        Command(
            "view.follow", "Follow the person", follow, ("Ctrl+Shift+F",),
            enabled=lambda: plays(session.document), checked=lambda: session.view.follow,
            tip="Follow the person: the view goes along with the selected person from frame to frame",
        ),
        Command(
            "view.film_way", "Go the film's way", film_way,
            enabled=lambda: plays(session.document) and len(session.document.bookmarks) > 1,
            checked=lambda: session.view.film_way,
            tip="Go the film's way: the view goes through your kept views as a film of the motion will",
        ),
        Command("view.frame", "Frame selected", view.frame_selected, ("F", "."), "frame", enabled=has),
        Command("view.frame_all", "Frame all", view.frame_all, ("A", "Home"), enabled=has),
        *(
            Command(f"view.{id}", title, lambda id=id: moves.standard(id), keys)  # type: ignore[misc]
            for id, title, keys in SIDES
        ),
        Command(
            "view.undo", "Previous view", view.look_back, ("Alt+Z",),
            tip="Previous view: look from where you did before the last turn, pan, zoom or jump",
        ),
        Command(
            "view.redo", "Next view", view.look_forward, ("Alt+Shift+Z",),
            tip="Next view: forward again, after going back to a previous view",
        ),
        Command("view.other_side", "Other side", moves.other_side, ("9", "Num+9")),
        Command("view.flat", "Parallel projection", moves.toggle_flat, ("5", "Num+5"), checked=moves.is_flat),
    )  # fmt: skip


def _over_the_photo(session: Session, view: SessionView) -> tuple[Command, ...]:
    photo, outline = lambda: session.document.photo is not None, _toggle(session, "outline")
    over = view.over_photo

    def next_photo() -> None:
        from app.services.steps.photo_choice import show_photo  # only once there are several

        show_photo(session, 1)
        session.set_view(through_photo=True)

    return (
        Command(
            "view.photo", "Through the photo's camera", lambda: view.look_through(not session.view.through_photo),
            ("0", "Num+0"), "camera", enabled=photo, checked=lambda: session.view.through_photo,
        ),
        Command(
            "view.next_photo", "Next photo of the scene", next_photo, ("Ctrl+0",),
            enabled=lambda: len(session.document.photos) > 1,
            tip="Next photo of the scene: put the next of several behind it, and look through its camera",
        ),
        Command(
            "view.horizon", "Horizon and floor over the photo", over.toggle_horizon, ("Shift+H",), enabled=photo,
            checked=lambda: session.view.horizon,
            tip="Horizon and floor over the photo: drag the horizon's middle to tilt the camera, its ends to roll it, "
                "a floor line to raise or lower the floor; people stay in the picture",
        ),
        Command(
            "view.beside", "Photo side by side", view.toggle_beside, ("Shift+S",), enabled=photo,
            checked=lambda: session.view.beside and session.view.through_photo,
            tip="Photo side by side: alone on the left, with the bodies on the right",
        ),
        Command(
            "view.outline", "Outlines over the photo", outline[0], ("Shift+O",), enabled=photo, checked=outline[1],
            tip="Outlines over the photo: people are lines while you look through its camera",
        ),
        Command(
            "view.matte", "Person's outline in the photo", over.toggle_matte, ("Shift+I",), enabled=photo,
            checked=lambda: over.has_matte,
            tip="Person's outline in the photo: where the active person ends, as the photo shows it",
        ),
        Command(
            "view.wipe", "Wipe over the photo", over.toggle_wipe, ("Shift+W",), enabled=photo,
            checked=lambda: over.is_wiped,
            tip="Wipe over the photo: a divider to drag; the photo stands alone on its left",
        ),
        Command(
            "view.points", "Points in the photo", over.toggle_points, ("Shift+L",), enabled=photo,
            checked=lambda: over.has_points,
            tip="Points in the photo: drag one to where the photo has it, and the body follows",
        ),
    )  # fmt: skip


def _has_people(session: Session) -> Callable[[], bool]:
    return lambda: bool(session.document.characters)


def _toggle(session: Session, name: str) -> Toggle:
    """A function that changes a switch of the view's state, and one that reads it."""
    return (
        lambda: session.set_view(**{name: not getattr(session.view, name)}),
        lambda: bool(getattr(session.view, name)),
    )


def orbit_commands(view: SessionView, viewport: QWidget) -> tuple[Command, ...]:
    """Turning the view and coming nearer with the keyboard, as a drag and the wheel do, in steps.

    The arrow keys work in the view: in a field they move the cursor.
    """
    turns = (
        ("left", "Turn the view left", (1, 0), ("Ctrl+Left", "Num+4")),
        ("right", "Turn the view right", (-1, 0), ("Ctrl+Right", "Num+6")),
        ("up", "Turn the view up", (0, 1), ("Ctrl+Up", "Num+8")),
        ("down", "Turn the view down", (0, -1), ("Ctrl+Down", "Num+2")),
    )
    moves = view.moves
    return (
        *(
            Command(f"view.turn_{id}", title, lambda way=way: moves.turn(*way), keys, within=viewport)  # type: ignore[misc]
            for id, title, way, keys in turns
        ),
        Command("view.nearer", "Zoom in", lambda: moves.zoom(1), ("Ctrl++", "Ctrl+="), within=viewport),
        Command("view.farther", "Zoom out", lambda: moves.zoom(-1), ("Ctrl+-",), within=viewport),
    )
