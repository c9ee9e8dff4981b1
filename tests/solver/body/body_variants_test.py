"""Variants of the embedded body: child, youth, elder and chibi, each of the adult's triangles, weights and joints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solver.body.body import GENDERS, SHAPE_COMPONENTS, Body, BodyShape
from solver.body.build.source import People
from solver.body.build.stoop import Stoop, stooped
from solver.body.catalog import DEFAULT_BODY, VARIANTS, load_body, origin_of
from solver.body.floor import lowest_sole_point
from solver.body.measures import stature, weight
from solver.body.variants.packing import STEP_M, fitted_scales, packed, unpacked
from solver.body.variants.rest import Bones, RestBody, Skin, between, on_floor, scales_of
from solver.body.variants.smoothing import edges_of, relaxed, smoothed
from solver.body.variants.variant_files import FOLDER, read_variant
from solver.body.whole_rig import RIGID_JOINTS, SMPLX_JOINTS, moving_joint
from solver.contact.filling import ball_vertices
from solver.contact.vertices import contact_vertices
from solver.errors import InputRefused
from solver.kinematics.pose import rest_pose
from solver.kinematics.skeleton import SMPL_JOINTS

ADULT = load_body(DEFAULT_BODY)
HEAD = SMPL_JOINTS.index("head")


def skin_of_all() -> Skin:
    carriers = np.array([SMPL_JOINTS.index(moving_joint(name)) for name in RIGID_JOINTS])
    return Skin(ADULT.weights.astype(np.float64), ADULT.faces, RIGID_JOINTS, carriers)


def rest_of(body: Body, gender: str = "neutral") -> RestBody:
    """A body's rest, measured shape by shape."""
    shapes = [BodyShape(row, gender) for row in (np.zeros(10), *np.eye(SHAPE_COMPONENTS))]
    skins = np.stack([body.vertices(shape).astype(np.float64) for shape in shapes])
    joints = np.stack([body.whole_rig(shape).rest_positions.astype(np.float64) for shape in shapes])
    (skin, *ways), (places, *moved) = skins, joints
    skin_ways, joint_ways = np.stack(ways, -1) - skin[..., None], np.stack(moved, -1) - places[..., None]
    return RestBody(skin, skin_ways, places[:24], joint_ways[:24], places[24:], joint_ways[24:])


def heads(body: Body) -> float:
    """How many of its heads, from chin to crown, make the stature: by what hangs on the head alone."""
    skin = body.vertices(BodyShape())
    head = skin[(body.weights[:, HEAD] > 0.9) & (skin[:, 2] > skin[body.weights[:, HEAD] > 0.9, 2].mean()), 1]
    return float(np.ptp(skin[:, 1]) / np.ptp(head))


@pytest.mark.sweep
@pytest.mark.parametrize("gender", GENDERS)
@pytest.mark.parametrize("id", VARIANTS)
def test_a_variant_stands_in_a_t_pose_on_the_adults_triangles_and_joints(id: str, gender: str) -> None:
    body, shape = load_body(id), BodyShape(gender=gender)
    rig, rest = body.rig(shape), rest_pose(body.rig(shape))
    assert body.id == id
    assert origin_of(id) == DEFAULT_BODY
    assert rig.names == SMPL_JOINTS
    np.testing.assert_array_equal(body.faces, ADULT.faces)
    np.testing.assert_array_equal(body.weights, ADULT.weights)
    np.testing.assert_array_equal(body.whole_weights, ADULT.whole_weights)
    assert body.whole_rig(shape).names == ADULT.whole_rig(shape).names
    assert lowest_sole_point(body, shape, rest) == pytest.approx(0.0, abs=1e-3)
    for side, away in (("left", 1.0), ("right", -1.0)):
        for above, below in (("shoulder", "elbow"), ("elbow", "wrist")):
            bone = rig.offsets[rig.index(f"{side}_{below}")]
            np.testing.assert_allclose(bone / np.linalg.norm(bone), [away, 0, 0], atol=1e-3, err_msg=above)
        shin = rig.offsets[rig.index(f"{side}_ankle")]
        assert shin[1] / np.linalg.norm(shin) < -0.999
    places = rig.rest_positions
    left, right = places[rig.index("left_wrist")], places[rig.index("right_wrist")]
    np.testing.assert_allclose(left, right * [-1, 1, 1], atol=1e-2)
    assert np.isfinite(body.vertices(shape)).all()


