"""A clip in a scene file: its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.document.model.clip import LONGEST_EASE_S, STILL_FPS, WAYS, Clip, InBetween, Key, Preserve, SourceMotion
from app.document.model.placement import HERE, Placement
from app.document.posing.fitting_effectors import with_ids
from app.document.scene_file.fingers import FingerTurns
from app.document.scene_file.poses import POSE, SOURCE
from solver.errors import sentence
from solver.files.json_checks import Node
from solver.files.json_forms import Boolean, Choice, Context, Integer, JointSet, ListOf, Number, Numbers
from solver.files.json_record import Field, Record, Values, made_as
from solver.formats.motion_bounds import motion_fault
from solver.formats.pose_json.effector_json import EFFECTOR
from solver.kinematics.pose import Motion
from solver.rig.roles import LEGS
from solver.size_limits import FPS_RANGE, MAX_EFFECTORS, MAX_FRAMES


def _nothing(values: Mapping[str, Any]) -> tuple[()]:
    return ()


def _no_joints(values: Mapping[str, Any]) -> frozenset[str]:
    return frozenset()


PRESERVE = Record(
    "preserve",
    "What is kept of the base pose.",
    (
        Field("strength", Number(0, 1), "How firmly places are kept.", Preserve.strength),
        Field("place", JointSet(), "Joints that keep their place of the base pose.", _no_joints, default_doc="none"),
        Field(
            "shape",
            JointSet(),
            "Joints that keep their local rotation of the base pose.",
            _no_joints,
            default_doc="none",
        ),
        Field(
            "shape_strength",
            Number(0, 1),
            "How firmly local rotations are kept.",
            lambda values: values["strength"],
            default_doc="`strength`",
            quiet=True,
        ),
    ),
    made_as(Preserve),
)
KEY = Record(
    "key",
    "What was posed at one frame, in the clip's space.",
    (
        Field("frame", Integer(0, MAX_FRAMES), "The frame, counted from 0; each has one key at most.", 0),
        Field("pose", POSE, "The pose."),
        Field(
            "base_pose",
            POSE,
            "The pose to stay near.",
            lambda values: values["pose"],
            default_doc="the pose",
            quiet=True,
        ),
        Field(
            "effectors",
            ListOf(EFFECTOR, MAX_EFFECTORS, finish=with_ids),
            "What is asked of the joints.",
            _nothing,
            default_doc="none",
        ),
        Field("preserve", PRESERVE, "What is kept of the base pose.", lambda values: Preserve(), default_doc="nothing"),
        Field(
            "hands",
            FingerTurns(),
            "How the fingers are held there.",
            None,
            default_doc="as `hands` of the character says",
            quiet=True,
        ),
    ),
    made_as(Key),
    keeps=True,
)
PLACEMENT = Record(
    "placement",
    "How the clip's space lies in the world: first turned about the vertical, then shifted.",
    (
        Field("turn", Number(-7, 7), "Radians, from +Z to +X.", 0.0),
        Field("shift", Numbers(3), "Metres, x, y and z.", lambda values: (0.0, 0.0, 0.0), default_doc="none"),
    ),
    made_as(Placement),
)
IN_BETWEEN = Record(
    "in_between",
    "How the frames between keys come about.",
    (
        Field(
            "by",
            Choice(WAYS),
            "“solver”: effectors go along curves and every frame is solved; “joints”: the joints' rotations do.",
            InBetween.by,
        ),
        Field(
            "ease_s",
            Number(0, LONGEST_EASE_S),
            "Seconds over which what a key adds to a source motion fades where no other key adds anything.",
            InBetween.ease_s,
        ),
        Field(
            "contacts",
            Boolean(),
            "Whether feet that are planted in the source motion stay planted in what is solved.",
            InBetween.contacts,
        ),
        *(
            Field(
                f"free_{leg.side}",
                ListOf(Integer(0, MAX_FRAMES), MAX_FRAMES),
                f"First frames of the times at which the {leg.side} foot is planted but not held.",
                (),
                default_doc="none",
                quiet=True,
            )
            for leg in LEGS
        ),
        Field(
            "steps",
            Boolean(),
            "Whether feet that stand at two keys in different places step there, without a source motion.",
            InBetween.steps,
        ),
    ),
    made_as(InBetween),
)


def _clip(values: Values, node: Node, context: Context) -> Clip:
    if (packed := values["source"]) is not None:
        if fault := motion_fault(packed.root_positions, values["fps"]):
            node["source"]["root_positions"].refuse(sentence(fault.place, fault.reason), fault.way_out)
        motion = Motion(packed.root_positions, packed.rotations, values["fps"])
        source = values["source"] = SourceMotion(motion, packed.shape, *packed[3:])
        if fault := motion_fault(source.path, values["fps"]):
            node["source"]["stride"].refuse(sentence(fault.place, fault.reason), "Write a smaller one")
        values["fps"] = motion.fps
    return made_as(Clip)(values, node, context)  # type: ignore[no-any-return]


CLIP = Record(
    "clip",
    "Keys over an optional source motion. A key is shown at its frame as it is. Between two keys, what they add to "
    "the source motion (without one, the pose itself) follows a smooth curve. It fades towards a key that adds "
    "nothing, before the first key and after the last.",
    (
        Field("fps", Number(*FPS_RANGE), "Frames a second.", STILL_FPS),
        Field(
            "frames",
            Integer(1, MAX_FRAMES),
            "The least number of frames; a source motion or later keys make it longer.",
            Clip.frames,
            quiet=True,
        ),
        Field(
            "between",
            IN_BETWEEN,
            "How the frames between keys come about.",
            lambda values: InBetween(),
            default_doc="solved, without contacts",
            quiet=True,
        ),
        Field(
            "placement", PLACEMENT, "Where the clip stands.", lambda values: HERE, default_doc="where it is", quiet=True
        ),
        Field("source", SOURCE, "The motion under the keys.", None, quiet=True),
        Field("keys", ListOf(KEY, MAX_FRAMES), "At least one, in the order of their frames."),
    ),
    _clip,
    keeps=True,
)
