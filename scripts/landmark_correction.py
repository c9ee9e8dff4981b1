"""Makes assets/landmark_correction/weights.npz: renders the body in recorded poses, learns where BlazePose errs.

xvfb-run -a .venv/bin/python scripts/landmark_correction.py render --split train --count 1000 --out train.pkl
xvfb-run -a .venv/bin/python scripts/landmark_correction.py render --split val --count 170 --seed 1 --out val.pkl
.venv/bin/python scripts/landmark_correction.py learn --train train.pkl --val val.pkl --out weights.npz
.venv/bin/python scripts/landmark_correction.py check --rows val.pkl

check says how near the fit comes with the correction that is carried in assets, and how near the landmarks are.
Needs data/mocap.npz. Recorded poses are many and renderings few: the network is taught on recorded poses that borrow
the landmark network's errors from renderings of similar poses, and on the renderings themselves.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from scipy.spatial.transform import Rotation

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from solver.body.body import GENDERS, BodyShape  # noqa: E402
from solver.body.catalog import DEFAULT_BODY, load_body  # noqa: E402
from solver.estimators.blazepose import Landmarks, region_of  # noqa: E402
from solver.estimators.correction import HIPS, about_hips, inputs  # noqa: E402
from solver.estimators.evidence import body_points, evidence  # noqa: E402
from solver.estimators.fit import fit_person  # noqa: E402
from solver.estimators.least_squares import posed_joints  # noqa: E402
from solver.estimators.many_looks import MIRRORED, looked_at_again  # noqa: E402
from solver.estimators.people2d import is_steady, look_twice  # noqa: E402
from solver.evaluation.metrics import pa_mpjpe_mm  # noqa: E402
from solver.kinematics.fk import forward_kinematics, skinning_matrices  # noqa: E402
from solver.kinematics.pose import Pose  # noqa: E402
from solver.kinematics.rotations import between  # noqa: E402
from solver.kinematics.skeleton import SMPL_JOINTS  # noqa: E402

SIDE, FILM, USUAL_LENS = 640, 43.2666, 50.0  # pixels of a rendering; millimetres of film's diagonal, and of a lens
ALIKE, BATCH, REAL, HIDDEN = 24, 256, 64, 384
LIMBS = (11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28)  # shoulders, elbows, wrists, hips, knees, ankles
BODY = load_body(DEFAULT_BODY)
POINTS = body_points(BODY)
MARKS = list(POINTS.landmark)
OTHER = [MARKS.index(MIRRORED[mark]) for mark in MARKS]
AT_HIPS = [MARKS.index(hip) for hip in HIPS]
FLIP, TURN = np.array([-1.0, 1.0, 1.0]), np.array([1.0, -1.0, -1.0])


def recorded(split: str, count: int, rng: np.random.Generator) -> Any:
    """(count, 24, 3, 3) local rotations of a split's poses about a random upright direction, long clips rarer."""
    data = np.load(ROOT / "data" / "mocap.npz")
    frames = np.flatnonzero(data["clip_splits"][data["frame_clip"]] == split)
    clips = data["frame_clip"][frames]
    share = 1 / np.sqrt(np.bincount(clips)[clips])
    pick = rng.choice(frames, count, p=share / share.sum())
    columns = [SMPL_JOINTS.index(str(name)) for name in data["joint_names"]]
    local = np.broadcast_to(np.eye(3), (count, 24, 3, 3)).copy()
    turns = data["quaternions_xyzw"][pick].astype(np.float64).reshape(-1, 4) / 32767
    local[:, columns] = Rotation.from_quat(turns).as_matrix().reshape(count, -1, 3, 3)
    yaw = Rotation.from_rotvec(rng.uniform(-np.pi, np.pi, (count, 1)) * [0.0, 1.0, 0.0]).as_matrix()
    local[:, 0] = yaw @ local[:, 0]
    return local


