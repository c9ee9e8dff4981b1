"""Write another program's file as a scene: a BVH or GLB file, an SMPL motion (.npz), a pose JSON, or the
people that a pose estimator saw (4D-Humans, ROMP, BEV, SAM 3D Body, SMPL parameters, OpenPose and COCO key points).
With --onto, write a character of your own again, with its own skin, in the pose or motion of one of the file's people.

Several files, or those of a folder (not of folders in it), become a file each in the folder that -o names, in place of
what is called so there. If one of them cannot be read, the others are written all the same, and the exit code is 1.

docs/estimates.md says which estimators' files are read. A picture beside the file with the same name comes along. To
find the people in a photo itself, use the command “photo”.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from functools import cache
from os.path import isdir  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.onto import check_usage, write_onto
from solver.errors import InputRefused, PoserError
from solver.sentences import counted

if TYPE_CHECKING:
    from solver.rig.joint_map_file import JointMaps

SHAPE_ESTIMATORS = ("least-squares", "smpl-si")  # as in solver.body.shape_fit, which takes a while to load
# Kinds of files whose picture is named in them or that have none, and those whose joints are known.
_WITHOUT_PICTURE = ("bvh", "glb", "mesh", "scene", "pose", "label")
_WITHOUT_RIG = ("estimate", "json", "npz", "mesh", "scene", "pose", "label")
NAMES_OF_FILES = (".json", ".bvh", ".glb", ".gltf", ".vrm")  # what is written is called so, and no folder is
EPILOG = """\
examples:
  python main.py convert walk.bvh -o walk.json
  python main.py convert team_keypoints.json -o team.json --picture team.jpg
  python main.py convert dance_mmpose.json -o pose.json --frame 120
  python main.py convert robot.glb -o robot.json --joint-map robot_joints.json
  python main.py convert walk.bvh -o walking.glb --onto robot.glb --joint-map robot_joints.json
  python main.py convert takes/*.bvh -o scenes
  python main.py convert openpose-output -o scenes
  python main.py convert tracks.pkl -o tracks.json --shape-by smpl-si
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", metavar="FILE", nargs="+", help="the file to read, several files, or a folder of them")
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True,
        help="the scene file to write, or the character; of several files, the folder to write them into",
    )  # fmt: skip
    parser.add_argument(
        "--picture",
        metavar="IMAGE",
        type=Path,
        help="the picture that an estimate was made from, of a COCO file one of its pictures",
    )
    parser.add_argument(
        "--frame", metavar="N", type=_frame,
        help="the frame of a film of key points in 2D, from 1 (default: the first with somebody in it)",
    )  # fmt: skip
    parser.add_argument(
        "--shape-by", choices=SHAPE_ESTIMATORS, default=SHAPE_ESTIMATORS[0],
        help=f"how the lengths of bones become a body shape (default: {SHAPE_ESTIMATORS[0]})",
    )  # fmt: skip
    parser.add_argument(
        "--joint-map", metavar="FILE",
        help="which joint of the file (with --onto: of the character) is which (JSON, docs/joint-maps.md)",
    )  # fmt: skip
    parser.add_argument(
        "--onto", metavar="CHARACTER", help="a BVH, GLB, glTF or VRM file of yours: write it again, posed as the file"
    )
    parser.add_argument(
        "--character", metavar="NAME", action="append", default=[],
        help="with --onto: the person in FILE whose pose or motion it is (default: the first)",
    )  # fmt: skip
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")


def run(args: argparse.Namespace) -> int:
    """Read the file and save the scene, or do so with each of several; 1 if one of those cannot be read or written."""
    from solver.rig.joint_map_file import NO_MAPS, read_joint_map

    check_usage(args, ["character"])

    @cache
    def maps() -> JointMaps:
        return NO_MAPS if args.joint_map is None else read_joint_map(args.joint_map)

    if folder := _folder(args):
        return _convert_each(args, folder, maps)
    for line in _convert(args, Path(args.file[0]), args.output, maps):
        _tell(args, line)
    return 0


def _folder(args: argparse.Namespace) -> Path | None:
    """The folder that the scenes go into; None where one file becomes one other. Stops as for wrong usage where several
    would become one."""
    from app.cli.main import stop
    from solver.files.atomic import STANDARD_OUTPUT

    output = Path(args.output)
    several = len(args.file) > 1 or isdir(args.file[0])
    if not several and not isdir(output) and not args.output.endswith(("/", os.sep)):
        return None
    if several and args.output in STANDARD_OUTPUT:
        stop("“-o -” takes one file; of several, -o names the folder to write them into")
    if several and output.suffix.lower() in NAMES_OF_FILES and not isdir(output):
        stop(f"of several files, -o names the folder to write them into, and {output.name} is the name of a file")
    if several and args.picture is not None:
        stop("--picture is of one file; beside several, a picture of the same name is taken")
    return output


def _convert_each(args: argparse.Namespace, folder: Path, maps: Callable[[], JointMaps]) -> int:
    """Convert one file after another into the folder; what cannot be is told on stderr, and the others are written."""
    from app.cli.failures import report_unexpected
    from app.cli.main import PROGRAM
    from app.cli.scene_files import files_meant, outputs_in
    from solver.files.atomic import make_folder

    files, left = files_meant([Path(name) for name in args.file], None if args.onto is None else Path(args.onto))
    outputs = outputs_in(folder, files, ".json" if args.onto is None else _suffix_of(Path(args.onto)))
    maps()  # what is wrong in it is told once, and before anything is done
    make_folder(folder, "Choose another folder")
    failed = 0
    for number, (file, output) in enumerate(zip(files, outputs, strict=True), start=1):
        try:
            lines = _convert(args, file, str(output), maps)
        except Exception as error:
            if getattr(args, "debug", False) or isinstance(error, BrokenPipeError):
                raise
            told = error if isinstance(error, PoserError) else f"{file}: {report_unexpected(error, [str(file)])}"
            print(f"{PROGRAM}: {told}", file=sys.stderr, flush=True)
            failed += 1
            continue
        _tell(args, f"{number} of {len(files)}  {file.name}")
        for line in lines:
            _tell(args, f"  {line}")
    more = f" {counted(left, 'other file')} in the folder skipped." if left else ""
    cannot = f"; {failed} could not be" if failed else ""
    _tell(args, f"{len(files) - failed} of {counted(len(files), 'file')} converted into {folder}{cannot}.{more}")
    return 1 if failed else 0


def _convert(args: argparse.Namespace, file: Path, output: str, maps: Callable[[], JointMaps]) -> list[str]:
    """Read one file and save its scene, or the character of --onto in its pose; what was read and written, in lines."""
    from app.cli.main import PROGRAM
    from app.cli.open import bodies_of, body_id
    from app.cli.scene_files import check_option_means, check_scene_output
    from app.document.exchange.open_file import EXCHANGED, open_file
    from app.document.model.document import Document
    from app.document.scene_file.io import save_scene
    from app.document.scene_file.own_files import check_not_own_files
    from solver.body.catalog import DEFAULT_BODY
    from solver.files.same_file import same_file
    from solver.rig.joint_map_file import NO_MAPS

    read = {file: "the file to convert"}
    if args.picture is not None:
        read[args.picture] = "the picture of the estimate"
    if args.onto is None:
        check_scene_output(output, read)
    else:
        check_not_own_files([Path(output)], read)
    if args.picture is not None:
        check_option_means("--picture", file, _WITHOUT_PICTURE)
    if args.frame is not None:
        check_option_means("--frame", file, (*_WITHOUT_PICTURE, "npz"))
    if args.joint_map is not None and args.onto is None:
        check_option_means("--joint-map", file, _WITHOUT_RIG)
    of_file = args.onto is None or same_file(file, Path(args.onto))
    opened = open_file(
        file, body=body_id(args) or DEFAULT_BODY, bodies=bodies_of(args), shape_by=args.shape_by, picture=args.picture,
        joint_maps=maps() if of_file else NO_MAPS, frame=args.frame,
    )  # fmt: skip
    if opened.photo is not None:
        raise InputRefused(file, "is a photo", "Use “python main.py photo” to find its people")
    if opened.prop is not None:
        raise InputRefused(file, "is a mesh without people", "Drop it onto the window to add it as a prop")
    document = opened.document if opened.edit is None else opened.edit(Document())
    assert document is not None, "a file is a scene, an edit or a photo"
    if args.onto is not None:
        return [write_onto(args, document, maps(), str(file), output, whole_motion=True)]
    save_scene(output, document)
    if EXCHANGED in opened.hint:
        print(f"{PROGRAM}: {file.name}: {EXCHANGED}", file=sys.stderr)
    people = len(document.characters)
    return [*(opened.report or ("1 person" if people == 1 else f"{people} people")).splitlines(), f"Wrote {output}."]


def _frame(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"“{text}” is not the number of a frame, counted from 1")
    return int(text)


def _suffix_of(character: Path) -> str:
    """How the name of a file ends that --onto writes for this character."""
    return ".bvh" if character.suffix.lower() == ".bvh" else ".glb"


def _tell(args: argparse.Namespace, line: str) -> None:
    if not args.quiet:
        print(line, flush=True)
