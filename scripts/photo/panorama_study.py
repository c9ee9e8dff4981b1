"""`python -m scripts.photo.panorama_study --photos DIR`: what a guessed lens does to people in a panorama.

DIR holds photos and a ground_truth.json with joints3d_m, see `solver.photo.accuracy`. Each photo is pasted into grey
pictures 3 and 5 times as long as high, at the middle, at three quarters and at the end: on a cylinder, as stitched
pictures are drawn, somebody looks the same anywhere. Printed for each lens (35 mm equivalent across the diagonal, and
1.07 times the height, a camera that sees 50 degrees of it): PA-MPJPE of the nearest person in mm, how far away they
are in metres, and how far the joints lie from where they are seen, in percent of the height.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from scripts.arguments import script_parser
from solver.body.catalog import load_body
from solver.focal_length import focal_px
from solver.photo.accuracy import fitted_joints, landmark_pixels, nearest_person, read_truth
from solver.photo.estimate import estimate_people
from solver.photo.image_file import PhotoImage, load_image

HEIGHT = 600
LENSES_MM = (50, 35, 28, 24, 18)
WHOLE = 1.07  # of the height: the lens of the photos that are pasted, more or less


def panorama(photo: Image.Image, ratio: int, place: float) -> PhotoImage:
    """A photo in a grey picture `ratio` times as long as high, its middle at a share of the length."""
    canvas = Image.new("RGB", (ratio * photo.height, photo.height), (128, 132, 138))
    left = int(place * canvas.width - photo.width / 2)
    canvas.paste(photo, (min(max(left, 0), canvas.width - photo.width), 0))
    return PhotoImage(np.asarray(canvas), "panorama", "")


def main() -> None:
    """Measure and print."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--photos", type=Path, required=True, metavar="DIR")
    folder, body = parser.parse_args().photos, load_body("anny")
    errors: dict[str, list[float]] = {}
    for name, truth in read_truth(folder).items():
        rgb = Image.fromarray(load_image(folder / name).rgb)
        photo = rgb.resize((round(rgb.width * HEIGHT / rgb.height), HEIGHT), Image.Resampling.LANCZOS)
        for ratio in (3, 5):
            for place in (0.5, 0.75, 0.95):
                image, row = panorama(photo, ratio, place), list[str]()
                lenses = {f"{mm} mm": focal_px(mm, image.size) for mm in LENSES_MM} | {"whole": WHOLE * HEIGHT}
                for title, focal in lenses.items():
                    result = estimate_people(image, body, focal_px=focal)
                    best, error = nearest_person(result, truth, body)
                    joints = fitted_joints(body, result, best)
                    away = np.linalg.norm(joints.mean(axis=0) - result.camera.position)
                    off = np.linalg.norm(result.camera.project(joints) - landmark_pixels(result, best), axis=1).mean()
                    errors.setdefault(title, []).append(error)
                    row.append(f"{title} {error:.0f} mm, {away:.1f} m, {100 * off / HEIGHT:.2f}%")
                print(f"{name}, 1:{ratio} at {place:g}: {' | '.join(row)}", flush=True)
    print("mean: " + " | ".join(f"{title} {np.mean(each):.0f} mm" for title, each in errors.items()))


if __name__ == "__main__":
    main()
