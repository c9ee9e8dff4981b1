"""Write the poses of a scene as BVH, pose JSON, AMASS's .npz, a mesh (GLB, OBJ, STL), a picture (PNG) or a film of its
motions (GIF, MP4); the suffix of the file decides.

BVH, .npz, OBJ and STL files take one character each: several become out_Anna.bvh, out_Ben.bvh and so on.
Meshes are in metres, Y up. A GLB file holds everybody's skin and skeleton, bound in the T-pose, in the pose shown; OBJ
and STL hold the posed skin alone. The scene's props are in the first of these files, each under its name; BVH, .npz and
pose JSON cannot hold them. “render” has more options for pictures and films.
With --onto, one person's pose goes back onto a character of your own: its file is written again with its own skin.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.cli.looks import RANGE_HELP, frame_range
from app.cli.onto import check_usage, tell_of_frames_left, tell_of_own_skins, write_onto

if TYPE_CHECKING:
    from pathlib import Path

    from app.document.model.document import Document
    from solver.formats.mesh.mesh_file import PlacedMesh

EPILOG = """\
examples:
  python main.py export scene.json -o out.bvh                             for Blender: metres, SMPL names
  python main.py export scene.json -o out.bvh --unit cm --names humanik   for MotionBuilder
  python main.py export scene.json -o anna.bvh --character Anna --motion
  python main.py export scene.json -o part.bvh --motion --range 10-40     frames 10 to 40 of the timeline
  python main.py export scene.json -o poses.json                          with --motion also every frame
  python main.py export scene.json -o walk.npz --character Anna --motion  as AMASS has it: SMPL-H, Z up
  python main.py export scene.json -o fight.glb --motion                  everybody and the props, as one animation
  python main.py export scene.json -o out.glb --motion --separate         out_Anna.glb, out_Ben.glb
  python main.py export scene.json -o posed.glb --character Anna --onto robot.glb    your robot, posed as Anna
"""


# Which options mean something for which formats; all may be given where they do nothing but say what is done anyway.
_WHOLE_MOTIONS = ("bvh", "json", "npz", "glb")
_ANIMATED = (*_WHOLE_MOTIONS, "gif", "mp4")
_FOR = {
    "names": ("bvh", "glb"), "unit": ("bvh",), "fingers": ("bvh", "glb"), "motion": _ANIMATED,
    "no-props": ("glb", "obj", "stl"), "static": ("glb",), "separate": ("glb",),
}  # fmt: skip


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("scene", metavar="SCENE", help="the scene file")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the file to write")
    formats = ("bvh", "json", "npz", "png", "gif", "mp4", "glb", "obj", "stl")
    parser.add_argument("--format", choices=formats, help="the format, if the suffix does not say it")
    parser.add_argument(
        "--character", metavar="NAME", action="append", default=[], help="only this character (may be repeated)"
    )
    parser.add_argument(
        "--names", choices=("smpl", "humanik", "mixamo"), help="BVH, GLB: joint names (default: smpl)"
    )  # fmt: skip
    parser.add_argument("--unit", choices=("m", "cm"), help="BVH: unit of length (default: m)")
    parser.add_argument("--fingers", action="store_true", help="BVH, GLB: jaw, eyes and fingers as well")
    parser.add_argument(
        "--motion", action="store_true",
        help="BVH, JSON, .npz, GLB, --onto: all frames of a motion, not only the one shown",
    )  # fmt: skip
    parser.add_argument(
        "--range", metavar="A-B", type=frame_range, help=f"with --motion, GIF, MP4: {RANGE_HELP}"
    )  # fmt: skip
    parser.add_argument(
        "--no-props", action="store_true", help="GLB, OBJ, STL: people alone, without the scene's props"
    )
    parser.add_argument("--static", action="store_true", help="GLB: the posed skin alone, without a skeleton")
    parser.add_argument(
        "--separate", action="store_true", help="GLB: a file for each character, instead of one for all of them"
    )
    parser.add_argument(
        "--onto", metavar="CHARACTER", help="a BVH, GLB, glTF or VRM file of yours: write it again, posed as one person"
    )
    parser.add_argument(
        "--joint-map", metavar="FILE", help="with --onto: which joint of it is which (JSON, docs/joint-maps.md)"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors and warnings")


def run(args: argparse.Namespace) -> int:
    """Load the scene and export it."""
    from app.document.exchange.export import chosen_characters, format_of, placed_props
    from app.document.over_time.in_betweens import document_completed
    from solver.formats.mesh.mesh_file import MESH_FORMATS

    check_usage(args, ["joint-map"], ["format", "names", "unit", "fingers", "no-props", "static", "separate"])
    kind = "" if args.onto is not None else format_of(args.output, args.format)
    _check_options(args, kind)
    document = _scene(args, kind)
    if args.onto is not None:
        return _export_onto(args, document)
    document = document_completed(document)
    things = placed_props(document, args.motion) if kind in MESH_FORMATS and not args.no_props else ()
    alone = bool(things) and not document.characters and not args.character
    characters = () if alone else chosen_characters(document, args.character, args.scene)
    for file in _write(args, kind, document.with_characters(characters), things):
        if not args.quiet:
            print(f"Wrote {file}.")
    if kind in MESH_FORMATS:
        tell_of_own_skins(characters)
    if kind in _WHOLE_MOTIONS and not (args.motion or args.static):
        tell_of_frames_left(characters)
    return 0


def _check_options(args: argparse.Namespace, kind: str) -> None:
    """Stops where an option means nothing for the format. kind: the format's id, "" for a character of the user's."""
    from app.cli.main import stop
    from app.film.film_file import MOVING

    for option, formats in _FOR.items() if kind else ():
        given = getattr(args, option.replace("-", "_"))
        if given and kind not in formats:
            stop(f"--{option} means nothing for {kind}, only for {', '.join(formats)}")
        if given and args.static and option in ("names", "fingers", "motion"):
            stop(f"--{option} does not go with --static, which writes the posed skin alone")
    if args.range is not None and not (kind in MOVING or _is_of_motion(args, kind)):
        stop("--range needs --motion with BVH, JSON, .npz and GLB; of the others, only films (GIF, MP4) have frames")


def _is_of_motion(args: argparse.Namespace, kind: str) -> bool:
    """Whether all frames of a motion are written, not as a film."""
    return bool(args.motion and kind in ("", *_WHOLE_MOTIONS) and not args.static)


def _scene(args: argparse.Namespace, kind: str) -> Document:
    """The scene, cut to the frames that are asked for, unless those are a film's."""
    from pathlib import Path

    from app.cli.open import bodies_of
    from app.cli.scene_files import scene_named, span_of
    from app.document.exchange.export import chosen_characters
    from app.document.over_time.in_betweens import document_completed
    from app.document.over_time.retiming.cut import cut_to
    from app.document.scene_file.own_files import check_not_own_files, own_files

    document = scene_named(args.scene, bodies_of(args))
    check_not_own_files([Path(args.output)], own_files(document, Path(args.scene)))
    if args.range is None or not _is_of_motion(args, kind):
        return document
    asked = chosen_characters(document, args.character, args.scene)[0].id if args.character else ""
    return cut_to(document_completed(document), *span_of(args.range, document, asked, args.scene))


