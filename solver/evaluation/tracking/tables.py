"""Protocol D as text: a table for each case, a row for each set of sensors and tracker."""

from __future__ import annotations

from collections.abc import Mapping

from solver.evaluation.tracking.follow import CASES, FollowResults
from solver.sentences import counted

# Heading, and whether a standard deviation follows in brackets.
COLUMNS: dict[str, tuple[str, bool]] = {
    "effector_cm": ("end effectors cm", True),
    "rotation_deg": ("rotation °", True),
    "velocity_cm_s": ("velocity cm/s", True),
    "position_cm": ("joints cm", True),
    "astray_cm": ("in the world cm", False),
    "solve_ms_p50": ("ms p50", False),
    "solve_ms_p95": ("ms p95", False),
}


def markdown(followed: FollowResults) -> str:
    """All tables as Markdown, each under its heading."""
    parts = [f"{counted(followed.frames, 'frame')} of {counted(followed.clips, 'clip')} at 30 a second."]
    for case, sets in followed.figures.items():
        rows = [["sensors", "tracker", *(heading for heading, _ in COLUMNS.values())]]
        rows.append(["---", "---", *("--:" for _ in COLUMNS)])
        for sensors, trackers in sets.items():
            rows += [[sensors, name, *(_cell(figures, key) for key in COLUMNS)] for name, figures in trackers.items()]
        table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
        parts.append(f"## Protocol {case}: followed sensors, {CASES[case].title}\n\n{table}")
    parts += [f"Left out: `{name}`. {reason}" for name, reason in followed.left_out.items()]
    return "\n\n".join(parts) + "\n"


def _cell(figures: Mapping[str, float], key: str) -> str:
    if key not in figures:
        return "–"
    return f"{figures[key]:.2f} ({figures[f'{key}_std']:.2f})" if COLUMNS[key][1] else f"{figures[key]:.2f}"
