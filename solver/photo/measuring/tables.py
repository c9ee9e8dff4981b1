"""Protocol P as text: a table for each half, a row for all, for each kind of picture, and for each posture class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from solver.evaluation.posture import POSTURES
from solver.photo.accuracy import EFFECTORS
from solver.photo.likelihood_threshold import LIKELIHOOD_THRESHOLD
from solver.photo.measuring.corrections import GESTURES
from solver.photo.measuring.measure import SHOWN_BY, Measured, PersonRow, PictureRow
from solver.photo.measuring.truth import HALVES

# Figures given as the median and the worst person, then those given as a mean: the figure and its heading.
ON_PICTURE: dict[str, str] = {
    "landmarks on truth": "landmarks on truth %",
    "posed on truth": "posed on truth %",
    "shown on truth": "shown on truth %",
    "posed on landmarks": "posed on landmarks %",
    "shown on landmarks": "shown on landmarks %",
}
IN_SPACE: dict[str, str] = {
    "landmarks": "landmarks mm",
    "fit": "fit mm",
    **{f"{count} effectors": f"{count} effectors mm" for count in EFFECTORS},
}
CORRECTED: dict[str, str] = {f"{count} gestures": f"after {count} mm" for count in GESTURES} | {
    f"{count} by turns": f"by turns, after {count} mm" for count in GESTURES if count
}
TITLE = "Protocol P: people read from photos"
NONE = "–"


def markdown(measured: Measured) -> str:
    """All tables as Markdown, each under its heading."""
    halves = [half for half in (*HALVES, "") if any(row.half == half for row in measured.pictures)]
    parts = [_section(_of(measured, half), half) for half in halves]
    return "\n\n".join(parts) + "\n"


def _of(measured: Measured, half: str) -> Measured:
    return Measured(
        tuple(row for row in measured.pictures if row.half == half),
        tuple(row for row in measured.people if row.half == half),
    )


def _section(measured: Measured, half: str) -> str:
    rows = [_row("all", measured.people, measured.pictures)]
    kinds = list(dict.fromkeys(row.kind for row in measured.pictures if row.kind))
    for kind in kinds:
        rows.append(_row(kind, *_kept(measured, "kind", kind)))
    if not kinds:
        for picture in measured.pictures:
            rows.append(_row(picture.picture, *_kept(measured, "picture", picture.picture)))
    for posture in POSTURES:
        if people := [row for row in measured.people if row.posture == posture]:
            rows.append(_row(posture, people, None))
    head = ["", "people", "found", "missed", "wrong", "ticked", *ON_PICTURE.values(), *IN_SPACE.values()]
    shown = [i for i in range(len(head)) if i == 0 or any(row[i] != NONE for row in rows)]
    table = [[line[i] for i in shown] for line in (head, ["---", *("--:" for _ in head[1:])], *rows)]
    lines = "\n".join(f"| {' | '.join(line)} |" for line in table)
    seconds = [row.seconds for row in measured.pictures]
    recovery = [row.figures["recovery s"] for row in measured.people if "recovery s" in row.figures]
    photos = "1 photo" if len(seconds) == 1 else f"{len(seconds)} photos"
    told = f"{photos}; seconds to read one: {np.median(seconds):.1f} (at most {max(seconds):.1f})"
    if first := [row.first_seconds for row in measured.pictures if row.first_seconds is not None]:
        told += f", to the first bodies: {np.median(first):.1f} (at most {max(first):.1f})"
    processor = [row.processor_s for row in measured.pictures]
    told += f"; of processor time {np.median(processor):.1f}"
    if first := [row.first_processor_s for row in measured.pictures if row.first_processor_s is not None]:
        told += f" and {np.median(first):.1f}"
    if recovery:
        told += f", to find {SHOWN_BY} effectors of a person: {np.median(recovery):.1f}"
    page = f"## {TITLE}{f', the half “{half}”' if half else ''}\n\n{told}.\n\n{lines}"
    return "\n\n".join([page, *_corrections(measured)])


def _corrections(measured: Measured) -> list[str]:
    """A table of how far off poses are after each number of gestures, where that is known."""
    kinds = dict.fromkeys(row.kind for row in measured.pictures)
    groups = [("all", measured.people)] + [
        (name, tuple(row for row in measured.people if getattr(row, what) == name))
        for what, names in (("kind", kinds), ("posture", POSTURES))
        for name in names
    ]
    rows = [
        [name, *(f"{np.mean(values):.1f}" for figure in CORRECTED if (values := _values(people, figure)))]
        for name, people in groups
    ]
    known = [f"| {' | '.join(row)} |" for row in rows if len(row) > 1]
    if not known:
        return []
    head = [f"| {' | '.join(['gestures', *CORRECTED.values()])} |", f"| --- |{' --: |' * len(CORRECTED)}"]
    told = (
        "Each time the best of three gestures: the worst landmark dragged to its place, the worst limb flipped in "
        "depth, or the person turned round; then, by turns, a drag and a flip; PA-MPJPE:"
    )
    return [told, "\n".join([*head, *known])]


def _kept(measured: Measured, what: str, value: str) -> tuple[list[PersonRow], list[PictureRow]]:
    return (
        [row for row in measured.people if getattr(row, what) == value],
        [row for row in measured.pictures if getattr(row, what) == value],
    )


def _row(name: str, people: Sequence[PersonRow], pictures: Iterable[PictureRow] | None) -> list[str]:
    known = [row for row in people if row.found is not None]
    found = sum(bool(row.found) for row in known)
    wrong = [row.wrong for row in pictures or () if row.wrong is not None]
    cells = [name, str(len(people)), str(found) if known else NONE, str(len(known) - found) if known else NONE]
    cells.append(str(sum(wrong)) if wrong else NONE)
    sure = _values(people, "sure")
    cells.append(str(sum(score >= LIKELIHOOD_THRESHOLD for score in sure)) if sure else NONE)
    for figure in ON_PICTURE:
        values = _values(people, figure)
        cells.append(f"{np.median(values):.2f} ({max(values):.2f})" if values else NONE)
    for figure in IN_SPACE:
        values = _values(people, figure)
        cells.append(f"{np.mean(values):.1f}" if values else NONE)
    return cells


def _values(people: Iterable[PersonRow], figure: str) -> list[float]:
    return [row.figures[figure] for row in people if figure in row.figures]
