"""Small pictures of one person in many poses, drawn off screen with a single context of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize

from app.document.exchange.own.own_reach import own_reach
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, with_margin
from app.document.model.prop import Prop
from app.services.settings import SettingsStore
from app.services.view_state import ViewState
from app.viewport.looks import look_of
from app.viewport.scene_builder import SceneBuilder
from rendering.camera.camera import Camera, OrbitCamera, View
from rendering.camera.moving import frame
from rendering.drawing.offscreen import OffscreenRenderer
from rendering.scene.theme import THEMES
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource

AROUND = 0.24  # metres around its joints: as far as a crown is above the head joint, and some air
BODY = 0.2  # metres of body around its joints that a picture must not cut off
SAMPLES = 4


class Thumbnails:
    """Draws people. Raises NoOpenGL where there is none."""

    def __init__(self, settings: SettingsStore) -> None:
        self._settings = settings
        self._builder = SceneBuilder()
        self._renderer = OffscreenRenderer()

    def draw(
        self, character: Character, seen: Camera, size: tuple[int, int], props: Sequence[Prop] = ()
    ) -> NDArray[np.uint8]:
        """(H, W, 4) uint8 RGBA of the person, with what they touch of the props. size: (width, height) pixels."""
        contacts = [e for e in character.effectors if isinstance(e, Contact) and e.is_active]
        touched = {e.source.prop for e in contacts if isinstance(e.source, PropSource)}
        return self.draw_all((character,), seen, size, [prop for prop in props if prop.id in touched])

    def draw_all(
        self, people: Sequence[Character], seen: Camera, size: tuple[int, int], props: Sequence[Prop] = ()
    ) -> NDArray[np.uint8]:
        """(H, W, 4) uint8 RGBA of several together, whether the scene shows them or not, with those props."""
        values = self._settings.values
        view = ViewState(handles=False, grid=False)
        document = replace(Document(), props=tuple(props))
        document = document.with_characters([replace(each, visible=True) for each in people])
        look, theme = look_of(values), THEMES[values.theme]
        if look.style.look == "silhouette" and theme.name == "dark":  # dark without a background: not to be seen here
            look = replace(look, style=replace(look.style, look="clay"))
        scene = self._builder.build(document, view, look)
        return self._renderer.draw(scene, seen, size, transparent=True, theme=theme, samples=SAMPLES)

    def close(self) -> None:
        """Let go of the context."""
        self._renderer.close()


def around(characters: Sequence[Character], camera: Camera, size: QSize) -> OrbitCamera:
    """A camera on the same side, from which the people, each drawn alone, fill a picture of that size."""
    orbit = camera if isinstance(camera, OrbitCamera) else OrbitCamera()
    points = np.concatenate([_points(character, AROUND) for character in characters])
    return frame(orbit, points, size.width() / size.height(), margin=1.02)


def fits(character: Character, camera: OrbitCamera, size: QSize) -> bool:
    """Whether all of a person is within a picture of that size, as seen by the camera."""
    spots = View(camera, size.width(), size.height()).project(_points(character, BODY))
    return bool((spots > 0).all() and (spots < [size.width(), size.height()]).all())


def _points(character: Character, around: float) -> NDArray[np.floating]:
    joints = with_margin(joints_of(character).positions, around)
    return np.concatenate([joints, own_reach(character)])
