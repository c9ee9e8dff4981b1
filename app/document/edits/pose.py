"""Edits that pose a character as a whole: solutions, base pose, mirror, paste, motion. Each returns an edit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.model.actor import with_clip
from app.document.model.clip import Clip, Key, Preserve, SourceMotion
from app.document.model.combine import chain, on_character
from app.document.model.document import Character, Document
from app.document.model.figure import skeleton_of
from app.document.model.history import Edit
from app.document.posing import solving as problem
from app.document.posing.fingertips import with_hands
from app.document.posing.fitting_effectors import following, with_feet_as_it_lies
from app.document.posing.loose_effectors import carried_along
from app.document.posing.mirroring import mirrored
from app.document.posing.sources import with_resolved_targets
from solver.body.hands import HandMotion, Hands
from solver.effectors.effector import Effector
from solver.errors import PoserError
from solver.ik.solution import IKSolution
from solver.kinematics.pose import Motion, Pose
from solver.rig.fewer_joints import unbent_motion
from solver.rig.rig import rig_of

ROUNDING = 1e-5  # metres, and in entries of matrices
PLACE_OF_MOTION, SHAPE_OF_MOTION = 0.2, 0.5  # how firmly those are kept (scripts.motions.motion_edit_drags)


def with_solution(character_id: str, solution: IKSolution, asked: tuple[Effector, ...] = ()) -> Edit:
    """Fold in a solver's answer: the pose, loose effectors that follow, and targets that were found anew.

    asked: the effectors that were solved for.
    """

    def edit(document: Document) -> Document:
        return document.with_character(problem.with_solution(document.character(character_id), solution, asked))

    return edit


def show_pose(character_id: str, pose: Pose) -> Edit:
    """Show the character in a pose; loose effectors follow, and nothing else changes."""

    def change(character: Character) -> Character:
        effectors = carried_along(character.effectors, skeleton_of(character), character.pose, pose)
        return replace(character, pose=pose, effectors=effectors)

    return on_character(character_id, change)


def take_solution(character_id: str, solution: IKSolution) -> Edit:
    """Put the character into a pose that was found outside the solves of edits; its targets go where their sources then
    are."""

    def edit(document: Document) -> Document:
        posed = document.with_character(replace(document.character(character_id), pose=solution.pose))
        asked = with_resolved_targets(posed).character(character_id).effectors
        return with_solution(character_id, solution, asked)(document)

    return edit


def solve(character_id: str) -> Edit:
    """Solve the character here and now; for tests, files and the command line."""

    def edit(document: Document) -> Document:
        return document.with_character(problem.solved(document.character(character_id)))

    return edit


def set_pose(character_id: str, pose: Pose) -> Edit:
    """Put the character into `pose`, which becomes its base pose; effectors follow."""

    def change(character: Character) -> Character:
        _check_joints(character, len(pose.rotations))
        return following(character, pose)

    return on_character(character_id, change)


def set_reading(character_id: str, pose: Pose, joint: str) -> Edit:
    """Put the character into `pose`, where the user chose how a joint's arm or leg goes in depth; that is settled."""

    def change(character: Character) -> Character:
        from solver.ik.multi_solve.depth_readings import limb_at  # only once it is asked for

        limb, sighting = limb_at(rig_of(skeleton_of(character)), joint), character.sighting
        if limb is None or sighting is None or limb.hinge in sighting.decided:
            return character
        return replace(character, sighting=replace(sighting, decided=(*sighting.decided, limb.hinge.value)))

    return chain(set_pose(character_id, pose), on_character(character_id, change))


def set_turned_round(character_id: str, pose: Pose) -> Edit:
    """Put the character into `pose`, in which left and right are exchanged within the outline that the photo shows.

    What networks saw of it in its own photo is exchanged too, so that it still belongs to the limb that was seen. So is
    how its fingers are held, unless something is touched or held.
    """

    def hands(character: Character) -> Character:
        held = character.hands
        if held is None or any(effector.source is not None for effector in character.effectors):
            return character
        return with_hands(character, held.mirrored())

    def change(document: Document) -> Document:
        from solver.photo.sighting import turned_round  # only once it is asked for

        character = document.character(character_id)
        seen = character.sighting
        if seen is None or character.frame or all(photo.sha256 != seen.photo for photo in document.photos):
            return document
        return document.with_character(replace(character, sighting=turned_round(seen)))

    return chain(set_pose(character_id, pose), on_character(character_id, hands), change)


def set_current_as_base(character_id: str) -> Edit:
    """Make the present pose the base pose."""
    return on_character(character_id, lambda c: replace(c, base_pose=c.pose))


def reset_to_base(character_id: str) -> Edit:
    """Go back to the base pose; effectors and what hands are around follow."""
    return _held_along(character_id, on_character(character_id, lambda c: following(c, c.base_pose)))


def mirror_pose(character_id: str) -> Edit:
    """Exchange left and right where the character stands: pose, base pose, effectors and preserved joints.

    What its hands are around goes along.
    """

    def edit(document: Document) -> Document:
        if all(e.source is None for k in document.actor(character_id).clip.keys for e in k.effectors):
            return on_character(character_id, mirrored)(document)
        from app.document.posing.holds.mirrored_holds import mirrored_with_held  # not needed to show the window

        return mirrored_with_held(document, character_id)

    return edit


