"""The photo behind the scene is read beside the window, which never waits for it."""

from __future__ import annotations

import io
import itertools
import re
import threading
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from window_driver import until

from app.document.model.document import Document, Photo
from app.window.editor import Editor
from solver.camera import PinholeCamera


def document_with(path: Path) -> Document:
    camera = PinholeCamera(np.array([0, 1, 3]), np.eye(3), 800.0, (32.0, 32.0), (64, 64))
    return Document((), (Photo(str(path), "0" * 64, camera),))


def reading() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "photo"]


def slow_jpeg(scans: int = 50, side: int = 5000) -> bytes:
    """Half a megabyte over which a decoder takes a second or more."""
    out = io.BytesIO()
    Image.new("RGB", (side, side), (90, 140, 70)).save(out, "JPEG", progressive=True)
    jpeg = out.getvalue()
    starts = [m.start() for m in re.finditer(b"\xff\xda", jpeg)]
    shortest = min((jpeg[a:b] for a, b in itertools.pairwise(starts[1:])), key=len)
    return jpeg[:-2] + shortest * scans + jpeg[-2:]


@pytest.mark.slow
@pytest.mark.gl
def test_the_window_closes_while_a_photo_is_being_read(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "slow.jpg"
    path.write_bytes(slow_jpeg())
    editor.session.open(document_with(path))
    editor.session.set_view(through_photo=True)
    until(lambda: bool(reading()))
    threads = reading()
    editor.session.history.mark_saved()
    editor.window.close()
    assert any(thread.is_alive() for thread in threads), "the window's end waited for the photo"
    for thread in threads:
        thread.join()


@pytest.mark.slow
@pytest.mark.gl
def test_another_photo_takes_the_place_of_one_that_is_still_being_read(editor: Editor, tmp_path: Path) -> None:
    slow, quick = tmp_path / "slow.jpg", tmp_path / "quick.png"
    slow.write_bytes(slow_jpeg())
    Image.new("RGB", (64, 64), (200, 10, 10)).save(quick)
    session = editor.session
    session.open(document_with(slow))
    session.set_view(through_photo=True)
    until(lambda: bool(reading()))
    threads = reading()
    session.open(document_with(quick))
    session.set_view(through_photo=True)

    def shown() -> bool:
        backplate = editor.viewport.scene.backplate
        return backplate is not None and backplate.image[9, 9].tolist() == [200, 10, 10, 255]

    until(shown)
    for thread in threads:
        thread.join()
    until(shown)
