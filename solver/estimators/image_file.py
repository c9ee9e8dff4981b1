"""Pictures from files: upright, RGB, of a size one can work with, or one clear line that says why not."""

from __future__ import annotations

import hashlib
import io
import os
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.estimators import film
from solver.reading import MEBIBYTE, read_bytes

if TYPE_CHECKING:
    from PIL import Image

MAX_BYTES = 256 * MEBIBYTE
MAX_PIXELS = 150_000_000
WORKING_SIDE = 4096  # pixels: longer pictures are scaled down to this, which is more than finding people needs
SHORTEST_SIDE = 16
FORMATS = "Choose a JPEG, PNG, WebP, TIFF, BMP or GIF file"


@dataclass(frozen=True, eq=False)
class PhotoImage:
    """A picture, upright. rgb: (H, W, 3) uint8, read-only. path: as it was given. sha256: of the file's bytes.

    focal_px: focal length in pixels of `rgb` as the camera noted it (EXIF), None where it did not.
    """

    rgb: NDArray[np.uint8]
    path: str
    sha256: str
    focal_px: float | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.rgb.shape[1], self.rgb.shape[0]


def load_image(path: str | os.PathLike[str]) -> PhotoImage:
    """The picture in a file, its EXIF orientation applied, its longest side at most 4096 pixels.

    Raises InputRefused for a file that is missing, empty, no picture, cut off, too small, or of more than 150 million
    pixels.
    """
    data = read_bytes(path, MAX_BYTES)
    if not data:
        raise InputRefused(path, "the file is empty", FORMATS)
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # our own limit follows, and odd metadata is no reason to worry anyone
            with Image.open(io.BytesIO(data)) as image:
                _check_size(path, image.size)
                focal_mm = _focal_35mm(image)
                image.draft("RGB", (WORKING_SIDE, WORKING_SIDE))  # lets JPEG decode no more than is needed
                upright = ImageOps.exif_transpose(image)
                rgb = _eight_bit_rgb(upright)
    except UnidentifiedImageError:
        raise InputRefused(path, "is not a picture that this program can read", FORMATS) from None
    except Image.DecompressionBombError:
        raise _too_large(path) from None
    except MemoryError:
        raise InputRefused(path, "the picture does not fit into memory", "Make it smaller first") from None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, ArithmeticError) as error:
        # What Pillow's decoders raise on damaged files is of many kinds.
        reason = "the picture is cut off or damaged" if "truncated" in str(error) else f"cannot be decoded ({error})"
        raise InputRefused(path, " ".join(reason.split()), "Use another copy of it") from None
    height, width = rgb.shape[:2]
    focal_px = None if focal_mm is None else film.focal_px(focal_mm, (width, height))
    return PhotoImage(rgb, os.fspath(path), hashlib.sha256(data).hexdigest(), focal_px)


def _check_size(path: str | os.PathLike[str], size: tuple[int, int]) -> None:
    width, height = size
    if width * height > MAX_PIXELS:
        raise _too_large(path, size)
    if min(size) < SHORTEST_SIDE:
        raise InputRefused(path, f"the picture is only {width} x {height} pixels", "Choose a larger one")


def _too_large(path: str | os.PathLike[str], size: tuple[int, int] | None = None) -> InputRefused:
    what = f"the picture has {size[0]} x {size[1]} pixels" if size else "the picture is very large"
    limit = f"more than {MAX_PIXELS // 1_000_000} million cannot be read"
    return InputRefused(path, f"{what}; {limit}", "Scale it down first, 4000 pixels a side are plenty")


def _focal_35mm(image: Image.Image) -> float | None:
    """The 35 mm equivalent focal length in millimetres that the camera noted."""
    from PIL import ExifTags

    try:
        noted = image.getexif().get_ifd(ExifTags.IFD.Exif).get(ExifTags.Base.FocalLengthIn35mmFilm)
        value = float(noted) if noted is not None else 0.0
    except (OSError, SyntaxError, ValueError, KeyError, TypeError, ArithmeticError):
        return None  # damaged metadata of a picture that may be fine
    return value if 5.0 <= value <= 2000.0 else None


def _eight_bit_rgb(image: Image.Image) -> NDArray[np.uint8]:
    """(H, W, 3) uint8, read-only, scaled to the working size; transparent parts over white."""
    from PIL import Image

    if image.mode.startswith(("I", "F")):  # 16 and 32 bits a pixel: Pillow's own conversion would cut the bright half
        values = np.asarray(image, dtype=np.float64)
        top = 65535.0 if image.mode.startswith("I;16") else max(float(np.nanmax(values)), 1.0)
        image = Image.fromarray((np.nan_to_num(values).clip(0, top) * (255.0 / top)).astype(np.uint8), "L")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image.convert("RGBA"))
    image = image.convert("RGB")
    image.thumbnail((WORKING_SIDE, WORKING_SIDE), Image.Resampling.LANCZOS, reducing_gap=3.0)
    rgb = np.array(image, dtype=np.uint8)
    rgb.flags.writeable = False
    return rgb
