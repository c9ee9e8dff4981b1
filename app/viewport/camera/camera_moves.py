"""Moves of the view's free camera, as commands make them: sides, turns, steps nearer, lens and projection."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rendering.camera.camera import OrbitCamera, PhotoView
from rendering.camera.moving import opposite, orbit, orbit_from, standard_name, standard_view, zoom
from rendering.view.viewport import Viewport
from solver.focal_length import FILM_MM

TURN = float(np.radians(15.0))  # of the view, for one press of a key
NEARER = 1.2  # factor by which one press brings it nearer


class CameraMoves:
    """Where commands have a view's camera look from. All but `zoom` leave a photo's camera."""

    def __init__(self, viewport: Viewport) -> None:
        self._viewport = viewport

    def standard(self, name: str) -> None:
        """Look from the front, the right, the top or their opposites, in parallel projection as is usual there."""
        self._viewport.move_camera(standard_view(self.free_camera(), name, orthographic=True), glide=True)

    def look_along(self, name: str) -> None:
        """Look from one of these sides; from the opposite one if it is the present side already."""
        if standard_name(self._viewport.final_view.camera) == name:
            self.other_side()
        else:
            self.standard(name)

    def orbit_camera(self) -> OrbitCamera:
        """The view's camera, or the one a glide is heading for, as a camera that turns about a target."""
        seen = self._viewport.final_view.camera
        return seen if isinstance(seen, OrbitCamera) else self.free_camera()

    def look_from(self, camera: OrbitCamera) -> None:
        """Glide to that camera, leaving a photo's camera."""
        self._viewport.move_camera(camera, glide=True)

    def other_side(self) -> None:
        """Look from the other side."""
        self._viewport.move_camera(opposite(self.free_camera()), glide=True)

    def turn(self, right: int, up: int) -> None:
        """Turn the scene before the view by so many steps, as a drag does."""
        camera = orbit(self.free_camera(), right * TURN, up * TURN, self._viewport.orbit_pivot())
        self._viewport.move_camera(camera, glide=True)

    def zoom(self, steps: int) -> None:
        """Come nearer by so many steps; negative to go away."""
        self._viewport.move_camera(zoom(self._viewport.current_view, NEARER**steps), glide=True)

    def toggle_flat(self) -> None:
        """Switch between perspective and parallel projection."""
        camera = self.free_camera()
        self._viewport.move_camera(replace(camera, orthographic=not camera.orthographic, temporary=False))

    def is_flat(self) -> bool:
        """Whether the projection is parallel."""
        camera = self._viewport.camera
        return isinstance(camera, OrbitCamera) and camera.orthographic

    @property
    def lens_mm(self) -> int | None:
        """The view's focal length in whole millimetres, as on 35 mm film; None in parallel projection or a photo."""
        camera = self._viewport.final_view.camera
        if not isinstance(camera, OrbitCamera) or camera.orthographic:
            return None
        return round(FILM_MM[1] / 2 / np.tan(camera.fov_y / 2))

    def set_lens(self, millimetres: float) -> None:
        """Set the view's focal length, as on 35 mm film; the figure keeps its size."""
        camera = self.free_camera()
        fov = float(2 * np.arctan(FILM_MM[1] / 2 / millimetres))
        distance = camera.distance * np.tan(camera.fov_y / 2) / np.tan(fov / 2)
        self._viewport.move_camera(replace(camera, fov_y=fov, distance=float(distance)))

    def free_camera(self) -> OrbitCamera:
        """The view's camera at this moment; in place of a photo's, one that looks alike and turns about a target."""
        camera = self._viewport.camera
        if isinstance(camera, OrbitCamera):
            return camera
        if isinstance(camera, PhotoView):
            return orbit_from(camera, self._viewport.orbit_pivot())
        return OrbitCamera()
