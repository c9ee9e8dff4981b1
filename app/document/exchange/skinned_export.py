"""Exports of people with skeleton and skin, to be posed and animated further in other programs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from app import __version__
from app.document.exchange.export import Before, files_for, one_after_another
from app.document.model.document import Character
from app.document.model.figure import body_of
from app.document.over_time.shown_motion import shown_motion, shown_turns
from app.look.figure_colors import SKIN_TONE, SUIT_COLOR
from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, origin_of
from solver.body.hands import skin_with
from solver.body.kept_volume import with_volume_kept
from solver.body.whole_rig import as_whole_motion, as_whole_pose
from solver.formats.mesh.mesh_file import PlacedMesh
from solver.formats.mesh.skinned_glb import Part, SkinnedFigure, write_skinned_glb
from solver.formats.told import Told

Colors = tuple[str, str]


def export_skinned(
    path: str | os.PathLike[str],
    characters: Sequence[Character],
    colors: Colors = (SKIN_TONE, SUIT_COLOR),
    names: str = "smpl",
    whole_motion: bool = False,
    fingers: bool = False,
    things: Sequence[PlacedMesh] = (),
    before: Before = lambda file: None,
    together: bool = True,
) -> list[Path]:
    """Write the characters as GLB, each bound in the T-pose, in the pose shown; return the files.

    Bent joints keep their volume by a morph target made for the pose shown; people who move have only the rest skin.

    colors: of skin and suit, "#rrggbb". names: "smpl", "humanik" or "mixamo". whole_motion: with an animation of all
    frames for people who move. fingers: joints for jaw, eyes and fingers as well, if the body has them. things: props,
    in the first file. together: all of them in one file, rather than one for each as `files_for` names them.
    """
    files = [Path(path)] if together else files_for(Path(path), characters)
    with one_after_another(files):
        for number, file in enumerate(files):
            before(file)
            people, beside = characters if together else (characters[number],), () if number else things
            figures = [figure_of(person, colors, whole_motion, fingers) for person in people]
            write_skinned_glb(file, figures, names, f"Contrapposto {__version__}", beside)
    return files


def figure_of(character: Character, colors: Colors, whole_motion: bool, fingers: bool) -> SkinnedFigure:
    """The character as it is written."""
    body, shape = body_of(character), character.shape
    pose, motion = character.pose, shown_motion(character) if whole_motion else None
    skeleton, weights, rest = body.skeleton(shape), body.weights, skin_with(body, shape, character.hands)
    if fingers:
        skeleton, weights = body.whole_rig(shape), body.whole_weights
        rest, pose = body.vertices(shape), as_whole_pose(skeleton, pose, shown_turns(character, motion=False))
        motion = motion and as_whole_motion(skeleton, motion, shown_turns(character, motion=True))
    kept = rest if motion else with_volume_kept(body, shape, character.pose, rest)
    shown = None if kept is rest else kept
    told = Told(shape, character.body) if origin_of(body.id) == DEFAULT_BODY else None
    return SkinnedFigure(character.name, skeleton, rest, weights, _parts(body, colors), pose, motion, shown, told)


def _parts(body: Body, colors: Colors) -> tuple[Part, ...]:
    """Skin and suit; a face belongs to the one that most of it is."""
    clothed = body.suit_mask[body.faces].mean(axis=1) > 0.5
    parts = (Part("skin", colors[0], body.faces[~clothed]), Part("suit", colors[1], body.faces[clothed]))
    return tuple(part for part in parts if np.size(part.faces))
