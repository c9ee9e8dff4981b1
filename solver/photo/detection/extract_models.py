"""`python -m solver.photo.detection.extract_models ARCHIVE ...`: extracts MediaPipe's models from their packages.

An ARCHIVE is the wheel that `pip download --no-deps mediapipe==0.10.21` fetches (later versions carry no models), or
the tarball of `npm pack @mediapipe/pose@0.5.1675469404`, which has the heavy one.
"""

from __future__ import annotations

import argparse
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path

from solver.errors import InputRefused, PoserError
from solver.files.atomic import write_bytes
from solver.photo.detection.models import FOLDER, MODELS, PACKAGE, WHEEL, check

_BROKEN = (OSError, EOFError, KeyError, RuntimeError, zlib.error, zipfile.BadZipFile, tarfile.TarError)


def extract(archive: Path, folder: Path) -> None:
    """Writes every model in this archive into `folder`; InputRefused for any other archive."""
    try:
        models = _of_wheel(archive) if zipfile.is_zipfile(archive) else _of_package(archive)
    except FileNotFoundError as error:
        raise InputRefused(archive, "there is no such file", "Check the name") from error
    except _BROKEN as error:
        raise InputRefused(archive, f"this is neither {WHEEL} nor {PACKAGE} ({error})", "Download it again") from error
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in models.items():
        write_bytes(folder / name, data)


def _of_wheel(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: check(name, archive.read(m.place), path) for name, m in MODELS.items() if m.archive == WHEEL}


def _of_package(path: Path) -> dict[str, bytes]:
    with tarfile.open(path, "r:gz") as archive:
        models = {}
        for name, model in MODELS.items():
            if model.archive == PACKAGE:
                file = archive.extractfile(model.place)
                if file is None:
                    raise KeyError(model.place)
                models[name] = check(name, file.read(), path)
        return models


def main() -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m solver.photo.detection.extract_models", description=__doc__)
    parser.add_argument("archives", type=Path, nargs="+", metavar="ARCHIVE")
    try:
        for archive in parser.parse_args().archives:
            extract(archive, FOLDER)
    except PoserError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
