"""How people are read in situations that recordings lack: who is found, how far off what shows is, what is a guess.

python -m scripts.photo.situations.study --renderings DIR [--half report] [--kind KIND ...] [--worst 12] [--json FILE]

DIR is from `scripts.photo.situations.renderings`. A row for each kind of picture, of everybody of whom four of the
twelve limb joints show: how many are found, by those joints, and ticked; how many readings are of nobody; landmarks and
figure off the truth in the median of these joints, in % of the extent of all twelve, by person (median, mean, worst,
and how many by more than 2.5%); of figures' hidden elbows, wrists, knees and ankles how many are said to be a guess,
the median by which they are off, and how many would show where the figure has them, though the truth does not show
them there; and of those that show, how many are said to be a guess.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from scripts.arguments import script_parser
from scripts.photo.situations.renderings import SEEN
from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.files.atomic import write_text
from solver.kinematics.fk import forward_kinematics
from solver.photo.accuracy import fitted_joints, landmark_pixels, shared_indices, shared_landmarks
from solver.photo.depth_ambiguity import extent_px, is_guess
from solver.photo.estimate import estimate_people
from solver.photo.image_file import load_image
from solver.photo.measuring.measure import IS_ONE
from solver.photo.measuring.truth import HALVES, TruePicture, read_renderings
from solver.photo.people import PhotoResult
from solver.photo.sighting import sighting_of
from solver.photo.warm_up import warm_up

Array = NDArray[np.float64]
ENOUGH = 4  # joints that show of whoever should be found
AIM = 2.5  # % of the extent
TICKED = 0.7
ENDS = np.array([1, 2, 4, 5, 7, 8, 10, 11])  # of the twelve: elbows, wrists, knees, ankles


@dataclass(frozen=True)
class Row:
    """Somebody in a picture, or a reading of nobody (person −1). shown: how many of the twelve joints show.

    marks, figure: % of the extent, medians over these. hidden, told, hidden_off, astray: hidden elbows, wrists, knees
    and ankles: how many, how many said to be guesses, the median of how far off these are, and how many the figure has
    where the picture would show them. ends, said: those that show, and how many of them are said to be guesses.
    """

    picture: str
    kind: str
    half: str
    person: int
    shown: int = 0
    found: bool = False
    score: float = 0.0
    marks: float = float("nan")
    figure: float = float("nan")
    fit_mm: float = float("nan")
    hidden: int = 0
    told: int = 0
    hidden_off: float = float("nan")
    astray: int = 0
    ends: int = 0
    said: int = 0
    unsure: bool = False
    clip: str = ""


def rows_of(picture: TruePicture, shows: Sequence[Sequence[bool]], result: PhotoResult, body: Body) -> list[Row]:
    """Everybody in a picture, and readings of nobody. shows: (12,) of each person."""
    shared, size = shared_indices(), np.array(picture.camera.image_size)
    seen = [np.array(one) for one in shows]
    apart = np.ones((len(seen), len(result.people)))
    for i, true in enumerate(picture.people):
        for n in range(len(result.people)):
            apart[i, n] = _apart(true.pixels[shared], landmark_pixels(result, n), seen[i])
    pairs = dict[int, int]()
    if apart.size:
        pairs = {
            int(i): int(n)
            for i, n in zip(*linear_sum_assignment(np.minimum(apart, 1.0)), strict=True)
            if apart[i, n] < IS_ONE
        }
    where = picture.name, picture.kind, picture.half
    rows = [Row(*where, -1, score=person.score) for n, person in enumerate(result.people) if n not in pairs.values()]
    for i, true in enumerate(picture.people):
        if i not in pairs:
            rows.append(Row(*where, i, int(seen[i].sum()), clip=true.clip))
            continue
        n = pairs[i]
        person, own = result.people[n], true.pixels[shared]
        skeleton = person.own(body).skeleton(person.shape)
        figure = result.camera.project(forward_kinematics(skeleton, person.pose).positions[shared])
        off = 100 * np.linalg.norm(figure - own, axis=1) / _extent(own)
        sighting = sighting_of(person.landmarks, "")
        marks = np.array(shared_landmarks())[ENDS]
        guesses = np.array([is_guess(sighting.by_mark[int(mark)], extent_px(sighting)) for mark in marks])
        shown = seen[i][ENDS]
        inside = _in_picture(figure, size)[ENDS]
        outside = ~_in_picture(own, size)[ENDS]
        rows.append(
            Row(
                *where, i, int(seen[i].sum()), True, person.score,
                100 * _apart(own, landmark_pixels(result, n), seen[i]), 100 * _apart(own, figure, seen[i]),
                float(_pa(body, result, n, true.joints[shared])),
                int((~shown).sum()), int(guesses[~shown].sum()),
                float(np.median(off[ENDS][~shown])) if (~shown).any() else float("nan"),
                int((inside & outside).sum()), int(shown.sum()), int(guesses[shown].sum()), person.pose_is_unsure,
                true.clip,
            )
        )  # fmt: skip
    return rows


def _pa(body: Body, result: PhotoResult, number: int, true: Array) -> float:
    return float(pa_mpjpe_mm(fitted_joints(result.people[number].own(body), result, number), true))


def _in_picture(pixels: Array, size: NDArray[np.integer]) -> NDArray[np.bool_]:
    return np.asarray(((pixels >= 0) & (pixels < size)).all(axis=1))


def _extent(pixels: Array) -> float:
    return max(float(np.linalg.norm(np.ptp(pixels, axis=0))), 1.0)


def _apart(true: Array, read: Array, shown: NDArray[np.bool_]) -> float:
    if shown.sum() < ENOUGH:
        shown = np.ones_like(shown)
    return float(np.median(np.linalg.norm(read - true, axis=1)[shown])) / _extent(true)


def table(rows: Sequence[Row]) -> str:
    """Markdown, a line for each kind."""
    lines = [
        "| kind | found | ticked | wrong (ticked) | landmarks | figure, mean | worst | > 2.5% | fit mm | hidden told | "
        "off | astray | shown said |",
        "|--|--|--:|--|--:|--|--:|--:|--:|--|--:|--:|--|",
    ]
    kinds = [*dict.fromkeys(row.kind for row in rows)]
    for kind in ["all", *kinds]:
        those = [row for row in rows if kind in ("all", row.kind)]
        real = [row for row in those if row.person >= 0 and row.shown >= ENOUGH]
        read, wrong = [row for row in real if row.found], [row for row in those if row.person < 0]
        figures = np.array([row.figure for row in read]) if read else np.array([np.nan])
        hidden, ends = sum(row.hidden for row in read), sum(row.ends for row in read)
        offs = [row.hidden_off for row in read if row.hidden]
        lines.append(
            f"| {kind} | {len(read)} of {len(real)} | {sum(row.score >= TICKED for row in read)} | {len(wrong)} "
            f"({sum(row.score >= TICKED for row in wrong)}) | {np.median([row.marks for row in read] or [np.nan]):.2f} "
            f"| {np.median(figures):.2f}, {figures.mean():.2f} | {figures.max():.1f} | {(figures > AIM).sum()} "
            f"| {np.mean([row.fit_mm for row in read] or [np.nan]):.1f} "
            f"| {sum(row.told for row in read)} of {hidden} | {np.median(offs or [np.nan]):.1f} "
            f"| {sum(row.astray for row in read)} | {sum(row.said for row in read)} of {ends} |"
        )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    """Print the table and the worst."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--renderings", type=Path, required=True, metavar="DIR")
    parser.add_argument("--half", choices=HALVES, help="the half to measure (default: both)")
    parser.add_argument("--kind", nargs="+", help="kinds of pictures to measure on (default: all)")
    parser.add_argument("--worst", type=int, default=12, metavar="N", help="people to name (default: 12)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write a row for everybody")
    given = parser.parse_args(arguments)
    body, rows = load_body(DEFAULT_BODY), list[Row]()
    seen = json.loads((given.renderings / SEEN).read_text())
    warm_up(body)
    took, pictures = 0.0, 0
    for picture in read_renderings(given.renderings, given.half):
        if given.kind is None or picture.kind in given.kind:
            began = time.process_time()
            result = estimate_people(load_image(given.renderings / picture.name), body)
            took, pictures = took + time.process_time() - began, pictures + 1
            rows += rows_of(picture, seen[picture.name], result, body)
            if given.json:
                write_text(given.json, json.dumps([asdict(row) for row in rows], indent=1))
    print(table(rows))
    print(f"\n{took / max(pictures, 1):.2f} s of processor time a picture")
    missed = [row for row in rows if row.person >= 0 and not row.found and row.shown >= ENOUGH]
    print("\nmissed: " + "; ".join(f"{row.picture} {row.person} ({row.kind}, {row.clip})" for row in missed))
    for row in sorted((row for row in rows if row.found), key=lambda row: -row.figure)[: given.worst]:
        off = f"{row.figure:.1f}% (landmarks {row.marks:.1f}%), {row.fit_mm:.0f} mm"
        sure = f"{row.score:.0%}{', unsure' if row.unsure else ''}"
        print(f"{row.picture} {row.person} {row.kind}, {row.clip}: {off}, {sure}")


if __name__ == "__main__":
    main()
