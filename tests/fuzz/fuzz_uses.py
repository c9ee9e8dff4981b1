"""What is done with each damaged file: a refusal in one line that names it, or all that a user does with it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import fuzz_archives as archives
import fuzz_gltf as gltf
import fuzz_mutations as mutations
import fuzz_seeds as seeds
import numpy as np

from app.document import edits
from app.document.exchange.export import export_bvh, export_meshes, export_pose_json
from app.document.exchange.open_file import open_file
from app.document.model.document import Document
from app.document.posing.create import new_document
from app.document.posing.solving import solved
from app.document.scene_file.io import load_scene, save_scene
from solver.errors import PoserError
from solver.ik.problem import IKProblem
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.skeleton import Skeleton

MOST_FRAMES = 500  # of a motion that is written as BVH once more
LONGEST_LINE = 800


class Wrong(Exception):
    """The program did something else than to read or to refuse."""


@dataclass(frozen=True)
class Kind:
    """make: writes the files of one case into a folder and returns the one that is read. sound: the same, undamaged.

    use: reads it and goes on; PoserError where it is refused.
    """

    make: Callable[[random.Random, Path], Path]
    sound: Callable[[Path], Path]
    use: Callable[[Path], None]


def run_case(kind: Kind, path: Path) -> str:
    """“read” or “refused”; Wrong where the refusal is not a good line, any other error where there was none."""
    try:
        kind.use(path)
    except PoserError as refusal:
        line = str(refusal)
        if "\n" in line or len(line) > LONGEST_LINE + len(str(path)):
            raise Wrong(f"the refusal is not one line: {line[:2000]!r}") from refusal
        if path.name not in line and path.parent.name not in line:
            raise Wrong(f"the refusal names no file: {line}") from refusal
        return "refused"
    return "read"


def open_and_go_on(path: Path) -> None:
    """Open a scene, a pose file or a motion and use it."""
    opened = open_file(path)
    if opened.document is not None:
        go_on(opened.document, path.parent)
    elif opened.edit is not None:
        go_on(opened.edit(new_document()), path.parent)
    elif opened.prop is not None:
        document = new_document()
        go_on(edits.add_prop(opened.prop.placed(document))(document), path.parent)


def go_on(document: Document, folder: Path) -> None:
    """What was read is solved, saved, read again and exported, and that is read again; all of it has to work."""
    try:
        document = document.with_characters(map(solved, document.characters))
        save_scene(folder / "saved.json", document)
        if load_scene(folder / "saved.json") != document:
            raise Wrong("what was saved is not what is read again")
        if not document.characters:
            return
        shown = [c for c in document.characters if len(c.clip) <= MOST_FRAMES]
        files = export_bvh(folder / "out.bvh", shown, whole_motion=True)
        files.append(export_pose_json(folder / "out.json", document))
        for file in files:
            again = open_file(file)
            assert again.edit is not None
            again.edit(new_document())
        export_meshes(folder / "out.stl", document.characters[:1], "stl")
    except PoserError as error:
        raise Wrong(f"it was read, but then: {error}") from error


def read_picture(path: Path) -> None:
    """Read a picture as the photo import does."""
    from solver.photo.image_file import load_image

    image = load_image(path)
    assert image.rgb.shape[2] == 3
    assert image.rgb.dtype == np.uint8


def load_official_body(path: Path) -> None:
    """Load a folder of body files, pose the body and write its skin."""
    from solver.body.body import BodyShape
    from solver.body.floor import posed_vertices
    from solver.body.smpl_files import SmplBody
    from solver.formats.mesh.mesh_file import PosedMesh, write_mesh

    body = SmplBody(path.parent)
    for betas in (np.zeros(10), np.full(10, 5.0)):
        shape = BodyShape(betas.astype(np.float32))
        pose = _posed(body.skeleton(shape), "dls")
        skin = posed_vertices(body, shape, pose)
        if not np.isfinite(skin).all() or not np.isfinite(body.weights).all():
            raise Wrong("the skin is not finite")
        write_mesh(path.parent / "out.stl", PosedMesh("body", skin, body.faces, "#aabbcc"), "stl")


def load_network(path: Path) -> None:
    """Load a folder of weights and pose with it."""
    from solver.body.body import BodyShape
    from solver.body.catalog import load_body
    from solver.ik.pipeline.pipeline import Solver
    from solver.solvers.catalog import SOLVERS
    from solver.solvers.learned.network_proposer import NetworkProposer
    from solver.solvers.learned.weights import load_weights

    solver = Solver(SOLVERS["smplik"], NetworkProposer(load_weights(path.parent, "smplik", "anny")))
    skeleton = load_body("anny").skeleton(BodyShape())
    solver.solve(_problem(skeleton))


def _problem(skeleton: Skeleton) -> IKProblem:
    from solver.body.body import BodyShape
    from solver.effectors.kinds import Position

    pose, free = rest_pose(skeleton), np.zeros(len(skeleton), np.float32)
    effectors = (Position("left_wrist", pose.root_position + [0.3, 0.2, 0.4]), Position("head", [0, 1.5, 0.1]))
    return IKProblem(skeleton, BodyShape(), effectors, pose, free, free)


def _posed(skeleton: Skeleton, solver: str) -> Pose:
    from solver.solvers.catalog import load_solver

    return load_solver(solver).solve(_problem(skeleton)).pose


def _text(change: Callable[[random.Random, str], str], seed: Callable[[random.Random], str], name: str) -> Callable:
    def make(rng: random.Random, folder: Path) -> Path:
        text = change(rng, seed(rng))
        (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        return folder / name

    return make


def _written(name: str, data: Callable[[], bytes]) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / name).write_bytes(data())
        return folder / name

    return write


def _make_motion(rng: random.Random, folder: Path) -> Path:
    (folder / "walk.npz").write_bytes(archives.mutated_npz(rng, seeds.motion_arrays(rng.choice((0, 66, 72, 156, 165)))))
    return folder / "walk.npz"


def _make_body(rng: random.Random, folder: Path) -> Path:
    if rng.random() < 0.5:
        (folder / "SMPL_NEUTRAL.npz").write_bytes(archives.mutated_npz(rng, seeds.body_arrays()))
        return folder / "SMPL_NEUTRAL.npz"
    (folder / "SMPL_NEUTRAL.pkl").write_bytes(archives.mutated_pickle(rng, seeds.body_arrays()))
    return folder / "SMPL_NEUTRAL.pkl"


def _make_weights(rng: random.Random, folder: Path) -> Path:
    from solver.solvers.learned.weights import sha256

    model = seeds.model_seed()
    damaged = mutations.mutated_bytes(rng, model) if rng.random() < 0.6 else model
    config = seeds.weights_config(sha256(damaged if rng.random() < 0.9 else model))
    if damaged is model:
        config = mutations.mutated_json(rng, config)
    (folder / "config.json").write_bytes(config.encode("utf-8", "surrogatepass"))
    (folder / "model.onnx").write_bytes(damaged)
    return folder / "model.onnx"


def _sound_weights(folder: Path) -> Path:
    from solver.solvers.learned.weights import sha256

    (folder / "config.json").write_text(seeds.weights_config(sha256(seeds.model_seed())))
    (folder / "model.onnx").write_bytes(seeds.model_seed())
    return folder / "model.onnx"


def _make_picture(rng: random.Random, folder: Path) -> Path:
    suffix, data = seeds.picture_seed(rng)
    (folder / f"team{suffix}").write_bytes(mutations.mutated_bytes(rng, data))
    return folder / f"team{suffix}"


KINDS = {
    "bvh": Kind(
        _text(mutations.mutated_text, lambda rng: rng.choice(seeds.bvh_seeds()), "walk.bvh"),
        _written("walk.bvh", lambda: "\n".join(seeds.bvh_seeds()[:1]).encode()),
        open_and_go_on,
    ),
    "gltf": Kind(gltf.make_gltf, gltf.sound_gltf, open_and_go_on),
    "motion": Kind(
        _make_motion, _written("walk.npz", lambda: archives.npz_bytes(seeds.motion_arrays(156))), open_and_go_on
    ),
    "pose": Kind(
        _text(mutations.mutated_json, lambda _: seeds.pose_seed(), "pose.json"),
        _written("pose.json", lambda: seeds.pose_seed().encode()),
        open_and_go_on,
    ),
    "scene": Kind(
        _text(mutations.mutated_json, lambda _: seeds.scene_seed(), "scene.json"),
        _written("scene.json", lambda: seeds.scene_seed().encode()),
        open_and_go_on,
    ),
    "picture": Kind(_make_picture, _written("team.png", lambda: seeds.picture_seed(random.Random(0))[1]), read_picture),
    "body": Kind(
        _make_body, _written("SMPL_NEUTRAL.npz", lambda: archives.npz_bytes(seeds.body_arrays())), load_official_body
    ),
    "weights": Kind(_make_weights, _sound_weights, load_network),
}
