"""The parts of a picture's file, checked before it is decoded: small files can ask for absurd work.

A decoder walks through the parts one by one and keeps what they hold, so ten megabytes of empty parts, of scans over
the whole picture or of overlapping notes take minutes or all memory. No camera and no program writes such files.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

MAX_PARTS = 20_000  # chunks, segments, blocks
MAX_SCANS = 64  # of a JPEG; a progressive one has about ten, each of which goes over the whole picture
MAX_STRIPS = 100_000
MAX_TILE_PIXELS = 1 << 24
MAX_RUNS_BYTES = 1 << 22  # of a BMP in run-length code, which Pillow decodes slowly
_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]", re.DOTALL)  # in a JPEG's data 0xff is followed by 0 or a restart
_TIFF = re.compile(rb"II\*\x00|MM\x00\*")
_BIG_TIFF = (b"II+\0", b"MM\0+")
_UNITS = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8}  # bytes by type
_STRIPS, _TILES, _TILE_WIDTH, _TILE_HEIGHT, _EXIF = 273, 324, 322, 323, 0x8769


class AbsurdParts(Exception):
    """The file has parts that no picture needs; the text says which."""


def check_parts(data: bytes) -> None:
    """Raises AbsurdParts if decoding the picture would cost out of proportion. data: the whole file."""
    if data.startswith(b"\xff\xd8"):
        _check_jpeg(data)
    elif data.startswith(b"\x89PNG"):
        _count(_png_chunks(data), "chunks")
    elif data.startswith(b"GIF8"):
        _count(_gif_blocks(data), "comment blocks")
    elif data.startswith(b"BM") and data[30:34] in (b"\1\0\0\0", b"\2\0\0\0") and len(data) > MAX_RUNS_BYTES:
        raise AbsurdParts("is a run-length encoded BMP file of more than 4 MB")
    elif data.startswith(_BIG_TIFF):
        raise AbsurdParts("is a BigTIFF file, which is for pictures of gigabytes")
    elif _TIFF.match(data):
        check_notes(data, whole_file=True)
    elif data[4:8] == b"ftyp":
        for number, found in enumerate(_TIFF.finditer(data)):
            if number > MAX_PARTS:
                raise AbsurdParts("has an absurd number of metadata blocks")
            check_notes(data[found.start() :] if number < 16 else data[found.start() : found.start() + (1 << 16)])


def check_notes(data: bytes, whole_file: bool = False) -> None:
    """AbsurdParts if the values of a TIFF directory (EXIF notes are one) overlap, so that they unpack to far more.

    data: from the byte order on. whole_file: it is a TIFF file, whose directory also says how the picture is cut up.
    """
    if not _TIFF.match(data):
        return
    order = "<" if data.startswith(b"II") else ">"
    places, total, tile = [struct.unpack_from(order + "L", data, 4)[0]] if len(data) >= 8 else [], 0, 1
    for place in places:  # grows by the sub-directory of EXIF
        for tag, kind, count, value in _entries(data, order, place):
            size = count * _UNITS.get(kind, 0)
            total += size if size > 4 else 0
            if total > len(data) + (1 << 16):
                raise AbsurdParts("has metadata that overlap each other")
            if tag == _EXIF and len(places) == 1:
                places.append(value)
            if whole_file and tag in (_STRIPS, _TILES) and count > MAX_STRIPS:
                raise AbsurdParts(f"is cut into {count:,} pieces")
            if whole_file and tag in (_TILE_WIDTH, _TILE_HEIGHT):
                tile *= value if kind == 4 or order == "<" else value >> 16
    if tile > MAX_TILE_PIXELS:
        raise AbsurdParts("has tiles of an absurd size")


def _entries(data: bytes, order: str, place: int) -> Iterator[tuple[int, int, int, int]]:
    """Tag, type, count and value (or its place) of each entry of a directory, as far as the data goes."""
    if place + 2 > len(data):
        return
    (entries,) = struct.unpack_from(order + "H", data, place)
    for at in range(place + 2, min(place + 2 + 12 * entries, len(data) - 11), 12):
        yield struct.unpack_from(order + "HHLL", data, at)


def _check_jpeg(data: bytes) -> None:
    place, segments, scans, notes = 2, 0, 0, []
    while found := _MARKER.search(data, place):
        marker, place = data[found.start() + 1], found.end()
        if marker == 0xD9 or place + 2 > len(data):
            break
        segments += 1
        scans += marker == 0xDA
        if segments > MAX_PARTS:
            raise AbsurdParts("has an absurd number of segments")
        if scans > MAX_SCANS:
            raise AbsurdParts(f"has more than {MAX_SCANS} scans over the whole picture")
        if marker == 0x01:
            continue  # has no length
        size = int.from_bytes(data[place : place + 2], "big")
        if marker == 0xE1 and data[place + 2 : place + 8] == b"Exif\0\0":
            notes.append(data[place + 8 : place + size])
        place += max(size, 2)
    check_notes(b"".join(notes))


def _png_chunks(data: bytes) -> Iterator[None]:
    place = 8
    while place + 8 <= len(data) and data[place + 4 : place + 8] != b"IEND":
        yield
        place += 12 + int.from_bytes(data[place : place + 4], "big")


def _gif_blocks(data: bytes) -> Iterator[None]:
    """The blocks of what comes before the first picture."""
    place = 13 + (3 << ((data[10] & 7) + 1) if len(data) > 10 and data[10] & 128 else 0)
    while place + 2 < len(data) and data[place] != 0x2C:
        if data[place] != 0x21:
            place += 1
            yield
            continue
        place += 2
        while place < len(data) and data[place]:
            place += 1 + data[place]
            yield
        place += 1
        yield


def _count(parts: Iterator[None], what: str) -> None:
    if any(number > MAX_PARTS for number, _ in enumerate(parts)):
        raise AbsurdParts(f"has an absurd number of {what}")