def test_people_of_different_ages_have_their_proportions() -> None:
    child, youth, elder, chibi = (load_body(id) for id in VARIANTS)
    mean = BodyShape()
    assert 1.18 < stature(child, mean) < 1.30
    assert 20 < weight(child, mean) < 30
    assert 1.40 < stature(youth, mean) < 1.60
    assert stature(elder, mean) < stature(ADULT, mean) - 0.02
    assert heads(chibi) < 3.4 < heads(child) < heads(youth) < heads(ADULT)
    assert weight(chibi, mean) > 0


def test_an_elder_has_its_head_further_in_front_of_its_hips_than_an_adult() -> None:
    ahead = [load_body(id).rig(BodyShape()).rest_positions[HEAD, 2] for id in ("anny", "anny:elder")]
    assert ahead[1] > ahead[0] + 0.04


@pytest.mark.parametrize("id", VARIANTS)
def test_a_variants_shape_changes_with_the_adults_components_at_its_own_size(id: str) -> None:
    body, mean = load_body(id), BodyShape()
    assert body.component_names == ADULT.component_names
    for name, measure in (("Height", stature), ("Weight", weight)):
        shape = BodyShape(np.eye(SHAPE_COMPONENTS)[body.component_names.index(name)])
        own, adults = measure(body, shape) / measure(body, mean), measure(ADULT, shape) / measure(ADULT, mean)
        assert own - 1 == pytest.approx(adults - 1, rel=0.5), name


@pytest.mark.parametrize("id", VARIANTS)
def test_women_and_men_differ_in_every_variant(id: str) -> None:
    female, male = (load_body(id).vertices(BodyShape(gender=gender)) for gender in ("female", "male"))
    assert np.linalg.norm(female - male, axis=1).mean() > 0.005


@pytest.mark.parametrize("id", VARIANTS)
def test_what_touches_and_what_fills_a_variant_is_found_at_the_adults_vertices(id: str) -> None:
    body = load_body(id)
    np.testing.assert_array_equal(contact_vertices(body), contact_vertices(ADULT))
    np.testing.assert_array_equal(ball_vertices(body), ball_vertices(ADULT))


@pytest.mark.parametrize("id", VARIANTS)
def test_no_skin_of_a_variant_is_turned_inside_out(id: str) -> None:
    """Triangles of a body that was pulled too far fold over: their normals turn against the adult's."""
    body = load_body(id)
    turned = (unit_normals(body) * unit_normals(ADULT)).sum(axis=1) < -0.2
    assert turned.mean() < 0.004


def unit_normals(body: Body) -> np.ndarray:
    a, b, c = (body.vertices(BodyShape())[body.faces[:, i]].astype(np.float64) for i in range(3))
    normals = np.cross(b - a, c - a)
    return np.asarray(normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12))


def test_bones_of_scale_one_change_nothing_and_others_take_their_skin_and_ways_along() -> None:
    rest, on = rest_of(ADULT), skin_of_all()
    for before, same in zip(rest, Bones(scales_of({}), on).rest(rest), strict=True):
        np.testing.assert_allclose(same, before, atol=1e-6)
    longer = Bones(scales_of({"elbow": (2.0, 1.0, 1.0)}), on).rest(rest)
    wrist, elbow = SMPL_JOINTS.index("left_wrist"), SMPL_JOINTS.index("left_elbow")
    bone = rest.joints[wrist] - rest.joints[elbow]
    np.testing.assert_allclose(longer.joints[wrist] - longer.joints[elbow], bone * [2, 1, 1], atol=1e-6)
    tip = RIGID_JOINTS.index("left_index3")
    np.testing.assert_allclose(longer.rigid[tip] - rest.rigid[tip], bone * [1, 0, 0], atol=1e-6)
    arm = ADULT.component_names.index("Arm length")
    ways = [r.joints_per_beta[wrist, 0, arm] - r.joints_per_beta[elbow, 0, arm] for r in (rest, longer)]
    assert ways[1] == pytest.approx(2 * ways[0], rel=1e-3)


def test_halfway_between_two_rests_is_halfway_and_a_rest_is_put_on_the_floor() -> None:
    adult, child = rest_of(ADULT), rest_of(load_body("anny:child"))
    half = between(adult, child, 0.5)
    np.testing.assert_allclose(half.skin, (adult.skin + child.skin) / 2)
    lifted = on_floor(half._replace(skin=half.skin + [0, 0.3, 0]))
    assert lifted.skin[:, 1].min() == pytest.approx(0.0)
    np.testing.assert_allclose(lifted.joints - half.joints, [[0, -0.3 - half.skin[:, 1].min(), 0]] * 24)


