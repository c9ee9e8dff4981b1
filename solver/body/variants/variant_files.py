"""The files of variants, assets/body/NAME.npz, made by `python -m solver.body.build --variants`."""

from __future__ import annotations

from pathlib import Path

from solver.body.variants.packing import ARRAYS, unpacked
from solver.body.variants.rest import RestBody, Skin
from solver.errors import InputRefused
from solver.files.npz_file import read_npz
from solver.resources import resource_folder

FOLDER = resource_folder("assets", "body")
_REINSTALL = "Restore the folder assets/body, or make it again with python -m solver.body.build --variants"


def read_variant(name: str, gender: str, adult: RestBody, on: Skin, folder: Path = FOLDER) -> RestBody:
    """The rest of a variant of one gender, from its file. Raises InputRefused if that cannot be read."""
    path = folder / f"{name}.npz"
    if not path.exists():
        raise InputRefused(path, "this body file is missing", _REINSTALL)
    try:
        arrays = read_npz(path, [f"{gender}_{array}" for array in ARRAYS])
        return unpacked(adult, {array: arrays[f"{gender}_{array}"] for array in ARRAYS}, on)
    except InputRefused as error:
        raise InputRefused(path, error.reason, _REINSTALL, error.place) from error
    except (KeyError, ValueError) as error:
        raise InputRefused(path, f"this body file cannot be read ({error})", _REINSTALL) from error
