"""How much of its volume skin keeps where a joint is bent, plain and with kept volume; with pictures of both.

python -m scripts.rigs.volume_study [--pictures FOLDER]

Prints, for the vertices that two bones share, the mean distance from the joint relative to rest, in brackets that of
the tenth of them that loses most, and what the whole body loses.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from app.services.screen import drawing
from rendering.camera.camera import OrbitCamera
from rendering.drawing.offscreen import render_image
from rendering.scene.style import CLAY
from rendering.scene.values import Figure, Mesh, Scene
from scripts.arguments import script_parser
from solver.body.body import Body, BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.floor import posed_vertices
from solver.body.kept_volume import with_volume_kept
from solver.errors import PoserError
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import Role
from solver.values import FloatArray

BENDS = {  # which way each joint bends, and where it is seen from: radians
    Role.LEFT_KNEE: ((1.0, 0.0, 0.0), 1.9, 0.15),
    Role.LEFT_ELBOW: ((0.0, -1.0, 0.0), -0.8, 0.25),
    Role.LEFT_HIP: ((-1.0, 0.0, 0.0), 2.5, -0.2),
    Role.LEFT_SHOULDER: ((0.0, -1.0, 0.0), 0.4, 0.6),
}
DEGREES = (90, 120, 140)
SHARED = 0.1  # of a vertex's weight, from which a bone pulls at it
BOTH = 0.95  # of a vertex's weight that belongs to the two bones
SIDE = 420  # pixels
SHAPE = BodyShape()


def bent(body: Body, role: Role, degrees: float) -> Pose:
    """The rest pose with one joint bent."""
    rig = body.rig(SHAPE)
    rotations = np.array(rest_pose(rig).rotations)
    rotations[rig.index(role)] = from_rotation_vector(np.radians(degrees) * np.array(BENDS[role][0]))
    return Pose(rig.offsets[0], rotations)


def kept(body: Body, role: Role, pose: Pose, rest: FloatArray) -> tuple[float, float, float]:
    """The mean share kept of the distance from the joint, that of the worst tenth, and that of the body's volume."""
    rig, weights = body.rig(SHAPE), body.weights
    joint = rig.index(role)
    near, far = weights[:, rig.parents[joint]], weights[:, joint]
    shared = np.flatnonzero((near > SHARED) & (far > SHARED) & (near + far > BOTH))
    place, skin = forward_kinematics(rig, pose).positions[joint], posed_vertices(body, SHAPE, pose, rest=rest)
    was = np.linalg.norm(body.vertices(SHAPE)[shared] - rig.rest_positions[joint], axis=1)
    shares = np.sort(np.linalg.norm(skin[shared] - place, axis=1) / was)
    whole = enclosed(body, skin) / enclosed(body, body.vertices(SHAPE))
    return float(shares.mean()), float(shares[: max(len(shares) // 10, 1)].mean()), whole


def enclosed(body: Body, skin: FloatArray) -> float:
    """Cubic metres inside the skin."""
    a, b, c = (skin[body.faces[:, i]].astype(np.float64) for i in range(3))
    return float(np.einsum("ni,ni->", a, np.cross(b, c))) / 6.0


def picture(body: Body, role: Role, pose: Pose, rest: FloatArray) -> NDArray[np.uint8]:
    """(SIDE, SIDE, 4) the bent joint in clay, from near, drawn as people are."""
    rig, (_, yaw, pitch) = body.rig(SHAPE), BENDS[role]
    places = forward_kinematics(rig, pose).positions
    mesh = Mesh(body.vertices(SHAPE), body.faces, body.weights, body.suit_mask)
    figure = Figure(0, mesh, skinning_matrices(rig, pose), places, rig.parents, rest=rest)
    x, y, z = (float(value) for value in places[rig.index(role)])
    camera = OrbitCamera(target=(x, y, z), distance=0.8 if "hip" not in role.value else 1.1, yaw=yaw, pitch=pitch)
    return render_image(Scene((figure,), grid=False, style=CLAY), camera, (SIDE, SIDE))


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--pictures", type=Path, help="a folder for one picture of each joint, plain above, kept below")
    folder, body = parser.parse_args(arguments).pictures, load_body(DEFAULT_BODY)
    plain = body.vertices(SHAPE)
    try:
        for role in BENDS:
            poses = [bent(body, role, degrees) for degrees in DEGREES]
            ways = [[plain] * len(poses), [with_volume_kept(body, SHAPE, pose, plain) for pose in poses]]
            for name, skins in zip(("plain", "kept"), ways, strict=True):
                cells = (kept(body, role, pose, skin) for pose, skin in zip(poses, skins, strict=True))
                figures = " | ".join(f"{mean:.2f} ({worst:.2f}), {whole - 1:+.1%}" for mean, worst, whole in cells)
                print(f"| {role.value}, {name} | {figures} |")
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
                with drawing():
                    rows = [[picture(body, role, *each) for each in zip(poses, skins, strict=True)] for skins in ways]
                Image.fromarray(np.vstack([np.hstack(row) for row in rows])).save(folder / f"{role.value}.png")
    except PoserError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
