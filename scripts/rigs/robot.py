"""A character of another make for pictures and tests: `python -m scripts.rigs.robot robot.glb [--look PICTURE]`.

A robot of hard parts with Mixamo's joint names, long arms and short legs, bound with lowered arms, in colours of its
own; its head hangs from a joint without being skinned.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import script_parser
from solver.formats.mesh.glb import INDICES, VERTICES, GlbBuffer
from solver.formats.mesh.material import linear
from solver.kinematics.rotations import from_rotation_vector, to_quaternion_xyzw

Array = NDArray[np.float64]
SHELL, DARK, ACCENT, GLASS = "#e8e4da", "#3b4048", "#d9772b", "#37b6c9"
PREFIX = "mixamorig:"
LOWERED = np.radians(35.0)  # the arms, as bound


class _Joint(NamedTuple):
    """above: the joint that carries it. place: metres, as bound in a T-pose."""

    above: str
    place: tuple[float, float, float]


class _Part(NamedTuple):
    """A rounded block. joint: which carries it. middle, half: metres, in the T-pose. square: 1 round, 0 a box."""

    joint: str
    middle: tuple[float, float, float]
    half: tuple[float, float, float]
    color: str
    square: float = 0.45


_SPINE = {
    "Root": _Joint("", (0.0, 0.0, 0.0)),
    "Hips": _Joint("Root", (0.0, 0.86, 0.0)),
    "Spine": _Joint("Hips", (0.0, 0.96, 0.0)),
    "Spine1": _Joint("Spine", (0.0, 1.08, 0.0)),
    "Spine2": _Joint("Spine1", (0.0, 1.20, 0.0)),
    "Neck": _Joint("Spine2", (0.0, 1.42, 0.0)),
    "Head": _Joint("Neck", (0.0, 1.50, 0.01)),
}
_SIDE = {
    "UpLeg": _Joint("Hips", (0.11, 0.82, 0.0)),
    "Leg": _Joint("UpLeg", (0.11, 0.46, 0.005)),
    "Foot": _Joint("Leg", (0.11, 0.10, -0.02)),
    "ToeBase": _Joint("Foot", (0.11, 0.03, 0.12)),
    "Shoulder": _Joint("Spine2", (0.05, 1.36, 0.0)),
    "Arm": _Joint("Shoulder", (0.22, 1.36, 0.0)),
    "ForeArm": _Joint("Arm", (0.52, 1.36, -0.005)),
    "Hand": _Joint("ForeArm", (0.82, 1.36, 0.0)),
}
_BLOCKS = (
    _Part("Hips", (0.0, 0.86, 0.0), (0.15, 0.08, 0.10), DARK),
    _Part("Spine", (0.0, 0.98, 0.0), (0.10, 0.08, 0.08), DARK, 0.8),
    _Part("Spine1", (0.0, 1.08, 0.0), (0.12, 0.07, 0.09), DARK, 0.8),
    _Part("Spine2", (0.0, 1.27, 0.01), (0.20, 0.14, 0.13), SHELL),
    _Part("Spine2", (0.0, 1.29, 0.13), (0.07, 0.05, 0.02), GLASS, 0.6),
    _Part("Neck", (0.0, 1.45, 0.0), (0.05, 0.06, 0.05), DARK, 1.0),
)
_BLOCKS_LEFT = (
    _Part("UpLeg", (0.11, 0.80, 0.0), (0.09, 0.09, 0.09), ACCENT, 1.0),
    _Part("UpLeg", (0.11, 0.63, 0.0), (0.075, 0.15, 0.08), SHELL),
    _Part("Leg", (0.11, 0.46, 0.01), (0.06, 0.06, 0.065), ACCENT, 1.0),
    _Part("Leg", (0.11, 0.27, 0.0), (0.075, 0.16, 0.085), SHELL),
    _Part("Foot", (0.11, 0.055, 0.02), (0.06, 0.055, 0.11), DARK),
    _Part("ToeBase", (0.11, 0.04, 0.15), (0.058, 0.04, 0.06), ACCENT),
    _Part("Arm", (0.22, 1.36, 0.0), (0.085, 0.085, 0.085), ACCENT, 1.0),
    _Part("Arm", (0.38, 1.36, 0.0), (0.12, 0.055, 0.055), SHELL),
    _Part("ForeArm", (0.52, 1.36, 0.0), (0.05, 0.05, 0.05), ACCENT, 1.0),
    _Part("ForeArm", (0.67, 1.36, 0.0), (0.13, 0.065, 0.065), SHELL),
    _Part("Hand", (0.88, 1.36, 0.0), (0.07, 0.028, 0.05), DARK),
    _Part("Hand", (0.87, 1.345, 0.055), (0.04, 0.022, 0.025), DARK),
)
_HEAD = (
    _Part("Head", (0.0, 1.61, 0.02), (0.12, 0.11, 0.13), SHELL, 0.6),
    _Part("Head", (0.0, 1.62, 0.12), (0.09, 0.045, 0.04), GLASS, 0.5),
    _Part("Head", (0.125, 1.61, 0.02), (0.02, 0.05, 0.05), ACCENT, 0.6),
    _Part("Head", (-0.125, 1.61, 0.02), (0.02, 0.05, 0.05), ACCENT, 0.6),
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the file, and a picture of it if that is asked for."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--look", type=Path, metavar="PICTURE", help="draw it into a PNG file, too")
    asked = parser.parse_args(arguments)
    asked.file.write_bytes(robot_glb())
    if asked.look is not None:
        from app.document.exchange.open_file import open_file
        from app.document.model.document import Document
        from app.viewport.picture import save_picture
        from rendering.scene.style import Style

        edit = open_file(asked.file).edit
        assert edit is not None, "a rig is an edit"
        save_picture(asked.look, edit(Document()), (900, 900), style=Style("suit"))


def robot_glb(fine: int = 12) -> bytes:
    """The file's content. fine: steps from pole to equator of each part, 12 for 17,000 triangles."""
    joints = _joints()
    names = list(joints)
    turns = {name: _lowered(name) for name in names}
    bound = {name: turns[name] @ (np.array(joint.place) - pivot(name)) + pivot(name) for name, joint in joints.items()}
    buffer = GlbBuffer()
    nodes: list[dict[str, Any]] = [{"name": "Armature", "children": [1]}]
    for name in names:
        above = joints[name].above
        local = np.eye(3) if not above else turns[above].T @ turns[name]
        step = bound[name] - (bound[above] if above else 0.0)
        nodes.append(
            {
                "name": PREFIX + name,
                "translation": (step if not above else turns[above].T @ step).tolist(),
                "rotation": to_quaternion_xyzw(local).tolist(),
            }
        )
        below = [1 + place for place, other in enumerate(names) if joints[other].above == name]
        if below:
            nodes[-1]["children"] = below
    inverse = np.tile(np.eye(4), (len(names), 1, 1))
    for matrix, name in zip(inverse, names, strict=True):
        matrix[:3, :3] = turns[name].T
        matrix[:3, 3] = -turns[name].T @ bound[name]
    head = 1 + names.index("Head")
    nodes.append({"name": "helmet", "mesh": 1})
    nodes[head]["children"] = [*nodes[head].get("children", []), len(nodes) - 1]
    nodes.append({"name": "shell", "mesh": 0, "skin": 0})
    colors = (SHELL, DARK, ACCENT, GLASS)
    blocks = [part for part in _blocks() if part.joint in joints]
    content = {
        "asset": {"version": "2.0", "generator": "scripts.rigs.robot"},
        "scene": 0,
        "scenes": [{"nodes": [0, len(nodes) - 1]}],
        "nodes": nodes,
        "skins": [
            {
                "joints": [*range(1, 1 + len(names))],
                "inverseBindMatrices": buffer.add(np.swapaxes(inverse, 1, 2).reshape(-1, 16).astype(np.float32)),
            }
        ],
        "meshes": [
            {"primitives": [_primitive(buffer, blocks, color, fine, names) for color in colors]},
            {"primitives": [_primitive(buffer, _HEAD, color, fine) for color in (SHELL, ACCENT, GLASS)]},
        ],
        "materials": [
            {"name": color, "pbrMetallicRoughness": {"baseColorFactor": [*linear(color), 1.0]}} for color in colors
        ],
    }
    return buffer.file(content)


