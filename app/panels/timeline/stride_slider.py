"""The stride of the active person's motion, as a slider in percent of what the length of the legs asks for."""

from __future__ import annotations

from app.document import edits
from app.document.model.history import Edit
from app.panels.widgets.scrub import bind_scrub
from app.panels.widgets.value_slider import ValueSlider
from app.services.session import Session

MOST = 200.0  # percent
TIP = (
    "How far the motion goes over the floor, from where it begins. 100% is as recorded, in proportion to the legs: "
    "planted feet stay planted. 0% stays on the spot. Drag, double-click to type, right-click to reset"
)


class StrideSlider(ValueSlider):
    """A scrub is one step. To be shown only where it is usable."""

    def __init__(self, session: Session) -> None:
        # Half filled, it would look like a switch that is on, beside those of the timeline.
        super().__init__("Stride", 0.0, MOST, default=100.0, decimals=0, suffix="%", fills_from=100.0)
        self._session = session
        self.setToolTip(TIP)
        bind_scrub(self, session, lambda: "Change stride", self._set, solve=False)
        self.hide()

    @property
    def usable(self) -> bool:
        """Whether the active person has a motion whose stride can be set; a file of one pose goes nowhere."""
        active = self._session.active
        return active is not None and active.clip.source is not None and len(active.clip.source.motion) > 1

    def refresh(self) -> None:
        """Show the active person's stride, if they have a motion."""
        if self.usable:
            from app.document.model.stride import stride_of  # only once there is a motion

            self.set_value(round(100 * stride_of(self._session.document.actor(self._session.view.character)), 1))

    def _set(self, percent: float) -> Edit | None:
        return edits.set_stride(self._session.view.character, percent / 100) if self.usable else None
