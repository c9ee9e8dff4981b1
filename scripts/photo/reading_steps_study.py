"""What the last steps of reading a person bring, by posture class: a second try, and landmarks placed by heat maps.

python -m scripts.photo.reading_steps_study --renderings DIR [DIR ...] [--half report] [--kind KIND ...] [--worst 8]

DIR is from `scripts.photo.photo_renderings` or `scripts.photo.situations.renderings`. Everybody is found once and read
in four ways: by the numbers of the looks alone, with a second try, by heat maps, and with both, as the program does. A
table for each way, a row for each class, in % of the extent, medians over a person's joints: how far landmarks are from
where they would be marked on the true body, the figure from the landmarks, and the figure from the truth (median, mean
and worst person, and how many are more than 2.5% off); and PA-MPJPE in mm. Then how many of those who are off are named
as doubtful, and how many others; how many are better and worse than by numbers alone, by 0.5% and by 10 mm; and the
worst people. Figures are fitted without a floor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import script_parser
from scripts.photo.read_pictures import add_pictures, pictures_of, read_at_first_and_again
from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.camera import PinholeCamera
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.photo.accuracy import shared_indices, shared_landmarks
from solver.photo.depth_ambiguity import is_doubtful
from solver.photo.detection.blazepose import Landmarks
from solver.photo.fit.evidence import body_points
from solver.photo.fit.least_squares import posed_joints
from solver.photo.fit.open_sides import fit_landmarks
from solver.photo.measuring.measure import IS_ONE
from solver.photo.measuring.misreadings import AIM
from solver.photo.measuring.truth import TruePerson, TruePicture
from solver.photo.refit import marked_points
from solver.photo.sighting import sighting_of

Array = NDArray[np.float64]
WAYS = ("numbers", "numbers, second try", "heat maps", "heat maps, second try")
CLEARLY, CLEARLY_MM = 0.5, 10.0  # from which somebody is better or worse, % of the extent and PA-MPJPE


@dataclass(frozen=True)
class Row:
    """Somebody read, each figure in all WAYS. marks, on_marks, off: % of the extent. named: as doubtful at first and
    after the second try."""

    picture: str
    posture: str
    marks: tuple[float, ...]
    on_marks: tuple[float, ...]
    off: tuple[float, ...]
    mm: tuple[float, ...]
    named: tuple[bool, bool]


def main(arguments: list[str] | None = None) -> None:
    """Print the tables."""
    parser = script_parser(__file__, __doc__)
    add_pictures(parser)
    parser.add_argument("--worst", type=int, default=8, metavar="N", help="people to name (default: 8)")
    given = parser.parse_args(arguments)
    body = load_body(DEFAULT_BODY)
    rows = [row for folder, picture in pictures_of(given) for row in rows_of(folder, picture, body)]
    groups = {"all": rows} | {
        kind: [r for r in rows if r.posture == kind] for kind in sorted({r.posture for r in rows})
    }
    for way, name in enumerate(WAYS):
        print(
            f"\n| {name} | people | landmarks | figure on landmarks | figure, mean, worst | > 2.5% | fit mm | named |"
        )
        print("|--|--:|--:|--|--|--:|--:|--|")
        for group, those in groups.items():
            print(line(group, those, way))
    print("\nbetter, worse than by numbers alone, in the picture; in space:")
    for way, name in [*enumerate(WAYS)][1:]:
        gains = [(r.off[0] - r.off[way], r.mm[0] - r.mm[way]) for r in rows]
        counts = [
            f"{sum(gain[i] >= least for gain in gains)}, {sum(-gain[i] >= least for gain in gains)}"
            for i, least in enumerate((CLEARLY, CLEARLY_MM))
        ]
        print(f"{name}: {'; '.join(counts)}")
    for row in sorted(rows, key=lambda row: -row.off[-1])[: given.worst]:
        off, mm = (f"{each[0]:.1f} → {each[-1]:.1f}" for each in (row.off, row.mm))
        print(f"{row.picture}, {row.posture}: {off}%, {mm} mm")


def line(name: str, rows: Sequence[Row], way: int) -> str:
    """A row of a table."""
    marks, on_marks, off, mm = (
        np.array([getattr(r, w)[way] for r in rows]) for w in ("marks", "on_marks", "off", "mm")
    )
    beyond, named = off > 100 * AIM, np.array([row.named[way % 2] for row in rows])
    return (
        f"| {name} | {len(rows)} | {np.median(marks):.2f} | {np.median(on_marks):.2f} ({on_marks.max():.2f}) "
        f"| {np.median(off):.2f}, {off.mean():.2f}, {off.max():.1f} | {beyond.sum()} | {mm.mean():.1f} "
        f"| {(beyond & named).sum()} and {(~beyond & named).sum()} |"
    )


def rows_of(folder: Path, picture: TruePicture, body: Body) -> Iterator[Row]:
    """Everybody in a rendering who was read."""
    (camera, found, known), shared = read_at_first_and_again(folder / picture.name), shared_indices()
    for true in picture.people:
        pixels = true.pixels[shared]
        size = float(np.linalg.norm(np.ptp(pixels, axis=0)))
        away = [float(np.median(np.linalg.norm(one.pixels[shared_landmarks()] - pixels, axis=1))) for one in found]
        if away and min(away) < IS_ONE * size:
            number = int(np.argmin(away))
            yield row_of(body, camera, picture, true, (found[number], known[number]))


def row_of(
    body: Body, camera: PinholeCamera, picture: TruePicture, true: TruePerson, read: tuple[Landmarks, Landmarks]
) -> Row:
    """One of them. read: at first and after the second try."""
    points, shared = body_points(body), shared_indices()
    order = [points.landmark.tolist().index(mark) for mark in shared_landmarks()]
    marked = marked_points(load_body(true.body), true.shape, true.pose, picture.camera, by_networks=True).pixels
    pixels, middle = true.pixels[shared], np.array(camera.principal_px)
    share = 100 / max(float(np.linalg.norm(np.ptp(pixels, axis=0))), 1.0)
    figures = list[tuple[float, ...]]()
    for marks in (*map(_without_maps, read), *read):
        placed, seen, fit = fit_landmarks(body, marks, camera.focal_px, camera.principal_px)
        joints, turns = posed_joints(body, fit)
        figure = _seen(points.places(joints, turns), camera.focal_px)
        away = (
            placed.pixels[points.landmark[order]] - marked[order], (figure - seen.pixels)[order],
            _seen(joints[shared], camera.focal_px) * [1, -1] + middle - pixels,
        )  # fmt: skip
        offs = (share * float(np.median(np.linalg.norm(each, axis=1))) for each in away)
        figures.append((*offs, float(pa_mpjpe_mm(joints[shared], true.joints[shared]))))
    first, second = (is_doubtful(sighting_of(marks, "")) for marks in read)
    marks_off, on_marks, off, mm = (tuple(column) for column in np.array(figures).T.tolist())
    return Row(picture.name, str(true.posture), marks_off, on_marks, off, mm, (first, second))


def _without_maps(person: Landmarks) -> Landmarks:
    return replace(person, looks=tuple(replace(look, heat=None) for look in person.looks))


def _seen(places: Array, focal: float) -> Array:
    """(N, 2) pixels about the principal point, y up, of places before the camera."""
    return np.asarray(focal * places[:, :2] / -places[:, 2:])


if __name__ == "__main__":
    main()