def pivot(name: str) -> Array:
    """(3,) metres: about which point a joint was lowered."""
    side = -1.0 if name.startswith("Right") else 1.0
    return np.array(_SIDE["Arm"].place) * [side, 1.0, 1.0]


def _lowered(name: str) -> Array:
    if not name.endswith(("Arm", "Hand")):
        return np.eye(3)
    return np.asarray(from_rotation_vector([0.0, 0.0, LOWERED if name.startswith("Right") else -LOWERED]))


def _joints() -> dict[str, _Joint]:
    joints = dict(_SPINE)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for name, (above, (x, y, z)) in _SIDE.items():
            joints[side + name] = _Joint(above if above in _SPINE else side + above, (sign * x, y, z))
    return joints


def _blocks() -> list[_Part]:
    both = [
        part._replace(joint=side + part.joint, middle=(sign * part.middle[0], *part.middle[1:]))
        for side, sign in (("Left", 1.0), ("Right", -1.0))
        for part in _BLOCKS_LEFT
    ]
    return [*_BLOCKS, *both]


def _primitive(
    buffer: GlbBuffer, parts: Sequence[_Part], color: str, fine: int, names: Sequence[str] | None = None
) -> dict[str, Any]:
    """The parts of one colour. names: of the joints that carry them; without them they are in the head's space."""
    mine = [part for part in parts if part.color == color]
    points, normals, faces = _block(fine)
    places, outward, carried = [], [], []
    for part in mine:
        half, power = np.array(part.half), part.square
        shaped = np.sign(points) * np.abs(points) ** power
        across = np.sign(normals) * np.abs(normals) ** (2 - power) / half
        turn = _lowered(part.joint) if names is not None else np.eye(3)
        about = pivot(part.joint) if names is not None else np.array(_SPINE["Head"].place)
        place = shaped * half + part.middle - about
        places.append(place @ turn.T + (about if names is not None else 0.0))
        outward.append(across @ turn.T / np.linalg.norm(across, axis=1, keepdims=True))
        carried += [names.index(part.joint)] * len(points) if names is not None else []
    attributes = {
        "POSITION": buffer.add(np.concatenate(places).astype(np.float32), VERTICES, bounds=True),
        "NORMAL": buffer.add(np.concatenate(outward).astype(np.float32), VERTICES),
    }
    if names is not None:
        joints = np.zeros((len(carried), 4), np.uint8)
        joints[:, 0] = carried
        attributes["JOINTS_0"] = buffer.add(joints, VERTICES)
        attributes["WEIGHTS_0"] = buffer.add(np.eye(4, dtype=np.float32)[np.zeros(len(carried), int)], VERTICES)
    all_faces = np.concatenate([faces + len(points) * number for number in range(len(mine))])
    return {
        "attributes": attributes,
        "indices": buffer.add(all_faces.astype(np.uint32).reshape(-1), INDICES),
        "material": (SHELL, DARK, ACCENT, GLASS).index(color),
    }


def _block(fine: int) -> tuple[Array, Array, NDArray[np.intp]]:
    """A ball of radius 1: points (V, 3), normals (V, 3), faces (F, 3), counter-clockwise from outside."""
    rings, steps = 2 * fine, 4 * fine
    down, round_ = np.meshgrid(np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, steps + 1), indexing="ij")
    points = np.stack([np.sin(down) * np.sin(round_), np.cos(down), np.sin(down) * np.cos(round_)], axis=-1)
    points = points.reshape(-1, 3)
    points[np.abs(points) < 1e-12] = 0.0
    first = (np.arange(rings)[:, None] * (steps + 1) + np.arange(steps)).ravel()
    a, b, c, d = first, first + steps + 1, first + steps + 2, first + 1
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return points, points.copy(), faces


if __name__ == "__main__":
    main()
