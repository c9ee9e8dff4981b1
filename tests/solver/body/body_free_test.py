"""The embedded body: people in T-pose, sliders that do what they say, and smplx as an oracle."""

from __future__ import annotations

import numpy as np
import pytest

from solver.body.body import GENDERS, SHAPE_COMPONENTS, BodyShape
from solver.body.catalog import load_body
from solver.body.embedded_body import BODY_FOLDER, EmbeddedBody
from solver.body.floor import keep_sole_on_floor, lowest_sole_point, posed_vertices
from solver.errors import InputRefused, UnknownName
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS

BODY = load_body("anny")
LEGS = [
    ("left_hip", "left_knee"),
    ("left_knee", "left_ankle"),
    ("right_hip", "right_knee"),
    ("right_knee", "right_ankle"),
]
ARMS = [
    (f"{side}_{start}", f"{side}_{end}")
    for side in ("left", "right")
    for start, end in (("shoulder", "elbow"), ("elbow", "wrist"), ("wrist", "hand"))
]


def with_beta(component: str, value: float, gender: str = "neutral") -> BodyShape:
    betas = np.zeros(SHAPE_COMPONENTS)
    betas[BODY.component_names.index(component)] = value
    return BodyShape(betas, gender)


def stature(shape: BodyShape) -> float:
    return float(np.ptp(BODY.vertices(shape)[:, 1]))


def volume(shape: BodyShape) -> float:
    a, b, c = (BODY.vertices(shape)[BODY.faces[:, i]].astype(np.float64) for i in range(3))
    return float(np.abs(np.einsum("fi,fi->", np.cross(a, b), c)) / 6)


def upper_arm_depth(shape: BodyShape) -> float:
    v, joints = BODY.vertices(shape), BODY.skeleton(shape).rest_positions
    middle = (joints[SMPL_JOINTS.index("left_shoulder"), 0] + joints[SMPL_JOINTS.index("left_elbow"), 0]) / 2
    return float(np.ptp(v[np.abs(v[:, 0] - middle) < 0.02, 2]))


def bone(shape: BodyShape, start: str, end: str) -> np.ndarray:
    skeleton = BODY.skeleton(shape)
    return skeleton.rest_positions[skeleton.index(end)] - skeleton.rest_positions[skeleton.index(start)]


@pytest.mark.parametrize("gender", GENDERS)
def test_the_rest_pose_is_an_exact_t_pose(gender: str) -> None:
    for start, end in ARMS:
        direction = bone(BodyShape(gender=gender), start, end)
        assert abs(direction[1]) < 1e-4
        assert abs(direction[2]) < 1e-4
        assert np.sign(direction[0]) == (1 if start.startswith("left") else -1)
    for start, end in LEGS:
        direction = bone(BodyShape(gender=gender), start, end)
        assert np.abs(direction[[0, 2]]).max() < 1e-4
        assert direction[1] < -0.3


@pytest.mark.parametrize("gender", GENDERS)
def test_people_face_forward_stand_on_the_floor_and_have_adult_stature(gender: str) -> None:
    vertices = BODY.vertices(BodyShape(gender=gender))
    assert abs(vertices[:, 1].min()) < 1e-4
    assert 1.55 < np.ptp(vertices[:, 1]) < 1.85
    assert bone(BodyShape(gender=gender), "left_ankle", "left_foot")[2] > 0.1


def test_weights_belong_to_someone_entirely() -> None:
    assert BODY.weights.min() >= 0
    assert np.allclose(BODY.weights.sum(axis=1), 1.0, atol=1e-5)
    assert (BODY.weights.sum(axis=0) > 50).all(), "every joint moves some skin"


def test_faces_look_outward() -> None:
    a, b, c = (BODY.vertices(BodyShape())[BODY.faces[:, i]].astype(np.float64) for i in range(3))
    assert np.einsum("fi,fi->", np.cross(a, b), c) > 0


@pytest.mark.parametrize("gender", GENDERS)
def test_a_unit_of_height_is_about_seven_centimetres(gender: str) -> None:
    per_unit = (stature(with_beta("Height", 2, gender)) - stature(with_beta("Height", -2, gender))) / 4
    assert 0.055 < per_unit < 0.085


@pytest.mark.parametrize("gender", GENDERS)
def test_every_slider_does_what_its_label_says(gender: str) -> None:
    def change(component: str, measure) -> float:  # type: ignore[no-untyped-def]
        return measure(with_beta(component, 2, gender)) / measure(with_beta(component, -2, gender))

    def length(*bones: tuple[str, str]):  # type: ignore[no-untyped-def]
        return lambda shape: sum(float(np.linalg.norm(bone(shape, *b))) for b in bones)

    def extent(axis: int, low: str, high: str):  # type: ignore[no-untyped-def]
        def measure(shape: BodyShape) -> float:
            skeleton, v = BODY.skeleton(shape), BODY.vertices(shape)
            y0, y1 = (skeleton.rest_positions[skeleton.index(name), 1] for name in (low, high))
            torso = (
                BODY.weights[:, [SMPL_JOINTS.index(n) for n in ("pelvis", "spine1", "spine2", "spine3")]].sum(1) > 0.5
            )
            return float(np.ptp(v[torso & (v[:, 1] > min(y0, y1)) & (v[:, 1] < max(y0, y1)), axis]))

        return measure

    assert change("Weight", volume) > 1.2
    assert change("Muscle", lambda s: upper_arm_depth(s) / extent(2, "pelvis", "spine2")(s)) > 1.03
    assert change("Leg length", lambda s: length(*LEGS)(s) / stature(s)) > 1.03
    assert change("Arm length", length(*ARMS)) > 1.05
    assert change("Shoulder width", length(("left_shoulder", "right_shoulder"))) > 1.05
    assert change("Hip width", extent(0, "pelvis", "spine1")) > 1.03
    assert change("Chest", extent(2, "spine2", "spine3")) > 1.03
    assert change("Belly", extent(2, "pelvis", "spine2")) > 1.05
    assert change("Head size", lambda s: stature(s) - float(BODY.skeleton(s).rest_positions[15, 1])) > 1.05


