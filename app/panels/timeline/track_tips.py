"""What a timeline says about what is under the pointer."""

from __future__ import annotations

from app.panels.timeline.lanes import TimelineHit
from app.panels.timeline.timeline_view import TimelineView

BY_JOINTS = "not held there, as joints go evenly from key to key"
LIFTED = "held where a key has lifted it"
OUT_OF_REACH = "asked to stay there, but your keys draw it away"


def tip_of(found: TimelineHit, track: TimelineView) -> str:
    """What is there, and what can be done with it."""
    clock = track.clock
    if found.part == "key":
        return f"Key at frame {found.frame + 1:,}: drag to move, Ctrl-drag to copy, double-click to go there"
    if found.part == "keys":
        name, does = track.marks.name, "Posing"
        if track.marks.prop:
            does = "Moving it" if track.marks.keys else "It stands still: I sets its first key; from then on moving it"
        return f"{name}: drag a box to select keys, click to go to a frame. {does} at a frame sets a key there"
    if found.part == "foot":
        foot, first, last = track.marks.contacts[found.frame]
        does = "held there: click to let it go" if track.marks.holds(found.frame) else "click to hold it there"
        if far := track.marks.missed.get(found.frame):
            why = BY_JOINTS if track.marks.by_joints else OUT_OF_REACH
            does = f"{why}: up to {100 * far:.0f} cm off. Click to let it go"
        elif up := track.marks.lifted.get(found.frame):
            does = f"{LIFTED}, {100 * up:.0f} cm up. Click to let it go"
        return f"{('Left', 'Right')[foot]} foot planted, frames {first + 1:,.0f} to {last + 1:,.0f}; {does}"
    if found.part == "feet":
        return "Where feet are planted, the left one above; click a bar to hold a foot, or to let it go"
    if found.part == "scroll":
        return "Drag to scroll; the wheel zooms"
    if found.part.startswith("range"):
        return f"Plays frames {clock.first + 1:,} to {clock.last + 1:,}: drag an end, double-click to play all"
    return "Drag to go to another frame; the wheel zooms, the middle button pans"
