"""What lies over the photo on request: a divider, the person's points and outline, the horizon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.services.session import Session
from app.viewport.overlays.photo_pixels import PhotoPixels
from rendering.camera.camera import PhotoView
from rendering.camera.photo_halves import photo_half
from rendering.view.viewport import Viewport

if TYPE_CHECKING:
    from app.viewport.overlays.photo_matte import PhotoMatte
    from app.viewport.overlays.photo_points import PhotoPoints


class PhotoOverlays(QObject):
    """Makes each of them when it is first asked for, shows it and hides it.

    points_shown_changed(): points show now, or no longer do.
    """

    points_shown_changed = Signal()

    def __init__(self, session: Session, viewport: Viewport, pixels: PhotoPixels) -> None:
        super().__init__(viewport)
        self._session, self._viewport, self._pixels = session, viewport, pixels
        self._divider: QObject | None = None
        self._points: PhotoPoints | None = None
        self._matte: PhotoMatte | None = None
        self._horizon: QObject | None = None

    @property
    def points_lie_there(self) -> bool:
        """Whether points lie over the view, where handles would be in their way."""
        return self._points is not None and not self._points.isHidden()

    @property
    def is_wiped(self) -> bool:
        """Whether a divider stands in the photo."""
        return self._session.view.through_photo and self._session.view.wipe > 0.0

    def toggle_wipe(self) -> None:
        """Put a divider to drag over the photo, which shows alone on its left; or take it away."""
        if self.is_wiped:
            self._session.set_view(wipe=0.0)
            return
        if self._divider is None:
            from app.viewport.overlays.wipe_divider import WipeDivider  # only once it is asked for

            self._divider = WipeDivider(self._session, self._viewport)
        self._session.set_view(through_photo=True)
        self._session.set_view(wipe=self._middle_in_view())

    def _middle_in_view(self) -> float:
        """The share of the photo's width at the middle of what the view shows of it."""
        camera, wide, tall = self._viewport.camera, self._viewport.width(), self._viewport.height()
        if not isinstance(camera, PhotoView):
            return 0.5
        left, right = (camera.across(end, wide, tall) for end in (0.0, 1.0))
        first, _, last, _ = photo_half(camera, wide, tall)
        middle = (max(left, first) + min(right, last)) / 2
        return min(max((middle - left) / (right - left), 0.02), 0.98)

    @property
    def has_points(self) -> bool:
        """Whether the active person's points show in the photo."""
        return self._session.view.through_photo and self._points is not None and self._points.shown

    def toggle_points(self) -> None:
        """Show the active person's points in the photo, to drag them to where the photo has them; or hide them."""
        if self._points is None:
            from app.viewport.overlays.photo_points import PhotoPoints  # only once it is asked for

            self._session.set_view(through_photo=True)
            self._points = PhotoPoints(self._session, self._viewport)
            self._points.points_shown_changed.connect(self.points_shown_changed)
            self.points_shown_changed.emit()
            return
        shown = not self.has_points
        self._session.set_view(through_photo=True)
        self._points.set_shown(shown)

    @property
    def has_matte(self) -> bool:
        """Whether the active person's outline in the photo shows."""
        return self._session.view.through_photo and self._matte is not None and self._matte.shown

    def toggle_matte(self) -> None:
        """Show the active person's outline in the photo; or hide it."""
        shown = not self.has_matte
        self._session.set_view(through_photo=True)
        if self._matte is None:
            from app.viewport.overlays.photo_matte import PhotoMatte  # only once it is asked for

            self._matte = PhotoMatte(self._session, self._viewport, self._pixels.of)
            self._pixels.ready.connect(self._matte.look_again)
        self._matte.set_shown(shown)

    def toggle_horizon(self) -> None:
        """Show the photo's horizon and floor lines, to drag; or hide them."""
        if self._horizon is None:
            from app.viewport.overlays.floor_lines import FloorLines
            from app.viewport.overlays.horizon_line import HorizonLine  # only once it is asked for

            taken = lambda x, y: self._points is not None and self._points.is_at(x, y)  # noqa: E731
            floor = FloorLines(self._session, self._viewport, taken)  # below the horizon's grips
            horizon = self._horizon = HorizonLine(self._session, self._viewport, taken)
            horizon.pointed.connect(floor.leave)
        self._session.set_view(horizon=not self._session.view.horizon)