def test_joints_stay_inside_the_body_for_random_people() -> None:
    rng = np.random.default_rng(3)
    for gender in GENDERS:
        for _ in range(5):
            shape = BodyShape(rng.normal(size=10).clip(-3, 3), gender)
            joints, v = BODY.skeleton(shape).rest_positions, BODY.vertices(shape)
            assert (joints > v.min(axis=0)).all()
            assert (joints < v.max(axis=0)).all()


def test_the_same_shape_gives_the_same_objects() -> None:
    assert BODY.skeleton(with_beta("Height", 1)) is BODY.skeleton(with_beta("Height", 1))
    assert BODY.vertices(with_beta("Height", 1)) is BODY.vertices(with_beta("Height", 1))


@pytest.mark.sweep
@pytest.mark.parametrize("gender", GENDERS)
def test_smplx_and_we_agree_on_our_files(gender: str) -> None:
    smplx, torch = pytest.importorskip("smplx"), pytest.importorskip("torch")
    path = BODY_FOLDER / f"{gender}.npz"
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files if file[name].dtype.kind in "fiu"}
    arrays = {k: v.astype(np.float64) if v.dtype.kind == "f" else v for k, v in arrays.items()}
    oracle = smplx.SMPL(model_path=str(path), data_struct=smplx.utils.Struct(**arrays), dtype=torch.float64)
    rng = np.random.default_rng(5)
    for _ in range(3):
        shape = BodyShape(rng.normal(size=10), gender)
        vectors, move = rng.normal(size=(24, 3)) * 0.5, rng.normal(size=3)
        skeleton = BODY.skeleton(shape)
        pose = Pose(skeleton.offsets[0] + move, from_rotation_vector(vectors))
        theirs = oracle(
            betas=torch.tensor(shape.betas[None].astype(np.float64)),
            global_orient=torch.tensor(vectors[None, :1].reshape(1, 3)),
            body_pose=torch.tensor(vectors[None, 1:].reshape(1, 69)),
            transl=torch.tensor(move[None]),
        )
        joints = theirs.joints[0, :24].detach().numpy()
        vertices = theirs.vertices[0].detach().numpy()
        assert np.abs(forward_kinematics(skeleton, pose).positions - joints).max() < 1e-5
        assert np.abs(posed_vertices(BODY, shape, pose) - vertices).max() < 1e-5


def test_a_body_that_stands_keeps_standing_when_its_shape_changes() -> None:
    before, after = BodyShape(), with_beta("Height", 3)
    pose = rest_pose(BODY.skeleton(before))
    moved = keep_sole_on_floor(BODY, before, after, pose)
    assert lowest_sole_point(BODY, before, pose) == pytest.approx(0, abs=1e-4)
    assert lowest_sole_point(BODY, after, moved) == pytest.approx(0, abs=1e-4)
    assert lowest_sole_point(BODY, after, pose) < -0.05


def test_a_body_in_the_air_is_left_there() -> None:
    pose = rest_pose(BODY.skeleton(BodyShape()))
    jumping = Pose(pose.root_position + np.array([0, 0.3, 0]), pose.rotations)
    assert keep_sole_on_floor(BODY, BodyShape(), with_beta("Height", 3), jumping) is jumping


def test_a_damaged_body_file_is_refused_by_name(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "neutral.npz").write_bytes((BODY_FOLDER / "neutral.npz").read_bytes()[:1000])
    with pytest.raises(InputRefused, match="neutral.npz"):
        EmbeddedBody(tmp_path).skeleton(BodyShape())


def test_an_unknown_body_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="anny"):
        load_body("robot")


def test_female_and_male_faces_differ_by_more_than_their_size() -> None:
    head = BODY.weights[:, SMPL_JOINTS.index("head")] > 0.99
    female, male = (BODY.vertices(BodyShape(gender=gender))[head].astype(np.float64) for gender in ("female", "male"))
    female, male = female - female.mean(axis=0), male - male.mean(axis=0)
    u, s, vt = np.linalg.svd(female.T @ male)
    left = s.sum() / (female**2).sum() * female @ u @ vt - male
    assert np.sqrt((left**2).sum(axis=1).mean()) > 0.002
    assert np.linalg.norm(left, axis=1).max() < 0.03, "and by no more than faces do"
