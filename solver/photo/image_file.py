"""Pictures from files: upright, RGB and of a workable size, or refused in one clear line."""

from __future__ import annotations

import hashlib
import io
import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver import focal_length
from solver.errors import InputRefused
from solver.files.reading import MEBIBYTE, read_bytes
from solver.photo.picture_parts import AbsurdParts, check_notes, check_parts
from solver.values import read_only

if TYPE_CHECKING:
    from PIL import Image

MAX_BYTES = 256 * MEBIBYTE
MAX_PIXELS = 8192 * 6144  # as phones take with "50 megapixels"
LARGEST_JPEG = 120_000_000  # pixels, of one that is not progressive, which is decoded at half its size as it is read
# The formats that are tried, by Pillow's names, with as many pixels as fit into 400 MB while being decoded. No others
# are tried: some of those that Pillow knows start other programs.
PIXELS = {
    "JPEG": MAX_PIXELS, "PNG": MAX_PIXELS, "BMP": MAX_PIXELS, "GIF": MAX_PIXELS, "TIFF": MAX_PIXELS,
    "WEBP": 25_000_000, "AVIF": 25_000_000,
}  # fmt: skip
LARGE_JPEG = 30_000_000  # pixels: beyond, a progressive one is decoded at half its size
STRIP_ROWS = 256
WORKING_SIDE = 4096  # pixels: longer pictures are scaled down to this, which is more than finding people needs
SCALE_DOWN = f"Scale it down first: only {WORKING_SIDE} pixels on the longer side are used"
NOT_PROGRESSIVE = (
    f"Save it again without “progressive”, or scale it down: progressive ones are read up to {MAX_PIXELS // 1_000_000} "
    f"million pixels, others up to {LARGEST_JPEG // 1_000_000} million"
)
SHORTEST_SIDE = 16
Size = tuple[int, int]  # width, height
Taken = TypeVar("Taken")
_SIDEWAYS = (2, 4, 5, 6)  # Pillow's Transpose.ROTATE_90, ROTATE_270, TRANSPOSE and TRANSVERSE
USABLE = "Choose a JPEG, PNG, WebP, TIFF, BMP or GIF file"
JPEG = ("JPEG", "MPO")
HEIC = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1")  # brands
AS_JPEG = "Export it as JPEG from the program that shows your photos, or let the phone take the most compatible format"


@dataclass(frozen=True, eq=False)
class PhotoImage:
    """A picture, upright. rgb: (H, W, 3) uint8, read-only. path: as given. sha256: of the file's bytes.

    focal_px: focal length in pixels of `rgb` as the camera wrote it into the file (EXIF), None if it did not. in_file:
    width and height, upright, of the picture as the file holds it, which may be larger; None where there is no file.
    left_out: says what else is in the file and was not read, the frames of an animation or the pages of a document.
    """

    rgb: NDArray[np.uint8]
    path: str
    sha256: str
    focal_px: float | None = None
    in_file: tuple[int, int] | None = None
    left_out: str = ""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.rgb.shape[1], self.rgb.shape[0]


def load_image(path: str | os.PathLike[str]) -> PhotoImage:
    """The picture in a file, its EXIF orientation applied, its longest side at most 4096 pixels.

    Raises InputRefused for a file that is missing, empty, not a picture, cut off, too small, or of more than 50 million
    pixels (120 as JPEG, if it is not progressive; 25 as WebP and AVIF, whose decoders take twice the memory).
    """
    data = read_bytes(path, MAX_BYTES, SCALE_DOWN)
    (rgb, focal_mm, in_file), left_out = _taken(path, data, lambda image: (_upright_rgb(image), _left_out(image)))
    height, width = rgb.shape[:2]
    focal_px = None if focal_mm is None else focal_length.focal_px(focal_mm, (width, height))
    return PhotoImage(rgb, os.fspath(path), hashlib.sha256(data).hexdigest(), focal_px, in_file, left_out)


def picture_sizes(path: str | os.PathLike[str]) -> tuple[Size, Size]:
    """Width and height of the picture as the file holds it, and as `load_image` scales it; neither is turned upright.

    Nothing is decoded. InputRefused as there.
    """
    data = read_bytes(path, MAX_BYTES, SCALE_DOWN)
    return _taken(path, data, lambda image: (image.size, _drafted(image)))


