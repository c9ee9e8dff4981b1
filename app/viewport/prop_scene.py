"""Props as drawn, and the gizmo of the selected one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.document.model.document import Document
from app.document.model.prop import Prop
from app.services.view_state import ViewState, selected_prop
from rendering.scene.values import Gizmo

if TYPE_CHECKING:
    from rendering.scene.props import DrawnProp

GIZMOS = {"move": "move", "turn": "rotate", "scale": "scale"}


def drawn_props(document: Document, view: ViewState) -> tuple[DrawnProp, ...]:
    """All visible props."""
    if not document.props:
        return ()
    from app.viewport.prop_surfaces import surface_of  # only once there are any
    from rendering.scene.props import DrawnProp

    return tuple(
        DrawnProp(
            ("prop", prop.id),
            surface_of(prop),
            prop.frame.matrix,
            prop.color,
            selected=view.handles and (prop.id == view.prop or prop.id in view.props),
            hovered=view.hover == ("prop", prop.id),
        )
        for prop in document.props
        if prop.visible
    )


def prop_gizmo(document: Document, view: ViewState) -> Gizmo | None:
    """The gizmo of the selected prop, at its middle: arrows along the world's axes, rings and bars along its own."""
    prop = selected_prop(document, view)
    if prop is None or not prop.visible or not view.handles:
        return None
    return gizmo_of(prop, view.prop_tool, view.hover_part, view.grabbed)


def gizmo_of(prop: Prop, tool: str, hovered: str | None = None, active: str | None = None) -> Gizmo:
    """The gizmo of a tool, "move", "turn" or "scale", for a prop."""
    frame = np.eye(3) if tool == "move" else np.asarray(prop.turn, np.float64)
    return Gizmo(GIZMOS[tool], prop.middle, frame, hovered, active)  # type: ignore[arg-type]