def camera_turn(rng: np.random.Generator) -> Any:
    """(3, 3) world from camera: a camera held nearly level, turned down a little."""
    pitch, roll = np.radians(rng.normal(8, 10)), np.radians(rng.normal(0, 2))
    return (Rotation.from_rotvec([-pitch, 0, 0]) * Rotation.from_rotvec([0, 0, roll])).as_matrix()


def points_of(local: Any, betas: Any, gender: str = "neutral") -> tuple[Any, Any, Any]:
    """(P, 3) the points that landmarks show of a posed body at the origin, its joints and the skinning matrices."""
    shape = BodyShape(betas.astype(np.float32), gender)
    skeleton, pose = BODY.skeleton(shape), Pose(np.zeros(3, np.float32), local.astype(np.float32))
    posed = forward_kinematics(skeleton, pose)
    carried = np.einsum("pab,pb->pa", posed.rotations[POINTS.joint], POINTS.offset)
    return posed.positions[POINTS.joint] + carried, posed.positions, skinning_matrices(skeleton, pose)


def render(split: str, count: int, seed: int, out: Path) -> None:
    """Rendered people with steady landmarks: (Landmarks, true points (P, 3) before the camera), pickled."""
    from PySide6.QtGui import QGuiApplication, QSurfaceFormat

    from rendering.camera import Pinhole
    from rendering.offscreen import render_image, surface_format
    from rendering.scene import Figure, Mesh, Scene

    QSurfaceFormat.setDefaultFormat(surface_format())
    _app = QGuiApplication([])
    rng, rows = np.random.default_rng(seed), []
    for local in recorded(split, count, rng):
        betas, gender = np.clip(rng.standard_normal(10), -2.5, 2.5), str(rng.choice(GENDERS))
        shape = BodyShape(betas.astype(np.float32), gender)
        marks, joints, skinning = points_of(local, betas, gender)
        focal = np.exp(rng.uniform(np.log(26), np.log(85))) / FILM * np.hypot(SIDE, SIDE)
        turn = camera_turn(rng)
        reach = np.linalg.norm(np.ptp(joints @ turn, axis=0)[:2]) + 0.3
        distance = focal * reach / (SIDE * rng.uniform(0.5, 0.95))
        aside = rng.uniform(-0.1, 0.1, 2) * SIDE * distance / focal
        position = (joints.max(axis=0) + joints.min(axis=0)) / 2 - turn @ [*aside, -distance]
        mesh = Mesh(BODY.vertices(shape), BODY.faces, BODY.weights, BODY.suit_mask)
        skin, suit = np.array([217, 163, 131]) * rng.uniform(0.35, 1.15), rng.uniform(20, 235, 3)
        skin_name, suit_name = ("#" + bytes(int(v) for v in colour).hex() for colour in (skin, suit))
        parents = BODY.skeleton(shape).parents
        figure = Figure(0, mesh, skinning, joints, parents, skin=skin_name, suit=suit_name)
        lens = Pinhole(position, turn, focal, (SIDE / 2, SIDE / 2), (SIDE, SIDE))
        seen = render_image(Scene((figure,), grid=False), lens, (SIDE, SIDE), transparent=True, samples=4).astype(float)
        alpha = seen[..., 3:] / 255
        picture = Image.fromarray((seen[..., :3] * alpha + _ground(rng) * (1 - alpha)).clip(0, 255).astype(np.uint8))
        before = (joints - position) @ turn
        pixels = focal * before[:, :2] * [1, -1] / -before[:, 2:] + SIDE / 2
        middle = pixels[1:3].mean(axis=0)
        neck = pixels[SMPL_JOINTS.index("neck")] - middle
        size = 1.05 * np.linalg.norm(pixels - middle, axis=1).max()
        first = look_twice(picture, region_of(middle, middle + neck / np.linalg.norm(neck) * size))
        person = None if first is None else looked_at_again(picture, first)
        if person is not None and is_steady(person):
            rows.append((person, (marks - position) @ turn))
    out.write_bytes(pickle.dumps(rows))
    print(f"{len(rows)} of {count} people", flush=True)


