"""The body that poses the user's own character: its joints, and its soles, are where the character's are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scripts.rigs.foreign_rigs import RIGS, Rest, read_rigs, swaying, written
from scripts.rigs.skinned_rigs import PROPORTIONS, SOLE, THICK, Binding, glb_rig, in_proportions
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, is_fitted, load_body
from solver.formats.bvh.motion import relation_of
from solver.formats.bvh.onto_rig import OwnMotion
from solver.formats.gltf.nodes import StandingNodes, node_parents
from solver.formats.gltf.skeletons import read_skeletons
from solver.formats.mesh.own_body import body_without_skin, own_body, own_joints
from solver.formats.mesh.own_character import posed, read_own_character
from solver.formats.mesh.rig_skin import RigSkin, rig_skin
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import ARMS, LEGS, LIMBS, SPINE, Role

BODY = load_body(DEFAULT_BODY)
SKELETON = BODY.skeleton(BodyShape())
NEAR = 2e-4  # metres
LOWERED = Binding(Rest(np.radians(40), np.radians(6)), unit=100.0, armature=(0.01, 0.01, 0.01))


def skin_of(folder: Path, rig: str, proportions: str, binding: Binding = LOWERED) -> RigSkin:
    path, tree = folder / "rig.glb", read_rigs(RIGS.read_text(encoding="utf-8"))[rig]
    path.write_bytes(glb_rig(tree, in_proportions(SKELETON, PROPORTIONS[proportions]), binding))
    found = read_skeletons(path)
    return rig_skin(found, found.people[0])


def body_for(rig: RigSkin) -> Skeleton:
    id, fit = own_body(rig, BODY)
    assert is_fitted(id)
    return load_body(id).skeleton(fit.shape)


def bent(skeleton: Skeleton) -> Motion:
    vectors = np.random.default_rng(3).normal(0.0, 0.4, (1, len(skeleton), 3))
    return Motion(np.array([[0.3, 1.0, -0.2]], np.float32), from_rotation_vector(vectors).astype(np.float32))


def off(rig: RigSkin, skeleton: Skeleton, motion: Motion) -> dict[str, float]:
    """Metres from each joint of the rig, as drawn, to ours."""
    worlds = rig.matrices(OwnMotion(skeleton, motion)) @ np.linalg.inv(rig.binds)
    bones, places = rig.bones.tolist(), rig.person.places or ()
    ours = forward_kinematics_batch(skeleton.parents, skeleton.offsets, motion.root_positions, motion.rotations)
    return {
        role: float(np.linalg.norm(worlds[bones.index(places[j]), :3, 3] - ours.positions[0, skeleton.index(role)]))
        for role, j in rig.person.joint_map.joints.items()
    }


@pytest.mark.parametrize("proportions", ["mannequin", "long legs", "toon", "ape"])
@pytest.mark.parametrize("rig", ["Mixamo", "Unreal 5", "Rigify DEF"])
def test_all_joints_are_where_those_of_the_body_are_in_any_pose_and_proportions(
    rig: str, proportions: str, tmp_path: Path
) -> None:
    skin = skin_of(tmp_path, rig, proportions)
    skeleton = body_for(skin)
    assert max(off(skin, skeleton, bent(skeleton)).values()) < NEAR


def test_a_rig_without_collars_and_spine_has_its_limbs_and_head_where_the_body_stands(tmp_path: Path) -> None:
    skin = skin_of(tmp_path, "Simple no neck/toes/clav", "toon")
    skeleton = body_for(skin)
    still = Motion(np.zeros((1, 3), np.float32), np.tile(np.eye(3, dtype=np.float32), (1, 24, 1, 1)))
    found = off(skin, skeleton, still)
    assert max(found[role] for role in (*(role for limb in LIMBS for role in limb.line), Role.HEAD)) < NEAR


def test_joints_that_a_rig_lacks_are_between_the_others(tmp_path: Path) -> None:
    skeleton = body_for(skin_of(tmp_path, "Simple no neck/toes/clav", "toon"))
    rest = dict(zip(skeleton.names, skeleton.rest_positions, strict=True))
    assert rest[SPINE[-1]][1] < rest[Role.NECK][1] < rest[Role.HEAD][1]
    for arm in ARMS:
        assert arm.girdle is not None
        assert 0 < abs(rest[arm.girdle][0]) < abs(rest[arm.root][0])
    for leg in LEGS:
        assert rest[leg.tip][2] > rest[leg.end][2]


def test_the_soles_are_as_far_below_the_ankles_as_the_characters_skin(tmp_path: Path) -> None:
    skin = skin_of(tmp_path, "Mixamo", "toon")
    id, fit = own_body(skin, BODY)
    body = load_body(id)
    ankles = [body.skeleton(fit.shape).rest_positions[SKELETON.index(leg.end), 1] for leg in LEGS]
    sole = float(body.vertices(fit.shape)[:, 1].min())
    assert np.mean(ankles) - sole == pytest.approx((SOLE + THICK) / fit.scale, rel=0.05)
    assert np.ptp(ankles) < 1e-4


@pytest.mark.parametrize("proportions", ["mannequin", "toon", "ape", "long legs"])
def test_an_adults_size_is_that_of_the_file_whatever_the_legs(proportions: str, tmp_path: Path) -> None:
    skin = skin_of(tmp_path, "Mixamo", proportions)
    id, fit = own_body(skin, BODY)
    scale = relation_of(skin.person, load_body(id).skeleton(fit.shape)).scale
    assert scale * fit.scale == pytest.approx(1.0, abs=2e-3)


def test_feet_without_skin_are_as_high_as_ours(tmp_path: Path) -> None:
    skin = skin_of(tmp_path, "Mixamo", "mannequin")
    bare = replace(skin, joints=np.zeros_like(skin.joints))
    id, fit = own_body(bare, BODY)
    body, usual = load_body(id), BODY.skeleton(BodyShape()).rest_positions[SKELETON.index(LEGS[0].end), 1]
    ankle = body.skeleton(fit.shape).rest_positions[SKELETON.index(LEGS[0].end), 1]
    assert ankle == pytest.approx(usual, rel=0.25)


def test_a_character_with_the_joints_of_a_body_of_ours_needs_no_other_body(tmp_path: Path) -> None:
    assert own_body(skin_of(tmp_path, "Unreal 5", "ours", Binding()), BODY)[0] == DEFAULT_BODY


def test_a_body_of_another_kind_is_left_to_its_shapes(tmp_path: Path) -> None:
    skin = skin_of(tmp_path, "Unreal 5", "toon")
    assert own_body(skin, load_body(f"{DEFAULT_BODY}:child"))[0] == f"{DEFAULT_BODY}:child"


def test_limbs_without_length_and_giants_arms_are_left_to_our_shapes(tmp_path: Path) -> None:
    skin = skin_of(tmp_path, "Unreal 5", "ours", Binding())
    for times in (1e-3, 30.0):
        stretched = in_proportions(SKELETON, {"wrist": times})
        path = tmp_path / "odd.glb"
        path.write_bytes(glb_rig(read_rigs(RIGS.read_text(encoding="utf-8"))["Unreal 5"], stretched))
        found = read_skeletons(path)
        assert not is_fitted(own_body(rig_skin(found, found.people[0]), BODY)[0])
    assert own_joints(skin.person, SKELETON) is not None


def test_who_has_stubs_for_arms_and_short_legs_is_left_to_our_shapes(tmp_path: Path) -> None:
    """Long enough as drawn with our legs, but not at the size of the file: opening failed for want of such a body."""
    stubs = in_proportions(SKELETON, {"wrist": 0.07, "knee": 0.35, "ankle": 0.35})
    path = tmp_path / "stubs.glb"
    path.write_bytes(glb_rig(read_rigs(RIGS.read_text(encoding="utf-8"))["Mixamo"], stubs))
    found = read_skeletons(path)
    id, fit = own_body(rig_skin(found, found.people[0]), BODY)
    assert not is_fitted(id)
    assert np.isfinite(load_body(id).vertices(fit.shape)).all()


def test_the_report_says_that_the_joints_are_the_characters(tmp_path: Path) -> None:
    _, fit = own_body(skin_of(tmp_path, "Mixamo", "ape"), BODY)
    assert fit.text().startswith("Body shape: with its joints where the character has them")


def test_a_giant_of_a_gltf_file_is_no_person_in_feet(tmp_path: Path) -> None:
    skin = skin_of(tmp_path, "Mixamo", "mannequin", Binding(size=3.0))
    assert relation_of(skin.person, SKELETON).unit == "m"


@pytest.mark.parametrize(("proportions", "own"), [("mannequin", False), ("toon", True), ("ape", True)])
def test_an_odd_figure_of_a_bvh_file_gets_its_own_proportions_and_a_person_one_of_our_shapes(
    proportions: str, own: bool, tmp_path: Path
) -> None:
    path, tree = tmp_path / "rig.bvh", read_rigs(RIGS.read_text(encoding="utf-8"))["HumanIK"]
    skeleton = in_proportions(SKELETON, PROPORTIONS[proportions])
    path.write_text(written(tree, Rest(np.radians(45)), skeleton, swaying()), encoding="utf-8")
    (person,) = read_own_character(path, True).people
    id, fit = body_without_skin(person, BODY)
    assert is_fitted(id) == own == fit.own_joints
    body = load_body(id).skeleton(fit.shape)
    if own:
        joints = own_joints(person, body)
        assert joints is not None
        assert np.abs(joints - body.rest_positions).max() < NEAR


def test_a_mesh_above_the_pelvis_goes_along_as_the_whole_person_is_moved_in_view_and_file(tmp_path: Path) -> None:
    skin = skin_of(tmp_path, "Roblox", "mannequin")
    skeleton, way = body_for(skin), RigidMotion(from_rotation_vector([0.0, 0.7, 0.0]), np.array([1.0, 0.2, -2.0]))
    here = bent(skeleton)
    rotations = here.rotations.copy()
    rotations[:, 0] = way.turn @ rotations[:, 0]
    there = OwnMotion(skeleton, Motion(way.points(here.root_positions), rotations), moved=way)
    along = np.eye(4)
    along[:3, :3], along[:3, 3] = way
    before, after = (skin.matrices(own) for own in (OwnMotion(skeleton, here), there))
    assert after == pytest.approx(along @ before, abs=1e-5)

    path = tmp_path / "posed.glb"
    path.write_bytes(posed(read_own_character(tmp_path / "rig.glb", False), 0, there))
    related, roots = relation_of(skin.person, skeleton), []
    for found in (skin.found, read_skeletons(path)):
        nodes = found.gltf.content["nodes"]
        root = StandingNodes(nodes, node_parents(nodes), {}, above=found.above).world(1)[0]
        roots.append(related.scale * related.upright @ root[:3, 3])
    assert roots[1] == pytest.approx(way.points(roots[0]), abs=1e-5)
