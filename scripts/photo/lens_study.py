"""`python -m scripts.photo.lens_study --pictures DIR`: what another focal length does to people read from photos.

Each picture of DIR in which two people or more are found is read once, and its lens made 0.5 to 2 times as long, as
the slider does. Printed for each lens and for each half of the pictures, every other one by name: how far joints leave
their places in the picture, in per cent of their person's extent there, by the middle and the worst joint of everybody;
how far people lean; and how far those who were on the floor leave it. All as the median and the largest value.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.document.exchange.photo_document import document_of_photo
from app.document.in_photo.focal_length import set_focal
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.posing.placing import lowest_skin
from scripts.arguments import script_parser
from solver.body.floor import STANDS_WITHIN
from solver.errors import InputRefused
from solver.photo.reprojection import pictures_in

TIMES = (0.5, 0.7, 0.85, 1.2, 1.4, 2.0)
COLUMNS = ("middle joint, %", "worst joint, %", "lean, degrees", "off the floor, mm")


def changed(document: Document, times: float) -> NDArray[np.float64]:
    """(N, 4) the columns for each person after the lens was made so many times as long; NaN for who was in the air."""
    photo = document.photo
    assert photo is not None
    after = set_focal(document, times * photo.camera.focal_px)(document)
    seen = after.photo
    assert seen is not None
    rows = []
    for was, now in zip(document.characters, after.characters, strict=True):
        there = photo.camera.project(joints_of(was).positions.astype(np.float64))
        here = seen.camera.project(joints_of(now).positions.astype(np.float64))
        off = 100 * np.linalg.norm(here - there, axis=1) / np.linalg.norm(np.ptp(there, axis=0))
        up = (now.pose.rotations[0] @ was.pose.rotations[0].T)[1, 1]
        low = lowest_skin(was)
        floor = 1000 * abs(lowest_skin(now) - low) if abs(low) < STANDS_WITHIN else np.nan
        rows.append((float(np.median(off)), float(off.max()), float(np.degrees(np.arccos(min(up, 1.0)))), floor))
    return np.array(rows)


def main() -> None:
    """Measure and print."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--pictures", type=Path, required=True, metavar="DIR")
    documents = []
    for path in pictures_in(parser.parse_args().pictures):
        try:
            document = document_of_photo(path)
        except InputRefused as error:
            print(error)
            continue
        if len(document.characters) > 1:
            documents.append(document)
            print(f"{path.name}: {len(document.characters)} people", flush=True)
    for name, half in (("even", documents[::2]), ("odd", documents[1::2])):
        for times in TIMES if half else ():
            rows = np.concatenate([changed(document, times) for document in half])
            told = (
                f"{title} {np.nanmedian(column):.2f}, {np.nanmax(column):.2f}"
                for title, column in zip(COLUMNS, rows.T, strict=True)
            )
            print(f"{name} half, {len(rows)} people, x {times:g}: {' | '.join(told)}")


if __name__ == "__main__":
    main()
