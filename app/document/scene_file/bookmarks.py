"""Views to come back to in a scene file: their table."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.document.model.bookmark import FARTHEST_M, LEAST_FOV, MOST_FOV, NEAREST_M, SLOTS
from app.document.model.bookmark import Bookmark as _Bookmark
from solver.files.json_checks import Node
from solver.files.json_forms import Boolean, Integer, Number, Vector
from solver.files.json_record import Field, Record, made_as

BOOKMARK = Record(
    "bookmark",
    "A view to come back to: a camera that turns about a target.",
    (
        Field("slot", Integer(min(SLOTS), max(SLOTS)), "Its number, one of 2, 4, 6, 8; no two have the same."),
        Field("target", Vector(), "What it turns about, metres."),
        Field("distance", Number(NEAREST_M, FARTHEST_M), "Metres from there to the camera."),
        Field("yaw", Number(-10.0, 10.0), "Radians; 0 is in front of somebody who faces +Z, positive towards +X."),
        Field("pitch", Number(-np.pi / 2, np.pi / 2), "Radians, positive above."),
        Field("fov_y", Number(LEAST_FOV, MOST_FOV), "The picture's full height as an angle, radians."),
        Field("flat", Boolean(), "Whether the projection is parallel.", False),
    ),
    made_as(_Bookmark),
    keeps=True,
)


def in_order(bookmarks: Iterable[_Bookmark], scene: Node) -> tuple[_Bookmark, ...]:
    """The bookmarks of a scene in the order of their numbers, whatever it is in the file. Refuses two of one number."""
    ordered = tuple(sorted(bookmarks, key=lambda bookmark: bookmark.slot))
    if len({bookmark.slot for bookmark in ordered}) < len(ordered):
        scene["bookmarks"].refuse("two bookmarks have the same number", "Give each its own slot")
    return ordered