def test_what_is_packed_comes_back_within_a_step_of_a_fraction_of_a_millimetre() -> None:
    adult, child, on = rest_of(ADULT), rest_of(load_body("anny:child")), skin_of_all()
    bones = Bones(fitted_scales(on.weights, adult, child.skin, child.joints), on)
    found = unpacked(adult, packed(adult, child.skin, child.joints, child.rigid, bones), on)
    assert np.abs(found.skin - child.skin).max() < STEP_M
    np.testing.assert_allclose(found.joints, child.joints, atol=1e-6)
    np.testing.assert_allclose(found.rigid, child.rigid, atol=1e-6)
    with pytest.raises(ValueError, match="further off"):
        packed(adult, child.skin + 2.0, child.joints, child.rigid, bones)


def test_a_file_of_a_variant_that_is_missing_damaged_or_of_another_body_is_refused_by_name(tmp_path: Path) -> None:
    adult, on, path = rest_of(ADULT, "male"), skin_of_all(), tmp_path / "child.npz"

    def read() -> RestBody:
        return read_variant("child", "male", adult, on, tmp_path)

    with pytest.raises(InputRefused, match=r"child\.npz: this body file is missing.*--variants"):
        read()
    path.write_bytes((FOLDER / "child.npz").read_bytes()[:5000])
    with pytest.raises(InputRefused, match=r"child\.npz.*--variants"):
        read()
    with np.load(FOLDER / "child.npz") as file:
        arrays = dict(file)
    np.savez(path, **{name: array for name, array in arrays.items() if name != "male_skin"})
    with pytest.raises(InputRefused, match=r"child\.npz.*male_skin.*--variants"):
        read()
    np.savez(path, **{**arrays, "male_joints": arrays["male_joints"][:-1]})
    with pytest.raises(InputRefused, match=r"child\.npz.*\(23, 3\)"):
        read()
    np.savez(path, **{**arrays, "male_skin": arrays["male_skin"].astype(np.float32)})
    with pytest.raises(InputRefused, match=r"child\.npz.*not stored"):
        read()
    np.savez(path, **arrays)
    np.testing.assert_allclose(read().skin, load_body("anny:child").vertices(BodyShape(gender="male")), atol=1e-5)


def test_smoothing_takes_bumps_away_and_leaves_what_is_not_asked() -> None:
    side = np.arange(12)
    grid = np.array([[x, y, 0.0] for x in side for y in side])
    corner = np.array([x * 12 + y for x in range(11) for y in range(11)])
    faces = np.concatenate(
        [np.stack([corner, corner + 1, corner + 12], 1), np.stack([corner + 1, corner + 13, corner + 12], 1)]
    )
    edges, bump = edges_of(faces), grid.copy()
    bump[6 * 12 + 6, 2] = 1.0
    inner = np.array([float(0 < x < 11 and 0 < y < 11) for x in side for y in side])
    soft, flat = smoothed(bump, edges, inner, 20), relaxed(bump, edges, inner, 400)
    assert soft[:, 2].max() < 0.2
    assert np.abs(flat[:, 2]).max() < 1e-3
    np.testing.assert_array_equal(soft[inner == 0], bump[inner == 0])


def test_a_stoop_bends_the_back_and_leaves_hips_and_arms_as_they_are() -> None:
    whole, mean = ADULT.whole_rig(BodyShape()), BodyShape()
    order = [whole.names.index(name.replace("_hand", "_middle1")) for name in SMPLX_JOINTS]
    joints, weights = whole.rest_positions[order].astype(np.float64), ADULT.whole_weights[:, order].astype(np.float64)
    weights /= weights.sum(axis=1, keepdims=True)
    skin = ADULT.vertices(mean).astype(np.float64)
    bent = stooped(People(skin[None], joints[None]), weights, Stoop())
    place = dict(zip(SMPLX_JOINTS, bent.joints[0], strict=True))
    before = dict(zip(SMPLX_JOINTS, joints, strict=True))
    assert place["head"][2] > before["head"][2] + 0.04
    assert place["head"][1] < before["head"][1] - 0.005
    for name in ("pelvis", "left_knee", "right_foot"):
        np.testing.assert_allclose(place[name], before[name], atol=1e-9)
    arm = [each["left_wrist"] - each["left_shoulder"] for each in (before, place)]
    np.testing.assert_allclose(arm[1], arm[0], atol=1e-9)
    feet = skin[:, 1] < 0.05
    np.testing.assert_allclose(bent.vertices[0][feet], skin[feet], atol=1e-9)
