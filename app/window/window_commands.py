"""The commands of the window itself: files and help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.window.commands.actions import Command
from app.window.files import Files


@dataclass(frozen=True)
class WindowDialogs:
    """Opens the dialogs of the window's commands, and closes the window."""

    close: Callable[[], object]
    settings: Callable[[], object]
    search: Callable[[], object]
    help: Callable[[], object]
    about: Callable[[], object]
    manual: Callable[[], object]
    has_manual: Callable[[], bool]


def file_commands(files: Files, dialogs: WindowDialogs) -> tuple[Command, ...]:
    """The File menu."""
    return (
        Command("file.new", "New scene", files.new, ("Ctrl+N",), "new"),
        Command("file.open", "Open…", files.open, ("Ctrl+O",), "open", tip="Open a photo, a scene or a motion"),
        Command("file.photo", "Open a photo…", files.photos.open, ("Ctrl+Shift+O",), "photo"),
        Command(
            "file.backdrop",
            "Open a picture as backdrop…",
            files.photos.open_backdrop,
            tip="Open a picture as backdrop: behind the scene as it is, without looking for people in it",
        ),
        Command(
            "file.add_photo",
            "Add a photo to this scene…",
            files.photos.add,
            enabled=files.photos.is_there,
            tip="Add a photo to this scene: another photo of it, with its own camera",
        ),
        Command("file.save", "Save", files.save, ("Ctrl+S",), "save"),
        Command("file.save_as", "Save as…", files.save_as, ("Ctrl+Shift+S",)),
        Command(
            "file.export",
            "Export…",
            lambda: files.exports.begin(""),
            ("Ctrl+E",),
            "export",
            tip="Export as BVH, JSON, mesh, picture or film",
        ),
        Command("file.motion", "Open a motion…", files.open_motion, tip="Open a motion: BVH, GLB, or AMASS's .npz"),
        Command(
            "file.joint_map",
            "Joint map…",
            files.edit_joint_map,
            enabled=files.has_joint_map,
            title_now=files.joint_map_title,
            tip="Joint map: which joint of the file is which, of the person who came from it",
        ),
        Command(
            "body.own_skin",
            "Draw as your own character…",
            files.choose_own_skin,
            enabled=files.has_person,
            tip="Draw as your own character: the active person with the skin of a GLB, glTF or VRM file",
        ),
        Command("file.export_bvh", "Export BVH…", lambda: files.exports.begin("bvh")),
        Command(
            "file.export_own",
            "Export onto your own character…",
            lambda: files.exports.begin("own"),
            tip="Export onto your own character: its own file again, posed as the active person",
        ),
        Command("file.export_json", "Export pose JSON…", lambda: files.exports.begin("json")),
        Command("file.export_npz", "Export SMPL motion…", lambda: files.exports.begin("npz")),
        Command("file.export_mesh", "Export mesh…", lambda: files.exports.begin("mesh")),
        Command("file.export_png", "Export picture…", lambda: files.exports.begin("png")),
        Command("file.export_film", "Export film…", lambda: files.exports.begin("film")),
        Command("file.settings", "Settings…", dialogs.settings, ("Ctrl+,",)),
        Command("file.quit", "Quit", dialogs.close, ("Ctrl+Q",)),
    )


def help_commands(dialogs: WindowDialogs) -> tuple[Command, ...]:
    """The Help menu."""
    return (
        Command("help.search", "Search commands…", dialogs.search, ("/", "Ctrl+K", "F3"), "search"),
        Command("help.manual", "Manual", dialogs.manual, ("Shift+F1",), enabled=dialogs.has_manual),
        Command("help.keys", "Mouse and keys", dialogs.help, ("F1",)),
        Command("help.about", "About Contrapposto", dialogs.about),
    )
