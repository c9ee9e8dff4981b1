"""How mouse and trackpad move the camera: presets as data, and the pure step from a drag to the next camera."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from rendering.camera.camera import Camera, OrbitCamera, PhotoView, View
from rendering.camera.moving import orbit, orbit_from, pan, pan_photo, zoom
from rendering.camera.photo_halves import in_photo

Action = Literal["orbit", "pan", "zoom"]
Button = Literal["left", "middle", "right"]

ORBIT_SPEED = 0.0080  # radians per pixel
DRAG_ZOOM = 0.0060  # of the distance, per pixel
WHEEL_ZOOM = 1.15  # per notch
DRAG_STARTS = 3.0  # pixels: less is a click


@dataclass(frozen=True)
class Pointer:
    """A moment of the pointer over the view: logical pixels from the top left, button and modifier keys.

    ctrl is the Command key on a Mac, as everywhere in Qt.
    """

    x: float
    y: float
    button: Button | None = None
    shift: bool = False
    ctrl: bool = False
    alt: bool = False

    @property
    def pixel(self) -> tuple[float, float]:
        """(x, y)."""
        return self.x, self.y

    @property
    def modifiers(self) -> str:
        """The keys held, such as "ctrl+shift"; empty for none."""
        return "+".join(name for name in ("alt", "ctrl", "shift") if getattr(self, name))


@dataclass(frozen=True)
class Preset:
    """What a drag does. Keys are a button, or modifiers and a button, as in "shift+middle".

    always: taken before any tool sees the pointer. on_empty: if no tool wants it. scroll: keys are modifiers.
    """

    title: str
    always: Mapping[str, Action]
    on_empty: Mapping[str, Action]
    scroll: Mapping[str, Action] = field(default_factory=lambda: {"": "zoom", "ctrl": "zoom", "shift": "pan"})


PRESETS: dict[str, Preset] = {
    "blender": Preset(
        "Blender",
        always={"middle": "orbit", "shift+middle": "pan", "ctrl+middle": "zoom", "alt+left": "orbit"},
        on_empty={"left": "orbit"},
    ),
    "maya": Preset(
        "Maya, Unity, Unreal",
        always={"alt+left": "orbit", "alt+middle": "pan", "alt+right": "zoom", "middle": "pan"},
        on_empty={},
    ),
    "trackpad": Preset(
        "Trackpad, one button",
        always={"alt+left": "orbit", "alt+shift+left": "pan", "alt+ctrl+left": "zoom", "middle": "orbit"},
        on_empty={"left": "orbit", "shift+left": "pan", "ctrl+left": "zoom"},
        scroll={"": "orbit", "shift": "pan", "ctrl": "zoom", "alt": "zoom"},
    ),
}
DEFAULT_PRESET = "blender"


def drag_action(preset: Preset, pointer: Pointer, *, empty: bool) -> Action | None:
    """What a drag that begins like this does to the camera; `empty` if no tool wanted the pointer."""
    key = "+".join(part for part in (pointer.modifiers, pointer.button or "") if part)
    return (preset.on_empty if empty else preset.always).get(key)


def scroll_action(preset: Preset, pointer: Pointer, *, wheel: bool) -> Action:
    """What scrolling does; a real mouse wheel always zooms unless a key says otherwise."""
    if wheel and not pointer.modifiers:
        return "zoom"
    return preset.scroll.get(pointer.modifiers, "zoom")


def dragged(start: View, action: Action, travel: tuple[float, float], pixel: ArrayLike, pivot: ArrayLike) -> Camera:
    """The camera after a drag, from the view at its start. travel: pixels right and down. pixel: where it began.

    pivot: (3,) metres, the point to orbit about. Orbiting leaves a photo's camera for one that stands in its place.
    """
    dx, dy = travel
    camera = start.camera
    if action == "zoom":
        return zoom(start, float(np.exp((dx - dy) * DRAG_ZOOM)), in_photo(start, pixel))
    if isinstance(camera, PhotoView):
        if action == "pan":
            return pan_photo(camera, dx, dy, start.width, start.height)
        camera = _left(start, camera, pivot)
    if not isinstance(camera, OrbitCamera):
        return camera
    if action == "pan":
        return pan(camera, dx, dy, start.height)
    return orbit(camera, dx * ORBIT_SPEED, dy * ORBIT_SPEED, pivot)


def _left(view: View, photo: PhotoView, pivot: ArrayLike) -> OrbitCamera:
    """The orbit camera that replaces a photo's, about a pivot (3,), which keeps its place and size in the view."""
    scale = photo.image_rect(view.width, view.height)[2]
    fov_y = float(2 * np.arctan(view.height / 2 / (photo.lens.focal_px * scale)))
    camera = replace(orbit_from(photo, pivot), fov_y=fov_y)
    off = view.project(pivot) - View(camera, view.width, view.height).project(pivot)
    return pan(camera, float(off[0]), float(off[1]), view.height) if np.isfinite(off).all() else camera


def scrolled(view: View, action: Action, travel: tuple[float, float], pixel: ArrayLike, pivot: ArrayLike) -> Camera:
    """The camera after scrolling. travel: notches of a wheel for zoom (y up is nearer), else pixels right and down."""
    if action == "zoom":
        return zoom(view, float(WHEEL_ZOOM ** np.clip(travel[1], -6, 6)), in_photo(view, pixel))
    return dragged(view, action, travel, pixel, pivot)
