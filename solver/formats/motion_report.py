"""What was understood of a motion file, in a few plain lines."""

from __future__ import annotations

from dataclasses import dataclass

from solver.sentences import sentence_case

_SETS = {"other": "each recognised by itself"}  # what is said of names of no set that we write
MOST_LISTED = 20  # of hair and skirts there may be hundreds


@dataclass(frozen=True)
class MotionReport:
    """unit: the likely one. scale: metres of our body for one unit of the file. up: the file's axis that points up.

    missing: our joints that the file lacks; they stay at rest. ignored: the file's joints without a counterpart.
    notes: what was guessed.
    """

    names: str
    unit: str
    scale: float
    up: str
    frames: int
    fps: float
    missing: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """The report as a few plain lines."""
        lines = [
            "1 frame" if self.frames == 1 else f"{self.frames} frames at {self.fps:.4g} frames a second",
            f"Joint names: {_SETS.get(self.names, self.names)}; lengths: {self.unit}; up: {self.up}",
        ]
        if self.missing:
            lines.append(f"Not in the file, left at rest: {', '.join(self.missing)}")
        if self.ignored:
            lines.append(f"Without a counterpart, carried by their neighbours: {_listed(self.ignored)}")
        return "\n".join([*lines, *(sentence_case(note) for note in self.notes)])


def _listed(names: tuple[str, ...]) -> str:
    more = len(names) - MOST_LISTED
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:MOST_LISTED])} and {more} more"
