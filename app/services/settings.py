"""What the program remembers between runs; a bad value falls back to its default and harms no other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from os.path import isdir  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QObject, QSettings, QStandardPaths, Signal

from app.document.curves.values import SHOWN, SPEED
from app.look.figure_colors import SKIN_TONE, SUIT_COLOR
from rendering.scene.style import HIGHEST, KEY_HEIGHT, KEY_TURN, LIGHTINGS, LOOKS
from solver import devices

SCHEMA_VERSION = 1
RECENT_KEPT = 8
NOT_KEPT = "Settings last only until the program ends, as they cannot be saved in {}"
EXPORTED = ("bvh", "own", "json", "npz", "glb", "obj", "stl", "png", "gif", "mp4")


def _one_of(*choices: str) -> Callable[[Any], bool]:
    return lambda value: value in choices


def _color(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"#[0-9a-fA-F]{6}", value) is not None


def _within(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int | float) and low <= value <= high


@dataclass(frozen=True)
class Settings:
    """All settings. body_dir: folder with the user's official SMPL files, "" for none. recover_threshold: metres.
    recover_without: ids of the kinds of effectors that recovery leaves out, separated by blanks.

    look, light_setup: names of rendering.scene.style. key_turn, key_height: degrees, where the key light comes from.
    device: what networks run on, one of solver.devices.CHOICES.
    photo_estimator: what reads people off photos, one of solver.estimates.plug_ins.estimator_names().
    export_format: the format of the last export; "" before the first.
    glb_together: whether several people become one GLB file, rather than one each.
    show_baselines: whether baselines can be chosen as solvers too.
    opened, folded: sections of the panels that the user opened or folded, by key; the others are as by default.
    beyond_reach: what a handle released out of the body's reach does: "stay" there, or go "back" to the body.
    moved_contacts: what the contacts of a whole person being moved do: "hold" on to the world, or let "go".
    triad: whether the axes show in the view's corner.
    tracker_port: where trackers were last heard over the network; 0 before the first time.
    curves: whether the curves of the motion show below the timeline; curves_what: which; curves_height: pixels.
    """

    theme: str = "dark"
    navigation: str = "blender"
    keymap: str = "blender"
    skin_tone: str = SKIN_TONE
    suit_color: str = SUIT_COLOR
    look: str = "clay"
    light_setup: str = "studio"
    key_turn: float = KEY_TURN
    key_height: float = KEY_HEIGHT
    body_dir: str = ""
    export_format: str = ""
    bvh_names: str = "smpl"
    bvh_unit: str = "m"
    glb_together: bool = True
    recover_count: int = 8
    recover_threshold: float = 0.01
    recover_without: str = ""
    device: str = devices.AUTO
    show_baselines: bool = False
    photo_estimator: str = "built-in"
    beyond_reach: str = "stay"
    moved_contacts: str = "hold"
    triad: bool = True
    tracker_port: int = 0
    curves: bool = False
    curves_what: str = SPEED
    curves_height: int = 220
    opened: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    recent: tuple[str, ...] = ()


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "theme": _one_of("dark", "light"),
    "navigation": _one_of("blender", "maya", "trackpad"),
    "keymap": _one_of("blender", "maya"),
    "skin_tone": _color,
    "suit_color": _color,
    "look": _one_of(*LOOKS),
    "light_setup": _one_of(*LIGHTINGS),
    "key_turn": _within(-180, 180),
    "key_height": _within(-HIGHEST, HIGHEST),
    "export_format": _one_of("", *EXPORTED),
    "bvh_names": _one_of("smpl", "humanik", "mixamo"),
    "bvh_unit": _one_of("m", "cm"),
    "recover_count": _within(1, 30),
    "recover_threshold": _within(0.001, 0.2),
    "device": _one_of(*devices.CHOICES),
    "beyond_reach": _one_of("stay", "back"),
    "moved_contacts": _one_of("hold", "go"),
    "tracker_port": _within(0, 65535),
    "curves_what": _one_of(*SHOWN),
    "curves_height": _within(60, 4000),
}


class SettingsStore(QObject):
    """The settings, kept in a QSettings store and written at every change.

    not_kept(text): they could not be written; said once, as nothing that the user does will change it.
    """

    changed = Signal()
    not_kept = Signal(str)

    def __init__(self, store: QSettings | None = None) -> None:
        super().__init__()
        self._store = store if store is not None else QSettings()
        self._values, self._told = self._load(), False

    @property
    def values(self) -> Settings:
        """The settings as they are now."""
        return self._values

    def set(self, **changes: Any) -> None:
        """Change some settings and keep them; ValueError for a value that does not fit."""
        for name, value in changes.items():
            if name in _CHECKS and not _CHECKS[name](value):
                raise ValueError(f"{value!r} is not a value for the setting “{name}”")
        values = replace(self._values, **changes)
        if values == self._values:
            return
        self._values = values
        self._store.setValue("schema_version", SCHEMA_VERSION)
        for name in changes:
            value = getattr(values, name)
            self._store.setValue(name, list(value) if isinstance(value, tuple) else value)
        self._store.sync()
        self.changed.emit()
        if not self._told and self._store.status() == QSettings.Status.AccessError:
            self._told = True
            self.not_kept.emit(NOT_KEPT.format(self.folder))

    def add_recent(self, path: Path) -> None:
        """Put a file, or a folder of pictures, at the top of the recent ones."""
        text = str(path.resolve())
        self.set(recent=(text, *(r for r in self._values.recent if r != text))[:RECENT_KEPT])

    def forget_recent(self, path: Path) -> None:
        """Take a file off the recent ones."""
        self.set(recent=tuple(r for r in self._values.recent if r != str(path)))

    def usual_folder(self, scene: Path | None = None) -> Path:
        """Where file dialogs begin: the folder of the scene's file, else of the latest file, else the user's own.

        A folder that was opened later than any file is that folder itself.
        """
        if scene is not None:
            return scene.parent
        recent = self._values.recent
        latest = Path(recent[0]) if recent else Path.home()
        return latest if isdir(latest) else latest.parent

    @property
    def folder(self) -> Path:
        """Where the program keeps what else it remembers: beside the settings, if they are a file of their own."""
        if self._store.format() == QSettings.Format.IniFormat:
            return Path(self._store.fileName()).parent
        return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation))

    def geometry(self) -> QByteArray:
        """The window's last place and size; empty when there is none."""
        value = self._store.value("geometry")
        return value if isinstance(value, QByteArray) else QByteArray()

    def set_geometry(self, geometry: QByteArray) -> None:
        """Keep the window's place and size, at once: the program is ending."""
        self._store.setValue("geometry", geometry)
        self._store.sync()

    def reset(self, names: Iterable[str]) -> None:
        """Some settings back to their defaults; recent files and the like stay."""
        self.set(**{name: getattr(Settings(), name) for name in names})

    def _load(self) -> Settings:
        values: dict[str, Any] = {}
        for field in fields(Settings):
            raw = self._store.value(field.name)
            if raw is None:
                continue
            try:
                value = _as_type(raw, getattr(Settings(), field.name))
            except (TypeError, ValueError, KeyError):
                continue
            if field.name not in _CHECKS or _CHECKS[field.name](value):
                values[field.name] = value
        return Settings(**values)


def _as_type(raw: Any, default: Any) -> Any:
    """A stored value as the type of its default; an ini file gives text for everything."""
    if isinstance(default, tuple):
        items = [raw] if isinstance(raw, str) else list(raw)
        return tuple(str(item) for item in items if item)
    if isinstance(default, bool):
        return {"true": True, "false": False}[str(raw).lower()]
    return type(default)(raw)
