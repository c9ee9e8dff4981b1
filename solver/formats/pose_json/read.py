"""Reading pose JSON: every number is checked, and every refusal names the key path."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from solver.body.body import GENDERS, SHAPE_COMPONENTS, SHAPE_LIMIT, BodyShape
from solver.body.hands import HandMotion, Hands
from solver.body.whole_rig import FINGER_JOINTS
from solver.camera import PinholeCamera
from solver.files.json_checks import Node
from solver.formats.pose_json.effector_json import effector_from_json
from solver.formats.pose_json.motion_json import hands_from_json, motion_from_json
from solver.formats.pose_json.pose_file import PoseFile, PosePerson, PosePhoto
from solver.formats.pose_json.rotation_json import quaternion_from_json
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import SMPL_JOINTS, Skeleton
from solver.sentences import counted
from solver.size_limits import FARTHEST_M, FARTHEST_ROOT_M, MAX_ALL_EFFECTORS, MAX_EFFECTORS, MAX_JOINTS, MAX_PEOPLE

FORMAT = "contrapposto-pose"
VERSION = 1
LONGEST_NAME, LONGEST_TAG, MOST_TAGS = 200, 60, 50
LONGEST_BODY = 1000  # characters: the id of a body in other proportions says where its joints are
CONVENTIONS = {"units": "m", "up": "+Y", "forward": "+Z", "handedness": "right", "quaternion": "xyzw"}


def pose_file_from_json(top: Node) -> PoseFile:
    """The content of a parsed pose file; InputRefused otherwise. What a newer minor version adds is left out."""
    check_version(top)
    for key, wanted in CONVENTIONS.items():
        if (value := top.get(key)) and value.value != wanted:
            value.refuse(f"is not “{wanted}”, the only one that this format knows", "Convert the file")
    people = tuple(_person(node) for node in top["people"].items(MAX_PEOPLE))
    if sum(len(person.effectors) for person in people) > MAX_ALL_EFFECTORS:
        top["people"].refuse(f"have more than {MAX_ALL_EFFECTORS:,} effectors in total", "Leave some out")
    camera, photo = top.get("camera"), top.get("photo")
    return PoseFile(
        people,
        _camera(camera) if camera else None,
        PosePhoto(photo["sha256"].string(64), photo["relative_path"].string(4096)) if photo else None,
        *name_and_tags(top),
    )


def is_pose_file(top: Node) -> bool:
    """Whether this JSON says that it is a pose file."""
    return isinstance(top.value, dict) and top.value.get("format") == FORMAT


def check_version(top: Node) -> None:
    """InputRefused for what is not a pose file, or one of a newer version."""
    if not is_pose_file(top):
        top.refuse(f"is not a pose file: its “format” is not “{FORMAT}”", "Choose another file")
    version = top["version"].integer(1, 10**6)
    if version > VERSION:
        top["version"].refuse(f"is {version}, newer than this program knows ({VERSION})", "Update the program")


def name_and_tags(top: Node) -> tuple[str, tuple[str, ...]]:
    """What a library knows the file by; InputRefused if they are not texts, or too long or many."""
    name, tags = top.get("name"), top.get("tags")
    listed = tuple(tag.string(LONGEST_TAG) for tag in tags.items(MOST_TAGS)) if tags else ()
    return (name.string(LONGEST_NAME) if name else ""), listed


def _person(node: Node) -> PosePerson:
    body = node["body"]
    skeleton = _skeleton(body)
    effectors = node.get("effectors")
    base_pose = node.get("base_pose")
    motion, frame = motion_from_json(frames, skeleton.names) if (frames := node.get("motion")) else (None, 0)
    hands = _hands(fingers) if (fingers := node.get("hands")) else None
    moving = hands_from_json(over, len(motion)) if motion and frames and (over := frames.get("hands")) else None
    shown = moving.at(frame) if isinstance(moving, HandMotion) else moving or hands
    return PosePerson(
        name=name.string() if (name := node.get("name")) else "",
        skeleton=skeleton,
        pose=_pose(node, skeleton),
        id=value.string(limit=200) if (value := node.get("id")) else "",
        body=model.string(limit=LONGEST_BODY) if (model := body.get("model")) else "custom",
        shape=_shape(body),
        effectors=tuple(effector_from_json(e, skeleton.names) for e in effectors.items(MAX_EFFECTORS))
        if effectors
        else (),
        base_pose=_pose(base_pose, skeleton) if base_pose else None,
        motion=motion,
        frame=frame,
        hands=shown,
        moving_hands=moving if isinstance(moving, HandMotion) else None,
    )


def _hands(node: Node) -> Hands:
    """Fingers that are not named are at rest; other names are left out."""
    turned = {name: quaternion_from_json(node[name]) for name in FINGER_JOINTS if name in node}
    return Hands(np.array([turned.get(name, np.eye(3)) for name in FINGER_JOINTS], np.float32))


def _shape(body: Node) -> BodyShape:
    gender = node.choice(GENDERS) if (node := body.get("gender")) else "neutral"
    betas = node.vector(SHAPE_COMPONENTS, SHAPE_LIMIT) if (node := body.get("betas")) else np.zeros(SHAPE_COMPONENTS)
    return BodyShape(betas.astype(np.float32), gender)


def _skeleton(body: Node) -> Skeleton:
    joints = dict(body["rest_joints"].entries(MAX_JOINTS))
    if not joints:
        body["rest_joints"].refuse("has no joints")
    rest = {name: node.vector(3, FARTHEST_M) for name, node in joints.items()}
    parent_of = {name: _parent(body["parents"][name], joints) for name in joints}
    names = _parents_first(body["parents"], parent_of)
    place = {name: j for j, name in enumerate(names)}
    parents = [place[parent] if (parent := parent_of[name]) is not None else -1 for name in names]
    offsets = np.array([rest[n] - (rest[names[p]] if p >= 0 else 0) for n, p in zip(names, parents, strict=True)])
    return Skeleton(names, tuple(parents), offsets.astype(np.float32))


def _parent(node: Node, joints: Collection[str]) -> str | None:
    if node.value is None:
        return None
    if node.string() not in joints:
        node.refuse(f"there is no joint named “{node.value[:60]}” in rest_joints")
    return node.string()


def _parents_first(node: Node, parent_of: Mapping[str, str | None]) -> tuple[str, ...]:
    """The joints in SMPL's order if they are SMPL's, else as listed but parents first: JSON keys have no order."""
    if sum(parent is None for parent in parent_of.values()) != 1:
        node.refuse("must have exactly one joint without a parent, the root")
    ordered: dict[str, None] = {}
    for joint in SMPL_JOINTS if set(parent_of) == set(SMPL_JOINTS) else parent_of:
        above: dict[str, None] = {}  # the joints on the way up that have no place yet
        name: str | None = joint
        while name is not None and name not in ordered:
            if name in above:
                node.refuse(f"form a circle at {name}")
            above[name] = None
            name = parent_of[name]
        ordered.update(dict.fromkeys(reversed(above)))
    return tuple(ordered)


def _pose(node: Node, skeleton: Skeleton) -> Pose:
    root, local = node["root"], node["local_rotations"]
    rotations = []
    for name in skeleton.names:
        # A hand-written file may give the root's rotation in one place only.
        in_root = name == skeleton.names[0] and name not in local
        rotations.append(quaternion_from_json(root["rotation"] if in_root else local[name]))
    return Pose(root["translation"].vector(3, FARTHEST_ROOT_M).astype(np.float32), np.array(rotations, np.float32))


def _camera(node: Node) -> PinholeCamera:
    width, height = (size.integer(1, 100_000) for size in _two(node["image_size"]))
    x, y = (value.number(-1e6, 1e6) for value in _two(node["principal_px"]))
    return PinholeCamera(
        position=node["position"].vector(3, FARTHEST_M).astype(np.float32),
        rotation=quaternion_from_json(node["rotation"]).astype(np.float32),
        focal_px=node["focal_px"].number(1e-3, 1e7),
        principal_px=(x, y),
        image_size=(width, height),
    )


def _two(node: Node) -> list[Node]:
    items = node.items()
    if len(items) != 2:
        node.refuse(f"has {counted(len(items), 'number')}, expected 2")
    return items