def _ground(rng: np.random.Generator) -> Any:
    cells, mix = int(rng.choice([2, 4, 8, 16, 32])), rng.uniform()
    spots = mix * rng.uniform(0, 255, (cells, cells, 3)) + (1 - mix) * rng.uniform(0, 255, 3)
    return np.asarray(Image.fromarray(spots.astype(np.uint8)).resize((SIDE, SIDE), Image.Resampling.BICUBIC), float)


def straight(points: Any) -> tuple[Any, Any]:
    """(P, 3) points about the mid-hip as a camera that looks at it sees them, and (P, 2) their places on a picture."""
    middle = points[AT_HIPS].mean(axis=0)
    turn = between(np.array([0.0, 0.0, -1.0]), middle / np.linalg.norm(middle))
    return (points - middle) @ turn, about_hips(points[:, :2] / -points[:, 2:], AT_HIPS)


def examples(rows: list[tuple[Landmarks, Any]], mirrored: bool) -> tuple[Any, ...]:
    """World (N, P, 3), picture (N, P, 2), spread (N, P), true points in the landmarks' scale and on the picture."""
    found = []
    for person, points in rows:
        assert person.spread is not None
        true, on_picture = straight(points)
        world = person.world[MARKS] * TURN
        true = true * np.sqrt((world**2).sum() / (true**2).sum())
        picture, spread = about_hips(person.pixels[MARKS] * TURN[:2], AT_HIPS), person.spread[MARKS, 2]
        found.append((world, picture, spread, true, on_picture))
        if mirrored:
            flat = FLIP[:2]
            mirror = world[OTHER] * FLIP, picture[OTHER] * flat, spread[OTHER], true[OTHER] * FLIP
            found.append((*mirror, on_picture[OTHER] * flat))
    return tuple(np.array(column) for column in zip(*found, strict=True))


