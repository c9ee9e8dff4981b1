"""Write another program's file as a scene: a BVH or GLB file, an SMPL motion (.npz), a pose JSON, or the
people that a pose estimator saw (4D-Humans, ROMP, BEV, SAM 3D Body, SMPL parameters, OpenPose and COCO key points).
With --onto, write a character of your own again, with its own skin, in the pose or motion of one of the file's people.

docs/estimates.md says which estimators' files are read. A picture beside the file with the same name comes along. To
find the people in a photo itself, use the command “photo”.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from app.cli.onto import check_usage, write_onto
from solver.errors import InputRefused

SHAPE_ESTIMATORS = ("least-squares", "smpl-si")  # as in solver.body.shape_fit, which takes a while to load
# Kinds of files whose picture is named in them or that have none, and those whose joints are known.
_WITHOUT_PICTURE = ("bvh", "glb", "mesh", "scene", "pose", "label")
_WITHOUT_RIG = ("estimate", "json", "npz", "mesh", "scene", "pose", "label")
EPILOG = """\
examples:
  python main.py convert walk.bvh -o walk.json
  python main.py convert team_keypoints.json -o team.json --picture team.jpg
  python main.py convert robot.glb -o robot.json --joint-map robot_joints.json
  python main.py convert walk.bvh -o walking.glb --onto robot.glb --joint-map robot_joints.json
  python main.py convert tracks.pkl -o tracks.json --shape-by smpl-si
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", metavar="FILE", help="the file to read")
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="the scene file to write, or the character"
    )
    parser.add_argument(
        "--picture",
        metavar="IMAGE",
        type=Path,
        help="the picture that an estimate was made from, of a COCO file one of its pictures",
    )
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
    """Read the file and save the scene."""
    from app.cli.main import PROGRAM
    from app.cli.open import bodies_of, body_id
    from app.cli.scene_files import check_option_means, check_scene_output
    from app.document.exchange.open_file import EXCHANGED, open_file
    from app.document.model.document import Document
    from app.document.scene_file.io import save_scene
    from app.document.scene_file.own_files import check_not_own_files
    from solver.body.catalog import DEFAULT_BODY
    from solver.files.same_file import same_file
    from solver.rig.joint_map_file import NO_MAPS, read_joint_map

    check_usage(args, ["character"])
    read = {Path(args.file): "the file to convert"}
    if args.picture is not None:
        read[args.picture] = "the picture of the estimate"
    if args.onto is None:
        check_scene_output(args.output, read)
    else:
        check_not_own_files([Path(args.output)], read)
    if args.picture is not None:
        check_option_means("--picture", Path(args.file), _WITHOUT_PICTURE)
    if args.joint_map is not None and args.onto is None:
        check_option_means("--joint-map", Path(args.file), _WITHOUT_RIG)
    body = body_id(args) or DEFAULT_BODY
    maps = NO_MAPS if args.joint_map is None else read_joint_map(args.joint_map)
    of_file = args.onto is None or same_file(Path(args.file), Path(args.onto))
    opened = open_file(
        args.file, body=body, bodies=bodies_of(args), shape_by=args.shape_by, picture=args.picture,
        joint_maps=maps if of_file else NO_MAPS,
    )  # fmt: skip
    if opened.photo is not None:
        raise InputRefused(args.file, "is a photo", "Use “python main.py photo” to find its people")
    if opened.prop is not None:
        raise InputRefused(args.file, "is a mesh without people", "Drop it onto the window to add it as a prop")
    document = opened.document if opened.edit is None else opened.edit(Document())
    assert document is not None, "a file is a scene, an edit or a photo"
    if args.onto is not None:
        wrote = write_onto(args, document, maps, args.file, whole_motion=True)
        if not args.quiet:
            print(wrote)
        return 0
    save_scene(args.output, document)
    if EXCHANGED in opened.hint:
        print(f"{PROGRAM}: {Path(args.file).name}: {EXCHANGED}", file=sys.stderr)
    if not args.quiet:
        people = len(document.characters)
        print(opened.report or ("1 person" if people == 1 else f"{people} people"))
        print(f"Wrote {args.output}.")
    return 0