def copy_side(character_id: str, joints: frozenset[str]) -> Edit:
    """Pose joints like those of the other side, and hold them as those are held (see posing.sides)."""
    from app.document.posing.sides import copied_across  # not needed to show the window

    return on_character(character_id, lambda c: copied_across(c, joints))


def mirror_joints(character_id: str, joints: frozenset[str]) -> Edit:
    """Exchange left and right at joints of both sides; effectors there change sides too."""
    from app.document.posing.sides import exchanged

    return on_character(character_id, lambda c: exchanged(c, joints))


def paste_pose(character_id: str, source: Character, flipped: bool = False) -> Edit:
    """Take over the pose of `source` (a character as it was when copied), left and right exchanged if `flipped`.

    The character stays where it stands on the floor; the pelvis's height follows the bodies' proportions. Its hands are
    held as those of `source`, if that says how; one that is around something stays so, and takes it along. Somebody in
    that very pose already, with effectors that ask for nothing else, stays as they are: at a frame that gets no key.
    """
    giver = mirrored(source) if flipped else source

    def change(character: Character) -> Character:
        _check_joints(character, len(giver.pose.rotations))
        scale = float(skeleton_of(character).offsets[0][1] / skeleton_of(giver).offsets[0][1])
        root = np.array(character.pose.root_position)
        root[1] = giver.pose.root_position[1] * scale
        pasted = following(with_hands(character, giver.hands or character.hands), Pose(root, giver.pose.rotations))
        return character if _looks_like(pasted, character) else with_feet_as_it_lies(pasted, character.pose)

    return _held_along(character_id, on_character(character_id, change))


def _looks_like(character: Character, other: Character) -> bool:
    """Whether body, fingers and effectors are where those of the other are, but for rounding."""
    poses = character.pose, other.pose
    pairs = [tuple(p.root_position for p in poses), tuple(p.rotations for p in poses)]
    pairs += [(a.target, b.target) for a, b in zip(character.effectors, other.effectors, strict=True)]
    return character.hands == other.hands and all(np.allclose(a, b, rtol=0.0, atol=ROUNDING) for a, b in pairs)


def taking_held_along(before: Document, after: Document, character_id: str) -> Document:
    """`after`, in which the character has taken another pose than `before`, with what its hands are around; contacts
    with what is no longer there are let go of."""
    if all(effector.source is None for effector in before.character(character_id).effectors):
        return after
    from app.document.posing.holds.taken_poses import with_held_along  # not needed to show the window

    return with_held_along(before, after, character_id)


def import_motion(
    character_id: str, motion: Motion, frame: int = 0, hands: Hands | HandMotion | None = None, recorded: bool = False
) -> Edit:
    """Give the character a motion, in place of its clip, and look at one of its frames; effectors follow.

    hands: how it holds its fingers meanwhile, one way or frame by frame; None: as it holds them now.
    recorded: whether it is a take.
    """

    def edit(document: Document) -> Document:
        character = document.character(character_id)
        _check_joints(character, motion.rotations.shape[1])
        drawn = unbent_motion(skeleton_of(character), motion)
        source = SourceMotion(drawn, character.shape, hands or character.hands, recorded=recorded)
        first = following(with_hands(character, source.hands_at(0)), drawn.pose(0))
        key = Key(0, first.pose, first.base_pose, first.effectors, first.preserve, hands=first.hands)
        clip = Clip((key,), source, fps=motion.fps)
        return document.with_character(with_clip(character, clip, frame))

    return edit


def adopt_motion(
    character_id: str, motion: Motion, frame: int = 0, hands: Hands | HandMotion | None = None, recorded: bool = False
) -> Edit:
    """Like `import_motion`, for a motion that was opened or recorded: its places and its shape are kept a little.

    So an edit leaves what is not posed much as it was; not so firmly that handles fall short. Only where nothing is
    kept so far.
    """

    def keep(character: Character) -> Character:
        clip, kept = character.clip, character.preserve
        if len(clip) == 1 or kept.place or kept.shape:
            return character
        every = frozenset(skeleton_of(character).names)
        return replace(character, preserve=Preserve(PLACE_OF_MOTION, every, every, SHAPE_OF_MOTION))

    def kept(document: Document) -> Document:
        first = document.at_frame(character_id, 0)
        changed = on_character(character_id, keep)(first)
        return document if changed is first else changed.at(document.frames)

    return chain(import_motion(character_id, motion, frame, hands, recorded), kept)


def remove_key(character_id: str) -> Edit:
    """Take back what was posed at the frame looked at, which then shows what it would without a key."""
    return on_character(character_id, lambda c: with_clip(c, c.clip.without_key(c.frame), c.frame))


def _held_along(character_id: str, posed: Edit) -> Edit:
    return lambda document: taking_held_along(document, posed(document), character_id)


def _check_joints(character: Character, joints: int) -> None:
    expected = len(skeleton_of(character))
    if joints != expected:
        raise PoserError(f"The pose has {joints} joints, “{character.name}” has {expected}.")