def working_size(size: Size) -> Size:
    """The width and height to which a picture of that size is scaled, if it is decoded whole."""
    scale = min(1.0, WORKING_SIDE / max(size))
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def _taken(path: str | os.PathLike[str], data: bytes, take: Callable[[Image.Image], Taken]) -> Taken:
    """What `take` gets from the picture in a file's bytes. InputRefused where it is none."""
    if not data:
        raise InputRefused(path, "is empty", USABLE)
    from PIL import Image, UnidentifiedImageError

    try:
        check_parts(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # our own limit follows, and odd metadata need not worry anyone
            with Image.open(io.BytesIO(data), formats=tuple(PIXELS)) as image:
                _check_size(path, image)
                return take(image)
    except InputRefused:
        raise
    except UnidentifiedImageError:
        if data[4:8] == b"ftyp" and data[8:12] in HEIC:
            raise InputRefused(path, "is a HEIC photo, which this program does not read", AS_JPEG) from None
        raise InputRefused(path, "is not a picture that this program can read", USABLE) from None
    except Image.DecompressionBombError:
        raise _too_large(path, LARGEST_JPEG if data.startswith(b"\xff\xd8") else MAX_PIXELS) from None
    except MemoryError:
        raise InputRefused(path, "the picture does not fit into memory", "Make it smaller first") from None
    except AbsurdParts as error:
        raise InputRefused(path, str(error), "Save the picture again with another program") from None
    except Exception as error:  # decoders raise all kinds of errors on damaged files
        reason = "the picture is cut off or damaged" if "truncated" in str(error) else f"cannot be decoded ({error})"
        raise InputRefused(path, " ".join(reason.split()), "Use another copy of it") from None


def _check_size(path: str | os.PathLike[str], image: Image.Image) -> None:
    """Before anything is decoded: what the file's header says."""
    width, height = image.size
    limit = PIXELS.get(image.format or "", MAX_PIXELS)
    if image.format in JPEG and not image.info.get("progressive"):
        limit = LARGEST_JPEG
    if image.format == "TIFF" and sum(image.tag_v2.get(258, (8,))) > 32:  # type: ignore[attr-defined]
        limit = limit * 3 // 5  # its strips are unpacked as they are, beside the picture
    if width * height > limit:
        if image.format in JPEG and limit < width * height <= LARGEST_JPEG:
            raise InputRefused(path, f"is a progressive JPEG of {width} x {height} pixels", NOT_PROGRESSIVE)
        raise _too_large(path, limit, image.size)
    if min(image.size) < SHORTEST_SIDE:
        raise InputRefused(path, f"the picture is only {width} x {height} pixels", "Choose a larger one")


def _too_large(path: str | os.PathLike[str], limit: int, size: tuple[int, int] | None = None) -> InputRefused:
    what = f"the picture has {size[0]} x {size[1]} pixels" if size else "the picture is very large"
    return InputRefused(path, f"{what}; more than {limit // 1_000_000} million cannot be read", SCALE_DOWN)


def _upright_rgb(image: Image.Image) -> tuple[NDArray[np.uint8], float | None, tuple[int, int]]:
    """(H, W, 3) uint8, read-only, of the working size; the focal length that the camera noted, see `_notes`; and the
    upright picture's width and height in the file."""
    from PIL import Image

    width, height = image.size
    size = _drafted(image)
    image.load()
    turn, focal_mm = _notes(image)
    small = _scaled(image, size)
    if turn is not None:
        small = small.transpose(Image.Transpose(turn))
    rgb = np.array(small, dtype=np.uint8)
    read_only(rgb)
    return rgb, focal_mm, (height, width) if turn in _SIDEWAYS else (width, height)


def _left_out(image: Image.Image) -> str:
    """A sentence if the file has more pictures than the first; phones' second pictures in a JPEG are previews."""
    one = {"GIF": "frame", "PNG": "frame", "WEBP": "frame", "AVIF": "frame", "TIFF": "page"}.get(image.format or "")
    if one is None:
        return ""
    try:
        more = bool(getattr(image, "is_animated", False))
        if one == "page" and more:
            image.seek(1)
            more = not image.tag_v2.get(254, 0) & 1  # type: ignore[attr-defined]  # 1: a smaller copy
    except Exception:  # a damaged rest of a file whose first picture is fine
        return ""
    return f"Only its first {one} is read." if more else ""


def _drafted(image: Image.Image) -> Size:
    """The width and height to scale a picture to. Of a JPEG no more than that needs is decoded from now on."""
    size = working_size(image.size)
    if image.format in JPEG:
        large = image.width * image.height > LARGE_JPEG
        image.draft("RGB", (image.width // 2, image.height // 2) if large else size)
        size = working_size(image.size)
    return size


def _notes(image: Image.Image) -> tuple[int | None, float | None]:
    """How to turn the picture upright (a Transpose), and the focal length on film in millimetres; None where unsaid."""
    from PIL import ExifTags, Image

    raw = image.info.get("exif")
    if not isinstance(raw, bytes) and image.format != "TIFF":
        return None, None
    if isinstance(raw, bytes):
        check_notes(raw.removeprefix(b"Exif\0\0"))
    ways = Image.Transpose
    turns = (
        None, None, ways.FLIP_LEFT_RIGHT, ways.ROTATE_180, ways.FLIP_TOP_BOTTOM,
        ways.TRANSPOSE, ways.ROTATE_270, ways.TRANSVERSE, ways.ROTATE_90,
    )  # fmt: skip
    turn, focal_mm = None, None
    try:
        exif = image.getexif()
        noted = exif.get(ExifTags.Base.Orientation, 1)
        turn = turns[noted] if noted in range(len(turns)) else None
        focal_mm = float(exif.get_ifd(ExifTags.IFD.Exif).get(ExifTags.Base.FocalLengthIn35mmFilm, 0))
    except Exception:
        pass  # damaged notes in a picture that may be fine
    return turn, focal_mm if focal_mm is not None and 5.0 <= focal_mm <= 2000.0 else None


def _scaled(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The picture as 8 bits of RGB, scaled strip by strip, so that no second copy of the large one is ever made."""
    from PIL import Image

    convert = _converter(image)
    width, height = size
    scale = image.height / height
    around = int(np.ceil(3 * scale)) + 1 if size != image.size else 0  # rows beyond its own that the filter looks at
    result = Image.new("RGB", size)
    for top in range(0, height, STRIP_ROWS):
        bottom = min(top + STRIP_ROWS, height)
        first = max(0, int(top * scale) - around)
        last = min(image.height, int(np.ceil(bottom * scale)) + around)
        strip = convert(image.crop((0, first, image.width, last)))
        if size != image.size:
            box = (0, top * scale - first, image.width, bottom * scale - first)
            strip = strip.resize((width, bottom - top), Image.Resampling.LANCZOS, box)
        result.paste(strip, (0, top))
    return result


def _converter(image: Image.Image) -> Callable[[Image.Image], Image.Image]:
    """A function that makes a strip of the picture 8 bits of RGB; transparent parts are laid over white."""
    from PIL import Image

    def deep(strip: Image.Image) -> Image.Image:
        values = np.nan_to_num(np.asarray(strip).astype(np.float32), nan=0.0, posinf=top, neginf=0.0)
        return Image.fromarray((values.clip(0, top) * (255.0 / top)).astype(np.uint8)).convert("RGB")

    def clear(strip: Image.Image) -> Image.Image:
        over = strip.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", over.size, "white"), over).convert("RGB")

    if image.mode.startswith(("I", "F")):  # 16 and 32 bits a pixel: Pillow's own conversion would cut the bright half
        top = 65535.0 if image.mode.startswith("I;16") else _brightest(image)
        return deep
    if image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info:
        return clear
    return lambda strip: strip.convert("RGB")


def _brightest(image: Image.Image) -> float:
    """The largest finite value, at least 1."""
    brightest = 1.0
    for first in range(0, image.height, STRIP_ROWS):
        strip = np.asarray(image.crop((0, first, image.width, min(first + STRIP_ROWS, image.height))))
        finite = strip[np.isfinite(strip)]
        brightest = max(brightest, float(finite.max())) if finite.size else brightest
    return brightest
