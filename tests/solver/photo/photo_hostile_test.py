"""Pictures made to do harm: other programs started, memory filled, minutes taken. All are refused in one line."""

from __future__ import annotations

import io
import itertools
import os
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from solver.errors import InputRefused
from solver.photo.image_file import LARGEST_JPEG, MAX_PIXELS, load_image

ROOT = Path(__file__).resolve().parents[3]
EPS = """%!PS-Adobe-3.0 EPSF-3.0
%%BoundingBox: 0 0 64 64
%%EndComments
{} loop
showpage
"""


def encoded(image: Image.Image, format: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, format, **options)
    return out.getvalue()


def refusal(path: Path) -> str:
    with pytest.raises(InputRefused) as caught:
        load_image(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.skipif(sys.platform == "win32", reason="puts a script where a program is looked for")
def test_no_picture_starts_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from PIL import EpsImagePlugin

    interpreter = tmp_path / "gs"
    interpreter.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    interpreter.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(EpsImagePlugin, "gs_binary", None)  # as at the program's start: it is looked for then
    photo = tmp_path / "photo.jpg"
    photo.write_text(EPS)
    assert "is not a picture that this program can read" in refusal(photo)
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize("format", ["PPM", "TGA", "ICO", "PCX", "SGI", "JPEG2000"])
def test_formats_that_the_program_does_not_name_are_not_tried(format: str, tmp_path: Path) -> None:
    path = tmp_path / "photo.png"
    path.write_bytes(encoded(Image.new("RGB", (64, 64)), format))
    assert "is not a picture" in refusal(path)


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF", "AVIF", "MPO"])
def test_formats_that_the_program_names_are_read(format: str, tmp_path: Path) -> None:
    if format == "AVIF" and not _has_avif():
        pytest.skip("this Pillow was built without AVIF")
    path = tmp_path / "photo"
    more = {"save_all": True, "append_images": [Image.new("RGB", (64, 48), "blue")]} if format == "MPO" else {}
    path.write_bytes(encoded(Image.new("RGB", (64, 48), "red"), format, **more))
    read = load_image(path)
    assert read.size == (64, 48)
    assert np.abs(read.rgb[20, 20].astype(int) - (255, 0, 0)).max() < 12


def _has_avif() -> bool:
    from PIL import features

    return bool(features.check("avif"))


MEASURE = """
import re, sys
import numpy, PIL.Image
from solver.photo.image_file import load_image

def memory(what):
    return int(re.search(what + r":\\s*(\\d+) kB", open("/proc/self/status").read()).group(1)) / 1e3

idle = memory("VmRSS")
load_image(sys.argv[1])
print(memory("VmHWM") - idle)
"""
WIDTH, HEIGHT = 8192, MAX_PIXELS // 8192
LARGE = {
    "16 bits": lambda: encoded(Image.fromarray(np.full((HEIGHT, WIDTH), 40_000, np.uint16)), "PNG", compress_level=1),
    "32 bits": lambda: encoded(Image.new("F", (WIDTH, HEIGHT), 3.0), "TIFF", compression="tiff_deflate"),
    "progressive": lambda: encoded(Image.new("CMYK", (WIDTH, HEIGHT)), "JPEG", progressive=True, subsampling=0),
    "baseline": lambda: encoded(Image.new("RGB", (12000, LARGEST_JPEG // 12000), (90, 80, 70)), "JPEG"),
    "WebP": lambda: encoded(Image.new("RGBA", (5000, 5000), (9, 9, 9, 9)), "WEBP", lossless=True, method=0),
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the memory")
@pytest.mark.parametrize("kind", LARGE)
def test_a_picture_as_large_as_allowed_takes_less_than_500_mb(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "photo"
    path.write_bytes(LARGE[kind]())
    assert path.stat().st_size < 10_000_000
    command = [sys.executable, "-c", MEASURE, str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 500


def test_a_larger_picture_is_refused_by_its_header_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    path.write_bytes(png_start(8000, 8000) + chunk(b"IDAT", b""))  # nothing behind the header, so nothing was decoded
    said = refusal(path)
    assert all(part in said for part in ("large.png", "8000 x 8000 pixels", "50 million", "Scale it down")), said


@pytest.mark.parametrize("brand", [b"heic", b"mif1"])
def test_a_heic_photo_is_called_one_and_the_way_out_is_said(brand: bytes, tmp_path: Path) -> None:
    path = tmp_path / "IMG_0001.jpg"  # as some programs rename it
    path.write_bytes(b"\0\0\0\x18ftyp" + brand + b"\0\0\0\0mif1heic" + bytes(100))
    assert "is a HEIC photo, which this program does not read. Export it as JPEG" in refusal(path)


@pytest.mark.parametrize("mode", ["F", "I;16", "RGBA"])
def test_scaling_strip_by_strip_leaves_no_seam(mode: str, tmp_path: Path) -> None:
    ramp = np.linspace(0, 255, 5000, dtype=np.float32)[:, None].repeat(40, 1)
    if mode == "RGBA":
        image = Image.fromarray(ramp.astype(np.uint8)).convert("RGBA")
    else:
        image = Image.fromarray(ramp if mode == "F" else (ramp * 257).astype(np.uint16))
    path = tmp_path / "ramp"
    path.write_bytes(encoded(image, "TIFF" if mode == "F" else "PNG"))
    column = load_image(path).rgb[:, 10, 0].astype(int)
    assert len(column) == 4096
    steps = np.diff(column)
    assert steps.min() >= 0
    assert steps.max() <= 1
    assert column[0] <= 3
    assert column[-1] >= 252


def png_start(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def overlapping_notes(entries: int = 300, size: int = 9_000_000) -> bytes:
    """EXIF whose every value is the same nine megabytes."""
    rows = [struct.pack("<HHLL", 40_000 + i, 7, size, 8) for i in range(entries)]
    return b"II*\0" + struct.pack("<LH", 8, entries) + b"".join(rows) + bytes(4) + bytes(size)


def with_chunk(new: bytes, times: int = 1) -> bytes:
    png = encoded(Image.new("RGB", (64, 64)), "PNG")
    place = png.index(b"IDAT") - 4
    return png[:place] + new * times + png[place:]


def jpeg_of_scans(count: int, side: int) -> bytes:
    """A progressive picture with its shortest scan repeated."""
    jpeg = encoded(Image.new("RGB", (side, side), (90, 140, 70)), "JPEG", progressive=True)
    scans = [m.start() for m in re.finditer(b"\xff\xda", jpeg)]
    shortest = min((jpeg[a:b] for a, b in itertools.pairwise(scans[1:])), key=len)
    return jpeg[:-2] + shortest * count + jpeg[-2:]


def gif_of_comments(count: int) -> bytes:
    gif = encoded(Image.new("P", (64, 64)), "GIF")
    place = 13 + (3 << ((gif[10] & 7) + 1) if gif[10] & 128 else 0)
    return gif[:place] + b"\x21\xfe" + b"\x01a" * count + b"\0" + gif[place:]


def tiled_tiff() -> bytes:
    """16 x 16 pixels in one compressed tile of 30,000 x 30,000."""
    place = 8 + 2 + 12 * 9 + 4
    tile = zlib.compress(bytes(1000))
    values = {256: 16, 257: 16, 258: 8, 259: 8, 262: 1, 322: 30_000, 323: 30_000, 324: place, 325: len(tile)}
    rows = [struct.pack("<HHLL", tag, 4, 1, value) for tag, value in values.items()]
    return b"II*\0" + struct.pack("<LH", 8, len(rows)) + b"".join(rows) + bytes(4) + tile


def many_strips() -> bytes:
    count, place = 200_000, 8 + 2 + 12 * 8 + 4
    rows = [
        struct.pack("<HHLL", *row)
        for row in (
            (256, 4, 1, 16), (257, 4, 1, 16), (258, 4, 1, 8), (259, 4, 1, 1), (262, 4, 1, 1),
            (273, 4, count, place), (278, 4, 1, 1), (279, 4, count, place + 4 * count),
        )
    ]  # fmt: skip
    return b"II*\0" + struct.pack("<LH", 8, len(rows)) + b"".join(rows) + bytes(4 + 8 * count)


HARM = {
    "EXIF that unpacks to gigabytes": (lambda: with_chunk(chunk(b"eXIf", overlapping_notes())), "that overlap"),
    "a TIFF that does": (overlapping_notes, "that overlap"),
    "800,000 chunks": (lambda: with_chunk(chunk(b"abCd", b""), 800_000), "absurd number of chunks"),
    "800,000 empty pieces of data": (lambda: with_chunk(chunk(b"IDAT", b""), 800_000), "absurd number of chunks"),
    "thousands of scans": (lambda: jpeg_of_scans(5000, 800), "more than 64 scans"),
    "two million segments": (
        lambda: b"\xff\xd8" + b"\xff\xe5\0\2" * 2_000_000 + encoded(Image.new("L", (64, 64)), "JPEG")[2:],
        "absurd number of segments",
    ),
    "millions of comments": (lambda: gif_of_comments(4_500_000), "absurd number of comment blocks"),
    "a tile of a gigabyte": (tiled_tiff, "tiles of an absurd size"),
    "strips without number": (many_strips, "cut into 200,000 pieces"),
    "a BigTIFF": (lambda: b"II+\0\x08\0\0\0" + bytes(64), "BigTIFF"),
}  # fmt: skip


@pytest.mark.parametrize("case", HARM)
def test_what_would_cost_out_of_proportion_is_refused_before_it_is_decoded(case: str, tmp_path: Path) -> None:
    make, message = HARM[case]
    path = tmp_path / "photo.jpg"
    path.write_bytes(make())
    assert path.stat().st_size < 10_000_000
    assert message in refusal(path)


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF", "AVIF"])
def test_no_damage_to_any_format_is_more_than_a_refusal(format: str, tmp_path: Path) -> None:
    if format == "AVIF" and not _has_avif():
        pytest.skip("this Pillow was built without AVIF")
    rng = np.random.default_rng(3)
    exif = Image.Exif()
    exif[274] = 6
    noise = Image.fromarray(rng.integers(0, 255, (48, 64, 3), np.uint8))
    good = encoded(noise, format, **({} if format in ("BMP", "GIF") else {"exif": exif}))
    path = tmp_path / "photo"
    for _ in range(60):
        data = bytearray(good[: rng.integers(1, len(good))] if rng.random() < 0.3 else good)
        for place in rng.integers(0, min(len(data), 400 if rng.random() < 0.5 else len(data)), 8):
            data[place] = rng.integers(256)
        path.write_bytes(data)
        said = ""
        try:
            assert load_image(path).rgb.ndim == 3
        except InputRefused as error:
            said = str(error)
        assert said == "" or said.startswith(str(path))
        assert "\n" not in said