def _export_onto(args: argparse.Namespace, document: Document) -> int:
    """Write the user's own character again, posed as one person of the scene."""
    from app.document.exchange.export import chosen_characters
    from solver.rig.joint_map_file import NO_MAPS, read_joint_map

    maps = NO_MAPS if args.joint_map is None else read_joint_map(args.joint_map)
    written = write_onto(args, document, maps, args.scene, args.output, args.motion)
    if not args.quiet:
        print(written)
    if not args.motion:
        tell_of_frames_left(chosen_characters(document, args.character, args.scene)[:1])
    return 0


def _write(args: argparse.Namespace, kind: str, document: Document, things: Sequence[PlacedMesh]) -> Sequence[Path]:
    """Write the document's people, and props as things, in a format; the files that came of it."""
    from app.document.exchange import export

    people, names = document.characters, args.names or "smpl"
    match kind:
        case "bvh":
            return export.export_bvh(args.output, people, names, args.unit or "m", args.motion, args.fingers)
        case "glb" if people and not args.static:
            from app.document.exchange.skinned_export import export_skinned

            how = {"names": names, "whole_motion": args.motion, "fingers": args.fingers, "together": not args.separate}
            return export_skinned(args.output, people, **how, things=things)
        case "glb" | "obj" | "stl":
            return export.export_meshes(args.output, people, kind, things)
        case "npz":
            return export.export_smpl(args.output, people, args.motion)
        case "json":
            return [export.export_pose_json(args.output, document, args.motion)]
        case "png":
            from app.viewport.picture import save_picture

            return [save_picture(args.output, document)]
    from app.cli.scene_files import span_of
    from app.cli.streams import show_progress
    from app.film.film import Film
    from app.viewport.film_drawing import save_film

    film = Film() if args.range is None else Film(span=span_of(args.range, document, "", args.scene))
    return [save_film(args.output, document, film, progress=(lambda share: None) if args.quiet else show_progress)]
