"""The view in the window: shows the session's scene, and brings into view what is asked for, a photo too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from app.document.model.document import Character, Document, Photo
from app.services.session import Session
from app.services.settings import SettingsStore
from app.services.view_state import ViewState
from app.viewport.camera.camera_moves import CameraMoves
from app.viewport.camera.framing import (
    close_up,
    cut_off,
    framed,
    framed_people,
    from_front,
    is_wholly_in_view,
    points_of,
    seen_moved,
    selected_points,
    shown_points,
)
from app.viewport.looks import look_of, style_of
from app.viewport.overlays.axis_triad import AxisTriad, corner_of_triad
from app.viewport.overlays.photo_overlays import PhotoOverlays
from app.viewport.overlays.photo_pixels import PhotoPixels
from app.viewport.scene_builder import Look, SceneBuilder
from rendering.camera.camera import Camera, OrbitCamera, PhotoView
from rendering.camera.moving import orbit_from
from rendering.scene.style import Style
from rendering.scene.theme import THEMES
from rendering.scene.values import NO_DOTS, Scene
from rendering.view.viewport import Viewport
from solver.camera import PinholeCamera

if TYPE_CHECKING:
    from app.document.edits.copies import Things
    from app.viewport.intersections import Intersections
    from app.viewport.swings.swings import Swings
    from rendering.camera.camera_history import CameraHistory
    from rendering.view.pen import Pen


class SessionView(QObject):
    """Between the session and the viewport. refused(text): the photo's file cannot be read; emitted once for each."""

    refused = Signal(str)

    def __init__(self, session: Session, settings: SettingsStore, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._settings, self.viewport = session, settings, viewport
        self._builder = SceneBuilder()
        self.pixels = PhotoPixels(self)
        self.pixels.ready.connect(self.refresh)
        self.pixels.refused.connect(self.refused)
        self._before_photo: OrbitCamera | None = None
        self._looked_at = ""  # SHA-256 of the photo last looked through
        self._met = self._cut = frozenset[str]()  # who was there as the free camera last moved; whom it cuts off
        self._tried: Style | None = None
        self.over_photo = PhotoOverlays(session, viewport, self.pixels)
        self.over_photo.points_shown_changed.connect(self.refresh)
        self._intersections: Intersections | None = None
        self._swings: Swings | None = None
        self._steps: CameraHistory | None = None  # of the camera; none before it is moved
        self.moves = CameraMoves(viewport)
        self.triad = AxisTriad(viewport, self.moves.look_along)
        viewport.camera_changed.connect(self._camera_changed)
        viewport.photo_left.connect(self._photo_left)
        session.changed.connect(self.refresh)
        settings.changed.connect(self.restyle)
        self.restyle()

    def refresh(self) -> None:
        """Show the document and the view state as they are now."""
        photo = self._session.document.photo
        self._follow_photo(photo)
        if photo is None:
            self.viewport.pivot = None
            self.pixels.forget()
        else:
            from app.viewport.camera.orbit_pivot import pivot_of  # only once there is a photo

            self.viewport.pivot = pivot_of(self._session, self.viewport.final_view)
        self.viewport.set_scene(self._scene)

    @property
    def swings(self) -> Swings:
        """Those who are drawn on their way."""
        if self._swings is None:
            from app.viewport.swings.swings import Swings  # only once something is dragged

            self._swings = Swings(self._session, self)
            self._swings.moved.connect(self.refresh)
        return self._swings

    def end_swings(self) -> None:
        """Show everybody where the document has them, also those who are drawn on their way there."""
        if self._swings is not None and self._swings.end():
            self.refresh()

    def restyle(self) -> None:
        """Take theme, navigation and colours from the settings."""
        self.viewport.set_theme(THEMES[self._settings.values.theme])
        self.triad.follow()
        self.triad.set_wanted(self._settings.values.triad)
        self.viewport.set_navigation(self._settings.values.navigation)
        self.refresh()

    def frame_selected(self) -> None:
        """Fill the view with the selected props, joints and handles, or people; in a photo too, and in its half beside
        the photo's copy."""
        looks = close_up(self.viewport.current_view, self._session)
        if looks is not None:
            self.viewport.move_camera(looks)
        elif (points := selected_points(self._session)) is not None:
            self._frame(points, framed_people(self._session))

    def go_along(self) -> None:
        """Where one looks closely into a photo, look as closely at the active person if they are out of sight."""
        camera, active = self.viewport.camera, self._session.active
        if not isinstance(camera, PhotoView) or camera.zoom <= 1.0 or active is None:
            return
        if not self.sees(points_of([active], []), np.zeros((1, 3)))[0]:
            self.frame_selected()

    def frame_all(self, glide: bool = True, motion: bool = False) -> None:
        """Fill the view with everybody and every prop. motion: with where people go as well, see `shown_points`, and
        from the front, see `from_front`."""
        people = [c for c in self._session.document.characters if c.visible]
        camera = from_front(self.moves.free_camera(), people) if motion else None
        size = self.viewport.width(), max(self.viewport.height(), 1)
        if (points := shown_points(self._session.document, camera, size)) is not None:
            self._frame(points, people, glide, camera)

    def show_new_person(self, id: str) -> None:
        """Fill the view with everybody, if anybody is not wholly in it.

        Through a photo's camera only the newcomer counts: those in a photo are often cut off by its edge.
        """
        document, orbits = self._session.document, isinstance(self.viewport.camera, OrbitCamera)
        people = [c for c in document.characters if c.visible and (orbits or c.id == id)]
        if not all(is_wholly_in_view(self.viewport.final_view, character) for character in people):
            self.frame_all()

    def sees(self, corners: NDArray[np.float64], ways: NDArray[np.float64]) -> NDArray[np.int64]:
        """(W,) how well the view shows points (N, 3) moved (W, 3) ways: 2 all, 1 their middle, 0 not even that."""
        return seen_moved(self.viewport.final_view, corners, ways)

    def show_new(self, things: Things, hidden: bool = False) -> None:
        """Fill the view with everything if the middle of what was added is not in it, or hidden."""
        points = points_of(things.people, things.props)
        if isinstance(self.viewport.camera, OrbitCamera) and (hidden or not self.sees(points, np.zeros((1, 3)))[0]):
            self.frame_all()

    def start_view(self) -> None:
        """Look as a new window does: at everybody, at an angle, through the usual lens; or through a visible photo."""
        self._before_photo = None
        self.viewport.set_camera(OrbitCamera())
        self._steps = None
        self.frame_all(glide=False)
        if (photo := self._session.document.photo) is not None:
            self.look_through(photo.visible)

    def look_back(self) -> None:
        """Go back to the view before the last move of the camera."""
        if self._steps is not None:
            self._steps, camera = self._steps.back(self.viewport.final_view.camera, self._as_now)
            self._look_from(camera)

    def look_forward(self) -> None:
        """Undo the camera's last step back."""
        if self._steps is not None:
            self._steps, camera = self._steps.forward(self.viewport.final_view.camera, self._as_now)
            self._look_from(camera)

    def toggle_beside(self) -> None:
        """Show the photo alone beside the photo with the bodies, or go back to one picture."""
        view = self._session.view
        self._session.set_view(through_photo=True, beside=not (view.beside and view.through_photo))

    def _fitted(self, photo: Photo) -> PhotoView:
        return PhotoView(photo.camera, halved=self._session.view.beside)

    def look_through(self, through: bool) -> None:
        """Look through the photo's camera, or go back to the view before."""
        self._session.set_view(through_photo=through)

    def stop(self) -> None:
        """Let the reader of photos end."""
        self.pixels.stop()
        if self._intersections is not None:
            self._intersections.stop()

    def size(self) -> tuple[int, int]:
        """Width and height in pixels of a new picture: the screen's, or the photo's where its camera shows it whole."""
        camera, photo = self.viewport.camera, self._session.document.photo
        if photo is not None and photo.visible and camera == PhotoView(photo.camera):
            return photo.camera.image_size
        ratio = self.viewport.devicePixelRatioF()
        return round(self.viewport.width() * ratio), round(self.viewport.height() * ratio)

    def still(self) -> Scene:
        """What the view shows now, without handles."""
        return self.viewport.scene.without_tools()

    def camera(self) -> Camera:
        """Where the view looks from."""
        return self.viewport.camera

    def scenes(self) -> Callable[[Document], Scene]:
        """A function that makes scenes of other moments as the view shows people now, without handles."""
        view = replace(self._session.view, handles=False, hover=None, peek=False)
        look, builder = self._look(), SceneBuilder()
        photo = self._session.document.photo
        image = self.pixels.of(photo) if photo is not None and view.through_photo and photo.visible else None
        return lambda document: builder.build(document, view, look, image).without_tools()

    def pen(self, size: tuple[int, int], transparent: bool) -> Pen:
        """What draws such scenes, as the view would now."""
        return self.viewport.pen(size, transparent=transparent)

    def draw_people(self, document: Document, camera: PinholeCamera, size: tuple[int, int]) -> NDArray[np.uint8]:
        """(H, W, 4) uint8 RGBA of the people of a document, as a photo's camera sees them in a view of that size."""
        view = ViewState(handles=False, through_photo=True)
        scene = SceneBuilder().build(document, view, self._look())
        return self.viewport.grab_scene(scene.without_tools(), PhotoView(camera), size)

    def colors(self) -> tuple[str, str]:
        """Skin and suit, "#rrggbb", as the view shows them."""
        return self._settings.values.skin_tone, self._settings.values.suit_color

    @property
    def style(self) -> Style:
        """How people look and are lit, with any light being tried."""
        return self._tried or style_of(self._settings.values)

    def preview_light(self, style: Style | None) -> None:
        """Show people in a style that is not in the settings yet; None for that of the settings."""
        self._tried = style
        self.refresh()

    def _look(self) -> Look:
        return replace(look_of(self._settings.values), style=self.style)

    def _scene(self) -> Scene:
        document, view = self._session.shown, self._session.view
        if self._swings is not None or self._session.in_step:
            document = self.swings.over(document)
        photo = document.photo
        image = self.pixels.of(photo) if photo is not None and view.through_photo and photo.visible else None
        look, residuals = self._look(), self._session.finding.residuals
        scene = self._builder.build(document, view, look, image, residuals)
        if self.over_photo.points_lie_there:  # where handles would be
            selected = tuple(handle for handle in scene.handles if handle.selected)
            scene = replace(scene, handles=selected, joints=NO_DOTS)
        return self._tinted(scene, document) if view.intersections and not view.peek else scene

    def _tinted(self, scene: Scene, document: Document) -> Scene:
        if self._intersections is None:
            from app.viewport.intersections import Intersections  # only once they are asked for

            self._intersections = Intersections(self)
            self._intersections.found.connect(self.refresh)
            self._intersections.refused.connect(self.refused)
        return self._intersections.over(scene, document)

    def _frame(
        self,
        points: NDArray[np.floating],
        people: Iterable[Character],
        glide: bool = True,
        camera: OrbitCamera | None = None,
    ) -> None:
        size = self.viewport.width(), max(self.viewport.height(), 1)
        corner = corner_of_triad(self.viewport)
        there = framed(camera or self.moves.free_camera(), points, people, size, corner)
        if glide:
            self.viewport.move_camera(there, glide=True)
        else:  # where a view begins; not a move to be undone
            self.viewport.set_camera(there)

    def _follow_photo(self, photo: Photo | None) -> None:
        """Bring the camera in line with the view state."""
        camera = self.viewport.camera
        if photo is not None and self._session.view.through_photo:
            if isinstance(camera, OrbitCamera):
                self._before_photo = camera
                self._cut = self._met & cut_off(self.viewport.final_view, self._session.document)
                self.viewport.move_camera(self._fitted(photo))
            elif not self._is_beside_as_asked(camera):  # whole again; who looked closely comes back by a step
                closely = isinstance(camera, PhotoView) and replace(camera, halved=False) != PhotoView(camera.lens)
                (self.viewport.move_camera if closely else self.viewport.set_camera)(self._fitted(photo))
            elif isinstance(camera, PhotoView) and camera.lens != photo.camera:
                same = photo.sha256 == self._looked_at
                # the camera itself was changed, which the document's history undoes: the zoom stays as before
                self.viewport.set_camera(replace(camera, lens=photo.camera) if same else self._fitted(photo))
            self._looked_at = photo.sha256
        elif isinstance(camera, PhotoView):
            back = self._before_photo or orbit_from(camera, self.viewport.orbit_pivot())
            self.viewport.move_camera(back)
            active, seen = self._session.active, self.viewport.final_view
            if active is not None and not seen.shows(active.pose.root_position):
                self.frame_all()  # people who came with a photo need not be in the old view
            elif cut_off(seen, self._session.document) - self._cut:
                self.frame_all()

    def _as_now(self, camera: Camera) -> Camera | None:
        """A camera of before, as closely at the photo through the lens that this has now; None where it has gone."""
        photo = self._session.document.photo
        if not isinstance(camera, PhotoView):
            return camera
        others = any(each.camera == camera.lens for each in self._session.document.photos if each is not photo)
        if photo is None or others or camera.lens.image_size != photo.camera.image_size:
            return None
        return replace(camera, lens=photo.camera, halved=self._session.view.beside)

    def _is_beside_as_asked(self, camera: Camera) -> bool:
        return isinstance(camera, PhotoView) and camera.halved == self._session.view.beside

    def _look_from(self, camera: Camera) -> None:
        """Go there without making a step; a photo's camera is entered or left on the way."""
        left = self.viewport.final_view.camera
        if isinstance(camera, PhotoView) and isinstance(left, OrbitCamera):
            self._before_photo = left
        self.viewport.set_camera(camera, glide=True)
        if isinstance(camera, PhotoView):
            self._session.set_view(through_photo=True)

    def _photo_left(self, camera: Camera, step: int) -> None:
        from rendering.camera.camera_history import CameraHistory  # only once the camera is moved

        self._steps = (self._steps or CameraHistory()).left(camera, step)

    def _camera_changed(self, camera: object) -> None:
        """Orbiting leaves the photo's camera; let the view state follow."""
        if not isinstance(camera, OrbitCamera):
            return
        self._met = frozenset(actor.id for actor in self._session.document.actors)
        if self._session.view.through_photo:
            self._before_photo = camera
            self._session.set_view(through_photo=False)
