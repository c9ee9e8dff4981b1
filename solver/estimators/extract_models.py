"""`python -m solver.estimators.extract_models ARCHIVE ...`: takes the BlazePose models out of their packages again.

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
from solver.estimators.models import FOLDER, MODELS, PACKAGE, WHEEL, check
from solver.formats.atomic import write_bytes

_BROKEN = (OSError, EOFError, KeyError, RuntimeError, zlib.error, zipfile.BadZipFile, tarfile.TarError)


def extract(archive: Path, folder: Path) -> None:
    """Write every model that came in this archive into `folder`; InputRefused when it is another."""
    try:
        models = _of_wheel(archive) if zipfile.is_zipfile(archive) else _of_package(archive)
    except FileNotFoundError as error:
        raise InputRefused(archive, "there is no such file") from error
    except _BROKEN as error:
        raise InputRefused(archive, f"this is neither {WHEEL} nor {PACKAGE} ({error})") from error
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
    parser = argparse.ArgumentParser(prog="python -m solver.estimators.extract_models", description=__doc__)
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
