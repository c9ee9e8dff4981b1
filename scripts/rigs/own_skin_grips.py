"""How hands of the user's own character lie around what our body holds.

python -m scripts.rigs.own_skin_grips [SIZE …]

Our body takes a stick, a cup and a ball with the right hand. It is then drawn as a character like it, whose hands are
so many times as large (default: 0.8, 1, 1.2 and 1.4). Of that character's skin in millimetres: how far the five fingers
are from the thing at their nearest, the nearest and the farthest finger (below 0: within it), and how deep the palm is.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.exchange.onto.own_skin_file import own_skin_in
from app.document.exchange.own.own_pose import own_matrices
from app.document.exchange.skinned_export import export_skinned
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.own_skin import OwnSkin
from app.document.model.prop import Prop
from app.document.model.prop_spots import nearest_on
from app.document.posing.create import new_character
from app.document.posing.holds.grasping import hand_around
from scripts.arguments import script_parser
from scripts.drags.contact_depths import FIRST, Hold, before, solved
from solver.formats.bvh.fingers import finger_joints
from solver.rig.roles import ARMS

USUAL = (0.8, 1.0, 1.2, 1.4)
THINGS = {"stick": (0.03, 0.9, 0.03), "cup": (0.075, 0.105, 0.075), "ball": (0.06, 0.06, 0.06)}  # metres
AHEAD = np.array([-0.02, 0.05, 0.15])  # metres from the wrist to the thing
ARM = ARMS[1]  # the right one
MOSTLY = 0.5  # of a vertex's weight
Array = NDArray[np.float64]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each thing and size of hands."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("sizes", nargs="*", type=float, default=USUAL, metavar="SIZE")
    sizes = parser.parse_args(arguments).sizes
    held = {kind: holding(kind) for kind in THINGS}
    print("| hands | thing | nearest finger | farthest | palm |\n| --: | -- | --: | --: | --: |")
    for size in sizes:
        own = with_hands(size)
        for kind, document in held.items():
            nearest, farthest, palm = 1e3 * gaps(document.character(FIRST), own, document.props[0])
            print(f"| {size:g} | {kind} | {nearest:.0f} | {farthest:.0f} | {palm:.0f} |", flush=True)


def holding(kind: str) -> Document:
    """Somebody new whose right hand has closed around a thing."""
    document = before(Hold(()), "neutral")
    person = document.character(FIRST)
    wrist = skeleton_of(person).index(ARM.end)
    at = joints_of(person).positions[wrist] + AHEAD
    size = np.array(THINGS[kind], np.float32)
    thing = replace(new_prop(document, kind), size=size, place=at - [0.0, size[1] / 2, 0.0])
    contact = hand_around(person, thing, ARM.end, nearest_on(thing, at)[0])
    assert contact is not None, "a hand closes around things this thick"
    taking = edits.chain(add_prop(thing), edits.hold(FIRST, contact), edits.close_hand(FIRST, contact))(document)
    return solved(taking, {})[0]


def with_hands(size: float) -> OwnSkin:
    """Our body as a character of its own, its hands so many times as large."""
    with TemporaryDirectory() as folder:
        person = new_character(Document(), shape=before(Hold(()), "neutral").characters[0].shape)
        (file,) = export_skinned(Path(folder, "a.glb"), [person], fingers=True)
        _enlarge_hands(file, size)
        return own_skin_in(file, "").skin


def gaps(person: Character, own: OwnSkin, prop: Prop) -> Array:
    """(3,) metres from the skin to the thing: of the nearest finger, the farthest one, and the rest of the hand."""
    rig, (solid,) = own.rig(), prop.solids()
    moved = own_matrices(person, own)
    placed = np.einsum("vb,bij,vj->vi", rig.weights, moved[:, :3, :3], rig.vertices.astype(np.float64))
    apart = solid.distances(placed + rig.weights @ moved[:, :3, 3])
    places = rig.person.places or ()
    joints = finger_joints(rig.person)
    fingers: dict[str, Array] = {}
    for name in ARM.fingers:
        share = rig.weights[:, rig.bones == places[joints[name]]].sum(axis=1)
        fingers[name[:-1]] = fingers.get(name[:-1], np.zeros(len(share))) + share  # without the joint's number
    palm = rig.weights[:, rig.bones == _wrist(own)].sum(axis=1)
    near = [float(apart[share > MOSTLY].min()) for share in fingers.values()]
    return np.array([min(near), max(near), apart[palm > MOSTLY].min()])


def _wrist(own: OwnSkin) -> int:
    person = own.rig().person
    return (person.places or ())[person.joint_map.joints[ARM.end]]


def _enlarge_hands(file: Path, size: float) -> None:
    """Scale the nodes of both wrists in a GLB file, and all that hangs from them."""
    data = file.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    content = json.loads(data[20 : 20 + length])
    for node in content["nodes"]:
        if node.get("name") in [arm.end.value for arm in ARMS]:
            node["scale"] = [size] * 3
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text + data[20 + length :]
    file.write_bytes(data[:8] + struct.pack("<I", 12 + len(body)) + body)


if __name__ == "__main__":
    main()
