"""The commands of the window itself: files, the view, help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.document import edits
from app.document.posing.hold_table import COMMON_HOLDS
from app.services.session import Session
from app.services.settings import SettingsStore
from app.viewport.session_view import SessionView
from app.window.commands.actions import Command
from app.window.commands.look_commands import LOOK_MENU, look_commands
from app.window.files import Files


@dataclass(frozen=True)
class WindowDoors:
    """What the window opens for its commands."""

    close: Callable[[], object]
    settings: Callable[[], object]
    search: Callable[[], object]
    help: Callable[[], object]
    about: Callable[[], object]
    manual: Callable[[], object]
    has_manual: Callable[[], bool]


def file_commands(files: Files, doors: WindowDoors) -> tuple[Command, ...]:
    """The File menu."""
    return (
        Command("file.new", "New scene", files.new, ("Ctrl+N",), "new"),
        Command("file.open", "Open…", files.open, ("Ctrl+O",), "open", tip="Open a photo, a scene or a motion"),
        Command("file.photo", "Open a photo…", files.open_photo, ("Ctrl+Shift+O",), "photo"),
        Command(
            "file.backdrop",
            "Open a picture as backdrop…",
            files.open_backdrop,
            tip="Open a picture as backdrop: behind the scene as it is; nobody is looked for in it",
        ),
        Command(
            "file.add_photo",
            "Add a photo to this scene…",
            files.add_photo,
            enabled=files.has_photo,
            tip="Add a photo to this scene: another one of it, with its own camera",
        ),
        Command("file.save", "Save", files.save, ("Ctrl+S",), "save"),
        Command("file.save_as", "Save as…", files.save_as, ("Ctrl+Shift+S",)),
        Command(
            "file.export",
            "Export…",
            files.export,
            ("Ctrl+E",),
            "export",
            tip="Export as BVH, JSON, mesh, picture or film",
        ),
        Command("file.motion", "Open a motion…", files.open_motion, tip="Open a motion: BVH, or AMASS's .npz"),
        Command("file.export_bvh", "Export BVH…", lambda: files.export("bvh")),
        Command("file.export_json", "Export pose JSON…", lambda: files.export("json")),
        Command("file.export_npz", "Export SMPL motion…", lambda: files.export("npz")),
        Command("file.export_mesh", "Export mesh…", lambda: files.export("mesh")),
        Command("file.export_png", "Export picture…", lambda: files.export("png")),
        Command("file.export_film", "Export film…", lambda: files.export("film")),
        Command("file.settings", "Settings…", doors.settings, ("Ctrl+,",)),
        Command("file.quit", "Quit", doors.close, ("Ctrl+Q",)),
    )


def view_commands(session: Session, view: SessionView, settings: SettingsStore) -> tuple[Command, ...]:
    """The View menu."""
    has = lambda: bool(session.document.characters)  # noqa: E731
    photo = lambda: session.document.photo is not None  # noqa: E731

    def show(what: str) -> Callable[[], None]:
        return lambda: session.set_view(show=what)

    def shows(what: str) -> Callable[[], bool]:
        return lambda: session.view.show == what

    def toggle(name: str) -> tuple[Callable[[], None], Callable[[], bool]]:
        return (
            lambda: session.set_view(**{name: not getattr(session.view, name)}),
            lambda: bool(getattr(session.view, name)),
        )

    ghost, grid, handles, onion = toggle("ghost"), toggle("grid"), toggle("handles"), toggle("onion")
    before, outline, balance = toggle("before"), toggle("outline"), toggle("balance")
    crossing = toggle("intersections")

    def next_photo() -> None:
        session.edit("Choose photo", edits.choose_photo(1))
        session.set_view(through_photo=True)

    views = (
        ("front", "Front", ("1", "Num+1")), ("right", "Right", ("3", "Num+3")), ("top", "Top", ("7", "Num+7")),
        ("back", "Back", ("Ctrl+1", "Ctrl+Num+1")), ("left", "Left", ("Ctrl+3", "Ctrl+Num+3")),
        ("bottom", "Bottom", ("Ctrl+7", "Ctrl+Num+7")),
    )  # fmt: skip
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
            checked=lambda: settings.values.curves,
            tip="Curves of the motion below the timeline: speed, foot skate, effectors, before and after the edit",
        ),
        Command("view.handles", "Handles", handles[0], ("H",), "ball", checked=handles[1]),
        Command("view.grid", "Ground grid", grid[0], ("Shift+G",), checked=grid[1]),
        Command(
            "view.axes", "Axes in the corner", lambda: settings.set(triad=not settings.values.triad), ("Shift+X",),
            checked=lambda: settings.values.triad,
            tip="Axes in the corner: which way one looks, and what the view is called; click one to look along it",
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
        Command("view.frame", "Frame selected", view.frame_selected, ("F", "."), "frame", enabled=has),
        Command("view.frame_all", "Frame all", view.frame_all, ("A", "Home"), enabled=has),
        *(
            Command(f"view.{id}", title, lambda id=id: view.standard(id), keys)  # type: ignore[misc]
            for id, title, keys in views
        ),
        Command(
            "view.undo", "Previous view", view.look_back, ("Alt+Z",),
            tip="Previous view: look from where you did before the last turn, pan, zoom or jump",
        ),
        Command(
            "view.redo", "Next view", view.look_forward, ("Alt+Shift+Z",),
            tip="Next view: forward again, after going back to a previous view",
        ),
        Command("view.other_side", "Other side", view.other_side, ("9", "Num+9")),
        Command("view.flat", "Parallel projection", view.toggle_flat, ("5", "Num+5"), checked=view.is_flat),
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
            "view.horizon", "Horizon and floor over the photo", view.toggle_horizon, ("Shift+H",), enabled=photo,
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
            "view.matte", "Person's outline in the photo", view.toggle_matte, ("Shift+I",), enabled=photo,
            checked=lambda: view.has_matte,
            tip="Person's outline in the photo: where the active person ends, as the photo shows it",
        ),
        Command(
            "view.wipe", "Wipe over the photo", view.toggle_wipe, ("Shift+W",), enabled=photo,
            checked=lambda: view.is_wiped,
            tip="Wipe over the photo: a divider to drag; the photo stands alone on its left",
        ),
        Command(
            "view.points", "Points in the photo", view.toggle_points, ("Shift+L",), enabled=photo,
            checked=lambda: view.has_points,
            tip="Points in the photo: drag one to where the photo has it, and the body follows",
        ),
        *(
            Command(f"view.lens{mm}", f"{mm} mm lens", lambda mm=mm: view.set_lens(mm))  # type: ignore[misc]
            for mm in (24, 35, 50, 85, 100)
        ),
        Command(
            "view.light", "Light theme",
            lambda: settings.set(theme="light" if settings.values.theme == "dark" else "dark"),
            ("Ctrl+Shift+L",), "sun", checked=lambda: settings.values.theme == "light",
        ),
        *look_commands(settings, view),
    )  # fmt: skip


def help_commands(doors: WindowDoors) -> tuple[Command, ...]:
    """The Help menu."""
    return (
        Command("help.search", "Search commands…", doors.search, ("/", "Ctrl+K"), "search"),
        Command("help.manual", "Manual", doors.manual, ("Shift+F1",), enabled=doors.has_manual),
        Command("help.keys", "Mouse and keys", doors.help, ("F1",)),
        Command("help.about", "About Contrapposto", doors.about),
    )


OPENS, CLOSES = "> ", "<"  # before the title of a menu within a menu, and after what is in it
MENUS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("&File", ("file.new", "file.open", "file.photo", "file.motion", "file.backdrop", "file.add_photo", "file.label",
               "recent", "-",
               "file.save", "file.save_as", "file.save_label", "-",
               "file.export", "file.export_bvh", "file.export_json", "file.export_npz", "file.export_mesh",
               "file.export_png", "file.export_film", "-", "file.settings", "-", "file.quit")),
    ("&Edit", ("edit.undo", "edit.redo", "-", "edit.copy", "edit.paste", "edit.paste_flipped", "-",
               "edit.select_all", "edit.select_none", "edit.next_effector", "edit.previous_effector",
               "edit.select_people", "edit.next_person", "edit.previous_person", "-", "prop.scale", "edit.delete")),
    ("A&dd", ("pose.add_person", "pose.add_here", "-", "prop.box", "prop.plane", "prop.stairs", "prop.ball",
              "prop.cylinder", "prop.stick", "prop.chair", "prop.file", "-", "prop.here")),
    ("&Pose", ("pose.add_person", "pose.duplicate", "pose.remove_person",
               "> In the photo", "pose.find_in_box", "pose.read_again", "pose.merge", "<", "-",
               "pose.move", "pose.rotate", "pose.look", "pose.pin", "pose.strict", "pose.loose", "-",
               "pose.other", "pose.variations", "pose.compare", "-", "pose.library", "pose.library_save",
               "> From pose to pose", "pose.library_next", "pose.library_previous", "<", "-",
               "pose.hands", "pose.hands_throughout", "-",
               "> Left and right", "pose.mirror", "pose.mirror_selected",
               "pose.copy_right", "pose.copy_left", "pose.symmetry", "<",
               "> In depth", "pose.flip_limb", "pose.turn_round", "pose.farther", "pose.nearer",
               "pose.turn_left", "pose.turn_right", "<", "-",
               "pose.set_base", "pose.return", "pose.settle", "pose.floor")),
    ("&Contact", ("pose.hold", "contact.floor", "contact.here", "contact.let_go", "-",
                  *(f"contact.{hold.id}" for hold in COMMON_HOLDS))),
    ("&Time", ("time.play", "time.loop", "-", "time.frame_after", "time.frame_before", "time.key_after",
               "time.key_before", "time.first", "time.last", "-", "time.begin", "time.end", "time.whole", "-",
               "time.set_key", "pose.remove_key", "time.by_joints", "time.rate", "-", "time.trackers",
               "time.calibrate")),
    ("&View", ("view.body", "view.bones", "view.both", "view.ghost", "view.onion", "view.before",
               "view.handles", "view.grid", "view.axes", "view.balance", "view.intersections", "view.curves", "-",
               "view.panels", "view.next_area", "view.previous_area", "-",
               "view.frame", "view.frame_all", "view.undo", "view.redo", "-",
               "> From a side", "view.front", "view.right", "view.top", "view.back", "view.left", "view.bottom",
               "view.other_side", "-", "view.turn_left", "view.turn_right", "view.turn_up", "view.turn_down",
               "view.nearer", "view.farther", "<",
               "> Views of your own", "view.bookmark2", "view.bookmark4", "view.bookmark6", "view.bookmark8", "-",
               "view.keep2", "view.keep4", "view.keep6", "view.keep8", "<",
               "> Lens", "view.lens24", "view.lens35", "view.lens50", "view.lens85", "view.lens100", "<",
               "> Photo", "view.photo", "view.next_photo", "view.wipe", "view.outline",
               "view.matte", "view.points", "view.beside", "view.horizon", "<",
               "view.flat", "-", "view.light")),
    LOOK_MENU,
    ("&Label", ("label.checked", "label.unusable", "-", "label.next", "label.previous", "label.unchecked", "-",
                "label.stop")),
    ("&Help", ("help.search", "help.manual", "help.keys", "help.about")),
)  # fmt: skip

TOOLBAR: tuple[str, ...] = (
    "file.open", "file.photo", "file.save", "file.export", "-", "edit.undo", "edit.redo", "-",
    "pose.move", "pose.rotate", "pose.look", "pose.pin", "pose.other", "pose.mirror", "pose.library", "-",
    "view.body", "view.bones", "view.both", "view.ghost", "view.onion", "view.handles", "view.frame", "view.photo",
    "stretch", "help.search", "view.light",
)  # fmt: skip
