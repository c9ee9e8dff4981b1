"""Each estimator's layout, written by the test, comes in as the people that it says, where it says."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from estimates_samples import (
    BODY,
    FOCAL,
    SIZE,
    STANDING,
    TURNED,
    TWO,
    Seen,
    error_m,
    parameters,
    romp,
    seen,
    tracks,
    transl,
)

from solver.body.body import BodyShape
from solver.body.bone_lengths import bone_lengths
from solver.body.floor import posed_vertices
from solver.errors import InputRefused
from solver.estimates.estimate import KeyPoints
from solver.estimates.people import EstimatedPeople, to_people
from solver.estimates.point_layouts import BODY_25, COCO_17, COCO_NAMES, MHR_70, OPENPOSE_18
from solver.estimates.read import read_estimate
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.sighting import NAMES
from solver.rig.roles import SMPL_ROLES, Role

NEAR = 0.03  # metres: the floor moves people by a centimetre


def people_of(path: Path, size: tuple[int, int] | None = None) -> EstimatedPeople:
    return to_people(read_estimate(path), BODY, size)


def assert_like_truth(found: EstimatedPeople, most_m: float = NEAR) -> None:
    assert len(found.result.people) == len(TWO)
    for person, truth in zip(found.result.people, TWO, strict=True):
        assert error_m(person, found.result.camera, truth) < most_m


def on_picture(found: EstimatedPeople) -> list[float]:
    """Median pixels between where joints are shown and where they were seen, by person."""
    offsets = []
    for person, truth in zip(found.result.people, TWO, strict=True):
        places = forward_kinematics(BODY.skeleton(person.shape), person.pose).positions
        shown = found.result.camera.project(places)
        there = FOCAL * truth.places[:, :2] / truth.places[:, 2:] + np.array(SIZE) / 2
        offsets.append(float(np.median(np.linalg.norm(shown - there, axis=1))))
    return offsets


def test_hmr2_output_with_full_cameras(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    shifts = np.stack([transl(one) for one in TWO])
    np.savez(path, **parameters(TWO), pred_cam_t_full=shifts, focal_length=FOCAL, img_size=np.array(SIZE))
    assert read_estimate(path).kind == "4D-Humans (HMR2)"
    found = people_of(path)
    assert_like_truth(found)
    assert max(on_picture(found)) < 3


def test_hmr2_output_with_the_cut_outs_cameras_and_boxes(tmp_path: Path) -> None:
    path, boxes = tmp_path / "a.pkl", []
    for one in TWO:  # the inverse of cam_crop_to_full
        x, y, z = transl(one)
        side, scale = 400.0, 2 * FOCAL / (z * 400.0)
        centre = np.array([700.0, 500.0])
        rest = np.array([x, y]) - 2 * (centre - np.array(SIZE) / 2) / (side * scale)
        boxes.append((scale, *rest, *centre, side))
    values = np.array(boxes)
    content = {
        "pred_smpl_params": parameters(TWO), "pred_cam": values[:, :3], "box_center": values[:, 3:5],
        "box_size": values[:, 5], "img_size": np.tile(SIZE, (2, 1)), "scaled_focal_length": FOCAL,
    }  # fmt: skip
    path.write_bytes(pickle.dumps(content))
    assert_like_truth(people_of(path))


def test_without_a_focal_length_hmr2_s_own_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    far = [np.array([0.0, 0.0, 40.0]), np.array([1.0, 0.0, 45.0])]
    np.savez(path, **parameters(TWO), pred_cam_t_full=far, img_size=np.array(SIZE))
    assert people_of(path).result.camera.focal_px == pytest.approx(5000 / 256 * max(SIZE))


def test_4d_humans_tracks_of_one_frame(tmp_path: Path) -> None:
    path = tmp_path / "a.pkl"
    path.write_bytes(pickle.dumps(tracks(), protocol=4))
    estimate = read_estimate(path)
    assert estimate.kind == "4D-Humans tracks"
    assert estimate.image_size == SIZE
    found = people_of(path)
    assert found.motions == (None, None)
    for person, truth in zip(found.result.people, TWO, strict=True):
        places = forward_kinematics(BODY.skeleton(person.shape), person.pose).positions
        assert float(np.mean(pa_mpjpe_mm(places, truth.places))) < 5


def test_4d_humans_tracks_of_a_film_become_a_motion_for_each_person(tmp_path: Path) -> None:
    path = tmp_path / "a.pkl"
    path.write_bytes(pickle.dumps(tracks(5)))
    found = people_of(path)
    first, second = found.motions
    assert first is not None
    assert second is not None
    assert (len(first), len(second)) == (5, 4)
    way = first.root_positions[-1] - first.root_positions[0]
    assert np.linalg.norm(way) == pytest.approx(0.4, rel=0.15)
    np.testing.assert_allclose(first.root_positions[0], found.result.people[0].pose.root_position, atol=0.02)


def test_in_a_film_somebody_unseen_for_two_frames_stays_as_they_were_meanwhile(tmp_path: Path) -> None:
    path, content = tmp_path / "a.pkl", tracks(6)
    for name in list(content)[2:4]:
        content[name] |= {key: value[1:] for key, value in content[name].items() if isinstance(value, list)}
    path.write_bytes(pickle.dumps(content))
    first, _ = people_of(path).motions
    assert first is not None
    assert len(first) == 6
    steps = np.linalg.norm(np.diff(first.root_positions, axis=0), axis=1)
    assert steps == pytest.approx([0.1, 0, 0, 0.3, 0.1], abs=0.01)


def test_tracks_as_joblib_itself_writes_them() -> None:
    written = Path(__file__).resolve().parents[2] / "data" / "estimates" / "tracks_joblib.pkl"  # by joblib 1.6
    estimate = read_estimate(written)
    assert estimate.kind == "4D-Humans tracks"
    assert len(estimate.people) == 2
    assert len(people_of(written).result.people) == 2


@pytest.mark.parametrize("joints", [True, False])
def test_romp_and_bev_output_in_results(tmp_path: Path, joints: bool) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, results=np.array(romp(joints), dtype=object))
    found = people_of(path, SIZE)
    assert found.result.camera.focal_px == pytest.approx(0.866 * SIZE[0], rel=1e-3)
    assert [person.score for person in found.result.people] == pytest.approx([0.9, 0.4])
    if joints:
        assert_like_truth(found, 0.04)
    for person, truth in zip(found.result.people, TWO, strict=True):
        places = forward_kinematics(BODY.skeleton(person.shape), person.pose).positions
        assert float(np.mean(pa_mpjpe_mm(places, truth.places))) < 5


def test_joints_give_the_shape(tmp_path: Path) -> None:
    tall = BODY.skeleton(BodyShape(np.array([2, 0, 0, 1, 0, 0, 0, 0, 0, 0], np.float32)))
    posed = forward_kinematics(tall, people_of_one(tmp_path).result.people[0].pose).positions
    content = {name: value[:1] for name, value in romp().items()}
    content["joints"] = np.concatenate([posed, np.zeros((47, 3))])[None]
    path = tmp_path / "tall.npz"
    np.savez(path, **content)
    person = people_of(path, SIZE).result.people[0]
    told = bone_lengths(dict(zip(SMPL_JOINTS, posed, strict=True)))
    ours = bone_lengths(dict(zip(SMPL_JOINTS, BODY.skeleton(person.shape).rest_positions, strict=True)))
    assert ours[("left_hip", "left_knee")] == pytest.approx(told[("left_hip", "left_knee")], rel=0.03)


def people_of_one(tmp_path: Path) -> EstimatedPeople:
    path = tmp_path / "one.npz"
    np.savez(path, **{name: value[:1] for name, value in romp().items()})
    return people_of(path, SIZE)


@pytest.mark.parametrize("joints", [21, 23])
def test_smpl_and_smpl_x_parameters_of_many_people_with_a_camera(tmp_path: Path, joints: int) -> None:
    model, path = "SMPL" if joints == 23 else "SMPL-X", tmp_path / "a.npz"
    told = parameters(TWO, joints)
    turns = {
        "global_orient": to_rotation_vector(told["global_orient"]).reshape(2, 3),
        "body_pose": to_rotation_vector(told["body_pose"]).reshape(2, 3 * joints),
    }
    k = np.array([[FOCAL, 0, 600], [0, FOCAL, 450], [0, 0, 1]])
    np.savez(path, **turns, transl=np.stack([transl(one, model) for one in TWO]), K=k, image_size=np.array(SIZE))
    assert read_estimate(path).kind == f"{model} parameters"
    assert_like_truth(people_of(path))


def test_smpl_parameters_of_a_world_with_a_camera_in_it(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    camera = np.asarray(from_rotation_vector(np.array([np.pi, 0, 0]))) @ from_rotation_vector(np.array([0, 0.4, 0]))
    moved = np.array([0.2, 1.5, 3.0])
    told, shifts = parameters(TWO), []
    orient = np.stack([camera.T @ one.turns[0] for one in TWO])
    for one, turn in zip(TWO, orient, strict=True):
        from solver.formats.smpl.motion import MEAN_BODIES

        body = MEAN_BODIES["SMPL"]
        hips = camera.T @ (one.hips * body.leg / BODY.rig(BodyShape()).leg_length - moved)
        shifts.append(hips - body.pelvis - turn @ np.array(body.hips))
    np.savez(
        path, global_orient=orient, body_pose=told["body_pose"], transl=np.stack(shifts), focal_length=FOCAL,
        cam_rotation=camera, cam_translation=moved, image_size=np.array(SIZE),
    )  # fmt: skip
    assert_like_truth(people_of(path))


@pytest.mark.parametrize(("axis", "turn"), [("+Y", np.eye(3)), ("+Z", [[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])])
def test_people_without_a_camera_stand_upright_in_the_world(tmp_path: Path, axis: str, turn: Any) -> None:
    path, upright = tmp_path / "a.npz", np.asarray(turn)
    orient = np.stack([to_rotation_vector(upright @ np.diag([1, -1, -1]) @ one.turns[0]) for one in TWO])
    told = parameters(TWO)
    places = np.stack([upright @ [0.0, 1.0, 0.0], upright @ [1.5, 1.0, 0.0]])
    np.savez(path, global_orient=orient, body_pose=told["body_pose"], transl=places)
    assert read_estimate(path).up == axis
    found = people_of(path)
    assert not found.seen
    heads = [forward_kinematics(BODY.skeleton(p.shape), p.pose).positions[15] for p in found.result.people]
    assert all(1.2 < head[1] < 1.8 for head in heads)
    assert abs(heads[1][0] - heads[0][0]) == pytest.approx(1.5, abs=0.25)


def test_of_people_without_a_camera_the_lowest_stands_on_the_floor_whoever_comes_first(tmp_path: Path) -> None:
    path, told = tmp_path / "a.npz", parameters(TWO)
    orient = np.stack([to_rotation_vector(np.diag([1, -1, -1]) @ one.turns[0]) for one in TWO])
    np.savez(path, global_orient=orient, body_pose=told["body_pose"], transl=[[0, 1.0, 0], [1.5, 0.5, 0]])
    first, second = people_of(path).result.people
    lows = [posed_vertices(BODY, each.shape, each.pose)[:, 1].min() for each in (first, second)]
    assert lows[1] == pytest.approx(0, abs=1e-4)
    assert lows[0] > 0.3


def points(one: Seen, layout: dict[int, int], count: int, sure: float = 0.9) -> list[float]:
    flat = np.zeros((count, 3))
    for number, mark in layout.items():
        flat[number] = [*one.pixels[mark], sure]
    return [float(value) for value in flat.ravel()]


@pytest.mark.sweep
@pytest.mark.parametrize(("layout", "count"), [(BODY_25, 25), (OPENPOSE_18, 18), (COCO_17, 17)])
def test_openpose_key_points_are_fitted_like_landmarks(tmp_path: Path, layout: dict[int, int], count: int) -> None:
    path = tmp_path / "a_keypoints.json"
    people = [{"person_id": [-1], "pose_keypoints_2d": points(one, layout, count)} for one in TWO]
    path.write_text(json.dumps({"version": 1.3, "people": people}))
    found = people_of(path, SIZE)
    assert max(on_picture(found)) < 8
    errors = [
        float(np.mean(pa_mpjpe_mm(forward_kinematics(BODY.skeleton(p.shape), p.pose).positions, truth.places)))
        for p, truth in zip(found.result.people, TWO, strict=True)
    ]
    assert max(errors) < 70
    assert errors[1] < 50


@pytest.mark.parametrize("head", [(0.0, -0.7, 0.0), (0.0, 0.35, 0.0), (-0.3, 0.0, 0.0)])
def test_the_head_faces_where_key_points_of_eyes_nose_and_ears_say(
    tmp_path: Path, head: tuple[float, float, float]
) -> None:
    one = seen((0.0, -0.55, -4.0), {**STANDING, Role.HEAD: head}, 0.2)
    path = tmp_path / "a_keypoints.json"
    path.write_text(json.dumps({"people": [{"pose_keypoints_2d": points(one, COCO_17, 17)}]}))
    result = people_of(path, SIZE).result
    (person,), place = result.people, SMPL_ROLES.index(Role.HEAD)
    found = forward_kinematics(BODY.skeleton(person.shape), person.pose).rotations[place]
    truth = forward_kinematics(BODY.skeleton(BodyShape()), Pose(np.zeros(3), one.turns)).rotations[place]
    off = to_rotation_vector(truth.T @ TURNED @ result.camera.rotation.T @ found)
    assert np.degrees(np.linalg.norm(off)) < 7.0


# As OpenPose's and COCO's documentation name them; of the neck, the middle of the hips and little toes BlazePose's
# landmarks, by whose numbers bodies are fitted, have no like.
ARMS = "rshoulder relbow rwrist lshoulder lelbow lwrist"
ORDERS = [
    (BODY_25, f"nose - {ARMS} - rhip rknee rankle lhip lknee lankle reye leye rear lear ltoes - lheel rtoes - rheel"),
    (OPENPOSE_18, f"nose - {ARMS} rhip rknee rankle lhip lknee lankle reye leye rear lear"),
    (
        COCO_17,
        "nose leye reye lear rear lshoulder rshoulder lelbow relbow lwrist rwrist lhip rhip lknee rknee lankle rankle",
    ),
]


@pytest.mark.parametrize(("layout", "order"), ORDERS, ids=["25", "18", "17"])
def test_points_come_in_the_order_of_their_documentation(layout: dict[int, int], order: str) -> None:
    short = {mark: name.replace("left_", "l").replace("right_", "r") for mark, name in NAMES.items()}
    short |= {2: "leye", 5: "reye"}
    assert [short[layout[i]] if i in layout else "-" for i in range(len(order.split()))] == order.split()


def test_coco_s_results_need_no_flags(tmp_path: Path) -> None:
    results = [{"image_id": 7, "category_id": 1, "keypoints": points(TWO[0], COCO_17, 17, 0.0), "score": 0.7}]
    (tmp_path / "b.json").write_text(json.dumps(results))
    (person,) = read_estimate(tmp_path / "b.json").people
    assert isinstance(person.content, KeyPoints)
    assert person.content.confidence[11] == 1.0


def test_points_of_other_names_are_refused_by_their_place(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    annotations = [{"image_id": 7, "keypoints": points(TWO[0], COCO_17, 17, 2)}]
    path.write_text(
        json.dumps({"annotations": annotations, "categories": [{"id": 1, "keypoints": [*"abcdefghijklmnopq"]}]})
    )
    with pytest.raises(InputRefused, match=r"categories\[0\]\.keypoints.*another order"):
        read_estimate(path)
    path.write_text(json.dumps({"annotations": annotations, "categories": [{"id": 1, "keypoints": list(COCO_NAMES)}]}))
    assert len(read_estimate(path).people) == 1


@pytest.mark.slow
def test_coco_annotations_and_results(tmp_path: Path) -> None:
    annotations = [{"image_id": 7, "keypoints": points(one, COCO_17, 17, 2), "num_keypoints": 15} for one in TWO]
    images = [{"id": 7, "file_name": "a.jpg", "width": SIZE[0], "height": SIZE[1]}]
    (tmp_path / "a.json").write_text(json.dumps({"images": images, "annotations": annotations}))
    assert read_estimate(tmp_path / "a.json").image_size == SIZE
    assert max(on_picture(people_of(tmp_path / "a.json"))) < 8
    results = [{"image_id": 7, "category_id": 1, "keypoints": points(one, COCO_17, 17), "score": 0.7} for one in TWO]
    (tmp_path / "b.json").write_text(json.dumps(results))
    assert [p.score for p in people_of(tmp_path / "b.json", SIZE).result.people] == pytest.approx([0.7, 0.7])


def test_a_person_seen_too_little_is_left_out_with_a_notice(tmp_path: Path) -> None:
    head_only = [0.0] * 75
    head_only[:3] = [100.0, 100.0, 0.9]
    people = [{"pose_keypoints_2d": values} for values in (head_only, points(TWO[0], BODY_25, 25))]
    (tmp_path / "a.json").write_text(json.dumps({"people": people}))
    estimate = read_estimate(tmp_path / "a.json")
    assert len(estimate.people) == 1
    assert estimate.notes == ("one person shows too few joints to tell a pose, and was left out",)


@pytest.mark.sweep
@pytest.mark.parametrize("form", ["array of objects", "pickle", "json"])
def test_sam_3d_body_key_points(tmp_path: Path, form: str) -> None:
    told = []
    for one in TWO:
        places = np.zeros((70, 3), np.float32)
        places[list(MHR_70)] = one.marks[list(MHR_70.values())] - one.hips
        told.append({"pred_keypoints_3d": places, "pred_cam_t": one.hips, "focal_length": np.float32(FOCAL)})
    path = tmp_path / {"array of objects": "a.npz", "pickle": "a.pkl", "json": "a.json"}[form]
    if form == "json":
        path.write_text(json.dumps([{name: np.asarray(v).tolist() for name, v in one.items()} for one in told]))
    elif form == "pickle":
        path.write_bytes(pickle.dumps([{**one, "mask": None} for one in told]))
    else:
        np.savez(path, data=np.array(told, dtype=object))
    assert read_estimate(path).kind == "SAM 3D Body key points"
    found = people_of(path, SIZE)
    assert_like_truth(found)
    assert max(on_picture(found)) < 3


def test_sam_3d_body_key_points_of_all_people_in_one_array(tmp_path: Path) -> None:
    places = np.zeros((2, 70, 3), np.float32)
    for body, one in zip(places, TWO, strict=True):
        body[list(MHR_70)] = one.marks[list(MHR_70.values())] - one.hips
    shifts, focal = np.stack([one.hips for one in TWO]), np.full(2, FOCAL)
    np.savez(tmp_path / "a.npz", pred_keypoints_3d=places, pred_cam_t=shifts, focal_length=focal)
    assert_like_truth(people_of(tmp_path / "a.npz", SIZE))


def test_a_bare_array_is_refused_in_a_users_words(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((3, 4)))
    with pytest.raises(InputRefused, match=r"a\.npy has a layout that is not known \(a single array, 3 x 4\)\."):
        read_estimate(tmp_path / "a.npy")


def test_another_layout_is_refused_with_what_is_read(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", weights=np.zeros(3), bias=np.zeros(3))
    with pytest.raises(InputRefused, match=r"a\.npz has a layout that is not known \(weights, bias\)\. These are"):
        read_estimate(tmp_path / "a.npz")
