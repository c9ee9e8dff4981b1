"""How level the camera is held that is found for a photo, and how flat people lie on the floor for it.

python -m scripts.photo.situations.level_study --renderings DIR [DIR ...] [--half report] [--kind KIND ...]

DIR is from `scripts.photo.photo_renderings` or `scripts.photo.situations.renderings`. Printed for pictures in which
nobody stands, by the posture of the first person, and for those in which somebody does: how many degrees the vertical
is off (median, mean, worst, and how many by more than 15); and of the parts of bodies that truly are within 3 cm of
their lowest point, how high above it they are (cm, mean) and how many by more than 10 cm. People on one floor alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import script_parser
from scripts.photo.face_and_hand_study import paired
from scripts.photo.read_pictures import add_pictures, pictures_of, read_at_first_and_again
from solver.body.body import Body, BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.floor import posed_vertices
from solver.kinematics.pose import Pose
from solver.photo.fit.fit import shape_of
from solver.photo.fit.open_sides import fit_landmarks
from solver.photo.floor.common_floor import place_people
from solver.photo.floor.floor_level import BODY_PARTS, stands_up
from solver.photo.measuring.truth import TruePicture

FAR = 15.0  # degrees
TOUCHES_CM, HANGS_CM = 3.0, 10.0


@dataclass(frozen=True, eq=False)
class Row:
    """A picture. group: what its figures are told with. off: degrees. over: (N,) cm of parts that touch the floor."""

    group: str
    off: float
    over: NDArray[np.float64]


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = script_parser(__file__, __doc__)
    add_pictures(parser)
    body = load_body(DEFAULT_BODY)
    rows = [row for at in pictures_of(parser.parse_args(arguments)) for row in rows_of(*at, body)]
    columns = (
        "off the vertical: median, mean, worst",
        "more than 15°",
        "parts on the floor, cm above it",
        "more than 10 cm",
    )
    print(f"| | pictures | {' | '.join(columns)} |")
    print("|--|--:|--|--:|--:|--|")
    low = [row for row in rows if row.group != "somebody stands"]
    groups = {"nobody stands": low} | {
        group: [row for row in rows if row.group == group] for group in sorted({row.group for row in rows})
    }
    print("\n".join(line(name, some) for name, some in groups.items() if some))


def rows_of(folder: Path, picture: TruePicture, body: Body) -> Iterator[Row]:
    """One for a picture in which somebody was read."""
    camera, _, known = read_at_first_and_again(folder / picture.name)
    if not known:
        return
    fits = [fit_landmarks(body, person, camera.focal_px, camera.principal_px) for person in known]
    placed = place_people(body, [each[2] for each in fits], [each[1] for each in fits])
    stands = any(stands_up(body, each[2]) for each in fits)
    cosine = float(placed.rotation[1] @ picture.camera.rotation[1])
    over = [np.zeros(0)]
    for true, marks in paired(picture, known):
        number = known.index(marks)
        truly = heights(load_body(true.body), true.shape, true.pose)
        read = heights(body, shape_of(placed.fits[number]), placed.poses[number])
        over.append(read[truly < TOUCHES_CM])
    group = "somebody stands" if stands else picture.people[0].posture
    yield Row(str(group), float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))), np.concatenate(over))


def heights(body: Body, shape: BodyShape, pose: Pose) -> NDArray[np.float64]:
    """(P,) how high each of the body's parts is over the lowest point, cm."""
    high, strongest = posed_vertices(body, shape, pose)[:, 1], body.weights.argmax(axis=1)
    lowest = [float(high[np.isin(strongest, part)].min()) for part in BODY_PARTS]
    return 100.0 * (np.array(lowest) - high.min())


def line(name: str, rows: Sequence[Row]) -> str:
    """A row of the table."""
    off, over = np.array([row.off for row in rows]), np.concatenate([row.over for row in rows])
    hang = f"{(over > HANGS_CM).sum()} of {len(over)}"
    return (
        f"| {name} | {len(rows)} | {np.median(off):.1f}, {off.mean():.1f}, {off.max():.0f} | {(off > FAR).sum()} "
        f"| {over.mean() if len(over) else 0:.1f} | {hang} |"
    )


if __name__ == "__main__":
    main()
