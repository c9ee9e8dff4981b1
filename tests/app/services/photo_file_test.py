"""Reading pictures: upright and of a working size, or refused in one line that names the file."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

import numpy as np
import pytest
from PIL import ExifTags, Image

from solver import focal_length
from solver.errors import InputRefused
from solver.photo.image_file import load_image


def half_and_half(width: int, height: int) -> Image.Image:
    """Red above, blue below."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[: height // 2, :, 0] = 255
    pixels[height // 2 :, :, 2] = 255
    return Image.fromarray(pixels)


def test_a_picture_comes_with_its_pixels_and_its_fingerprint(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    half_and_half(40, 30).save(path)
    image = load_image(path)
    assert image.size == (40, 30)
    assert image.rgb[0, 0].tolist() == [255, 0, 0]
    assert image.rgb[-1, 0].tolist() == [0, 0, 255]
    assert not image.rgb.flags.writeable
    assert image.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert image.focal_px is None


def test_a_picture_taken_with_the_camera_on_its_side_is_turned_upright(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6  # the sensor's left is the picture's top
    half_and_half(40, 30).save(tmp_path / "a.png", exif=exif)
    image = load_image(tmp_path / "a.png")
    assert image.size == image.in_file == (30, 40)
    assert image.rgb[5, -1].tolist() == [255, 0, 0]
    assert image.rgb[5, 0].tolist() == [0, 0, 255]


def test_the_focal_length_that_the_camera_noted_is_given_in_pixels(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FocalLengthIn35mmFilm] = 50
    half_and_half(360, 240).save(tmp_path / "a.jpg", exif=exif)
    image = load_image(tmp_path / "a.jpg")
    assert image.focal_px == pytest.approx(500, rel=1e-12)  # 50 mm over 36 mm of film
    assert focal_length.equivalent_mm(image.focal_px, image.size) == pytest.approx(50, rel=1e-12)


@pytest.mark.slow
def test_a_long_picture_is_scaled_to_a_working_size(tmp_path: Path) -> None:
    half_and_half(20_000, 1000).save(tmp_path / "wide.png")
    image = load_image(tmp_path / "wide.png")
    assert image.size == (4096, 205)
    assert image.in_file == (20_000, 1000)
    assert image.rgb[0, 0].tolist() == [255, 0, 0]


def test_sixteen_bits_and_transparency_are_understood(tmp_path: Path) -> None:
    Image.fromarray(np.full((32, 32), 65535, np.uint16)).save(tmp_path / "deep.png")
    assert load_image(tmp_path / "deep.png").rgb.min() == 255
    Image.new("RGBA", (32, 32), (0, 0, 0, 0)).save(tmp_path / "clear.png")
    assert load_image(tmp_path / "clear.png").rgb.min() == 255


def jpeg(path: Path, share: float = 1.0) -> None:
    Image.fromarray(np.random.default_rng(0).integers(0, 255, (200, 200, 3), np.uint8)).save(path)
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])


def png_header(width: int, height: int) -> bytes:
    import struct
    import zlib

    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body)) + b"\0\0\1\0IDAT"


BAD = {
    "a text file named .jpg": (lambda p: p.write_text("hello"), "not a picture"),
    "an empty file": (lambda p: p.write_bytes(b""), "empty"),
    "a picture cut off": (lambda p: jpeg(p, 0.5), "cut off"),
    "a picture cut in its header": (lambda p: jpeg(p, 0.01), "not a picture|cut off|decoded"),
    "a picture of 20,000 by 20,000 pixels": (
        lambda p: p.write_bytes(png_header(20_000, 20_000)), "very large|20000 x 20000",
    ),
    "a picture of a few pixels": (lambda p: half_and_half(4, 4).save(p, "PNG"), "only 4 x 4 pixels"),
    "a folder": (lambda p: p.mkdir(), "is a folder"),
    "nothing at all": (lambda p: None, "no such file"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_picture_is_refused_in_one_line(tmp_path: Path, case: str) -> None:
    make, message = BAD[case]
    path = tmp_path / "bad.jpg"
    make(path)
    with pytest.raises(InputRefused, match=message) as refusal:
        load_image(path)
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_damaged_picture_is_read_or_refused_but_never_worse(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    jpeg(tmp_path / "good.jpg")
    good = (tmp_path / "good.jpg").read_bytes()
    for _ in range(60):
        data = bytearray(good)
        for place in rng.integers(0, len(data), 20):
            data[place] = rng.integers(256)
        (tmp_path / "bad.jpg").write_bytes(data)
        with contextlib.suppress(InputRefused):
            assert load_image(tmp_path / "bad.jpg").rgb.ndim == 3