def learn(train: Path, val: Path, out: Path, poses: int, epochs: int) -> None:
    """Prints the median depth error before and after on renderings of held-out poses."""
    import torch
    from torch import nn

    rng = np.random.default_rng(0)
    torch.manual_seed(0)
    world, picture, spread, true, flat = examples(pickle.loads(train.read_bytes()), True)
    test = examples(pickle.loads(val.read_bytes()), False)
    size = np.sqrt((world**2).mean(axis=(1, 2)))
    many, many_flat = [], []
    for local in recorded("train", poses, rng):
        local[0] = camera_turn(rng).T @ local[0]
        points, _, _ = points_of(local, np.clip(rng.standard_normal(10), -2.5, 2.5))
        away = np.array([0.0, 0.0, np.exp(rng.uniform(np.log(2.0), np.log(7.0)))])
        ahead, on_picture = straight(points - points[AT_HIPS].mean(axis=0) - away)
        many.append(ahead * np.median(size) / np.sqrt((ahead**2).mean()))
        many_flat.append(on_picture)
    sim, sim_flat = np.array(many), np.array(many_flat)
    known = (true / size[:, None, None]).reshape(len(true), -1).astype(np.float32)
    ask = sim.reshape(poses, -1).astype(np.float32)
    alike = min(ALIKE, len(known) - 1)
    near = np.concatenate([
        np.argpartition(-part @ known.T, alike, axis=1)[:, :alike] for part in np.array_split(ask, poses // 4000 + 1)
    ])  # fmt: skip
    count = len(MARKS)
    layers = (nn.Linear(6 * count, HIDDEN), nn.Linear(HIDDEN, HIDDEN), nn.Linear(HIDDEN, 4 * count))
    net = nn.Sequential(
        layers[0], nn.ReLU(), nn.Dropout(0.1), layers[1], nn.ReLU(), nn.Dropout(0.1), layers[2]
    )  # fmt: skip
    optimiser = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=1e-4)
    steps = max(poses // BATCH, 1)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, 2e-3, total_steps=epochs * steps)
    near_zero = nn.SmoothL1Loss(beta=0.2)
    for _ in range(epochs):
        order = rng.permutation(poses)
        for step in range(steps):
            at = order[step * BATCH : (step + 1) * BATCH]
            by, own = near[at, rng.integers(0, alike, len(at))], rng.integers(0, len(world), REAL)
            goal = sim[at] * rng.uniform(0.85, 1.15, (len(at), 1, 1))
            said = np.concatenate([goal + world[by] - true[by], world[own]])
            shown = np.concatenate([sim_flat[at] + picture[by] - flat[by], picture[own]])
            wanted = (np.concatenate([goal, true[own]]) - said) * 4.0
            answer = net(torch.tensor(inputs(said, shown, spread[np.concatenate([by, own])]), dtype=torch.float32))
            log_scale = answer[:, 3 * count :].clamp(-4.0, 3.0)
            miss = answer[:, : 3 * count].reshape(-1, count, 3) - torch.tensor(wanted, dtype=torch.float32)
            across, along = miss[..., :2], miss[..., 2]
            tail = 2 * torch.log1p(0.5 * (along / log_scale.exp()) ** 2) + log_scale  # Student's, three degrees
            loss = 2 * near_zero(across, across * 0) + 0.5 * near_zero(along, along * 0) + 0.2 * tail.mean()
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            plan.step()
    net.eval()
    with torch.no_grad():
        moved = net(torch.tensor(inputs(*test[:3]), dtype=torch.float32)).numpy()[:, : 3 * count]
    before = np.abs(test[0] - test[3])[..., 2]
    after = np.abs(test[0] + moved.reshape(-1, count, 3) / 4.0 - test[3])[..., 2]
    print(f"depth errs by {1000 * before.mean():.0f} mm before, {1000 * after.mean():.0f} mm after", flush=True)
    arrays: dict[str, Any] = {"landmarks": POINTS.landmark}
    for i, layer in enumerate(layers):
        arrays[f"weight{i}"] = layer.weight.detach().numpy().astype(np.float16)
        arrays[f"bias{i}"] = layer.bias.detach().numpy()
    np.savez_compressed(out, **arrays)


def check(rows: Path) -> None:
    """Prints the mean PA-MPJPE in mm of the limbs' twelve marked points, of landmarks and of fitted bodies."""
    middle = (SIDE / 2, SIDE / 2)
    limbs = [MARKS.index(mark) for mark in LIMBS]
    found = []
    for person, points in pickle.loads(rows.read_bytes()):
        fit = fit_person(BODY, evidence(person, POINTS, USUAL_LENS / FILM * np.hypot(SIDE, SIDE), middle))
        places, turns = posed_joints(BODY, fit)
        mine = places[POINTS.joint] + np.einsum("pab,pb->pa", turns[POINTS.joint], POINTS.offset)
        raw = (person.world[MARKS] * TURN)[limbs]
        found.append([pa_mpjpe_mm(some, points[limbs]) for some in (raw, mine[limbs])])
    landmarks, fitted = np.mean(found, axis=0)
    print(f"{len(found)} people: landmarks {landmarks:.1f} mm, fit {fitted:.1f} mm", flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(dest="action", required=True)
    one = actions.add_parser("render")
    one.add_argument("--split", default="train")
    one.add_argument("--count", type=int, default=1000)
    one.add_argument("--seed", type=int, default=0)
    two = actions.add_parser("learn")
    two.add_argument("--train", type=Path, required=True)
    two.add_argument("--val", type=Path, required=True)
    two.add_argument("--poses", type=int, default=80000)
    two.add_argument("--epochs", type=int, default=12)
    three = actions.add_parser("check")
    three.add_argument("--rows", type=Path, required=True)
    for action in (one, two):
        action.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    if given.action == "render":
        render(given.split, given.count, given.seed, given.out)
    elif given.action == "check":
        check(given.rows)
    else:
        learn(given.train, given.val, given.out, given.poses, given.epochs)


if __name__ == "__main__":
    main()
