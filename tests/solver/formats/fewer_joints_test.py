"""Poses of ours on rigs with fewer joints: hands, feet and head are where the handles are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from formats_samples import sample_motion, sample_skeleton

from scripts.rigs.foreign_rigs import RESTS, RIGS, Rest, Rig, read_rigs, swaying, written
from scripts.rigs.merged_joints import SPINES, merged
from solver.body.body import BodyShape
from solver.body.bone_lengths import bone_lengths
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.shape_fit import shape_of_bones
from solver.body.whole_rig import smpl_rig
from solver.formats.bvh.motion import relation_of
from solver.formats.bvh.onto_rig import OwnMotion
from solver.formats.bvh.read import to_motion
from solver.formats.bvh.shape import bvh_body
from solver.formats.bvh.world import BvhWorld
from solver.formats.mesh.own_character import OwnCharacter, posed, read_own_character
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.rig.fewer_joints import TIPS, unbent_motion
from solver.rig.roles import ARMS, LEGS, Role

SKELETON = sample_skeleton()
COG = "Legs on root, spine on root (COG)"


def rig_file(folder: Path, rig: Rig, rest: Rest = RESTS["T, cm"], skeleton: Skeleton = SKELETON) -> OwnCharacter:
    path = folder / "rig.bvh"
    path.write_text(written(rig, rest, skeleton, swaying()), encoding="utf-8")
    return read_own_character(path, True)


def off_m(own: OwnCharacter, motion: Motion, skeleton: Skeleton = SKELETON) -> dict[str, float]:
    """How far the rig's joints are from ours at most once it is in the motion, in metres."""
    path = own.path.with_name("posed.bvh")
    path.write_bytes(posed(own, 0, OwnMotion(skeleton, motion)))
    (person,) = read_own_character(path, True).people
    related, world = relation_of(own.people[0], skeleton), BvhWorld(person, slice(None))
    ours = forward_kinematics_batch(skeleton.parents, skeleton.offsets, motion.root_positions, motion.rotations)
    return {
        role: float(
            np.linalg.norm(
                world.position(j) @ related.upright.T * related.scale - ours.positions[:, skeleton.index(role)], axis=1
            ).max()
        )
        for role, j in person.joint_map.joints.items()
    }


def bowing() -> Motion:
    """Somebody who bows and turns in all joints of the spine, with bent arms and one shoulder raised."""
    vectors = np.zeros((3, 24, 3))
    for frame, bend in enumerate((-0.15, 0.2, 0.35)):
        for role in (Role.SPINE1, Role.SPINE2, Role.SPINE3):
            vectors[frame, SKELETON.index(role)] = [bend, 0.1, 0.05]
        vectors[frame, SKELETON.index("left_collar")] = [0.0, 0.0, 0.2]
        vectors[frame, SKELETON.index("left_elbow")] = [0.0, -1.2, 0.0]
        vectors[frame, SKELETON.index("right_elbow")] = [0.0, 1.0, 0.0]
        vectors[frame, SKELETON.index("left_knee")] = [0.6, 0.0, 0.0]
    return Motion(np.zeros((3, 3), np.float32), from_rotation_vector(vectors).astype(np.float32))


@pytest.mark.parametrize("without", [(), ("collars",), ("toes",), ("collars", "toes", "neck")])
@pytest.mark.parametrize("spine", ["none", "1 low", "1 middle", "1 high", "2, ends", "2, low", "2, high"])
def test_hands_feet_and_head_are_where_ours_are_although_spine_joints_are_missing(
    spine: str, without: tuple[str, ...], tmp_path: Path
) -> None:
    off = off_m(rig_file(tmp_path, merged(SPINES[spine], without)), bowing())
    legs = [role for leg in LEGS for role in (leg.end, leg.tip) if role in off]
    assert max(off[role] for role in legs) < 0.001
    one_piece = spine == "none" and "collars" in without  # from pelvis to upper arms, and perhaps to the head
    if not (one_piece and "neck" in without):
        assert off[Role.HEAD] < 0.025
    if not one_piece:
        assert max(off[arm.end] for arm in ARMS) < 0.001


@pytest.mark.parametrize("rest", RESTS)
def test_a_spine_of_two_joints_has_hands_and_feet_where_ours_are_whatever_its_rest_pose(
    rest: str, tmp_path: Path
) -> None:
    rig = read_rigs(RIGS.read_text(encoding="utf-8"))[COG]
    off = off_m(rig_file(tmp_path, rig, RESTS[rest]), sample_motion(5, seed=8, fps=24.0))
    assert max(off[limb.end] for limb in (*ARMS, *LEGS)) < 0.012  # bones of an A-pose point a little otherwise
    assert off[Role.HEAD] < 0.02


@pytest.mark.parametrize("spine", ["3", "4", "5"])
def test_a_rig_with_our_spine_and_collars_turns_as_ours_does(spine: str, tmp_path: Path) -> None:
    own = rig_file(tmp_path, merged(SPINES[spine], ()))
    assert max(off_m(own, bowing()).values()) < 1e-5


@pytest.mark.parametrize("without", [(), ("collars", "toes", "neck")])
@pytest.mark.parametrize("spine", [spine for spine in SPINES if spine[0] in "n12"])
def test_a_motion_of_such_a_rig_that_nobody_edited_goes_back_unaltered(
    spine: str, without: tuple[str, ...], tmp_path: Path
) -> None:
    own = rig_file(tmp_path, merged(SPINES[spine], without))
    motion, _ = to_motion(own.people[0], SKELETON)
    path = tmp_path / "posed.bvh"
    path.write_bytes(posed(own, 0, OwnMotion(SKELETON, motion)))
    (back,) = read_own_character(path, True).people
    for joint in range(len(back.joints)):
        before, after = (BvhWorld(each, slice(None)).position(joint) for each in (own.people[0], back))
        assert after == pytest.approx(before, abs=1e-4), back.names[joint]  # centimetres


@pytest.mark.parametrize("without", [(), ("toes",), ("collars", "toes", "neck")])
@pytest.mark.parametrize("spine", ["1 low", "1 middle", "1 high", "2, low", "3"])
@pytest.mark.parametrize("gender", ["male", "female"])
def test_a_rig_with_fewer_joints_gets_the_body_whose_hands_and_head_are_where_its_own_are(
    gender: str, spine: str, without: tuple[str, ...], tmp_path: Path
) -> None:
    body = load_body(DEFAULT_BODY)
    betas = np.random.default_rng(7).normal(size=10).astype(np.float32)
    own = rig_file(tmp_path, merged(SPINES[spine], without), skeleton=body.skeleton(BodyShape(betas, gender)))
    id, fit = bvh_body(own.people[0], body)
    ours = load_body(id).skeleton(fit.shape)
    at_rest = Motion(np.zeros((1, 3), np.float32), np.tile(np.eye(3, dtype=np.float32), (1, 24, 1, 1)))
    off = off_m(own, at_rest, ours)
    assert max(off[role] for role in (*(limb.end for limb in (*ARMS, *LEGS)), Role.HEAD)) < 0.003


@pytest.mark.parametrize("drawn", [False, True])
def test_a_rig_with_a_longer_trunk_than_ours_has_hands_and_head_nearer_the_handles_than_its_bones_alone_bring_them(
    drawn: bool, tmp_path: Path
) -> None:
    offsets = np.array(SKELETON.offsets)
    offsets[[SKELETON.index(role) for role in (Role.SPINE1, Role.SPINE2, Role.SPINE3, Role.NECK)]] *= 1.08
    own = rig_file(tmp_path, merged(SPINES["3"], ()), skeleton=Skeleton(SKELETON.names, SKELETON.parents, offsets))
    (person,) = own.people
    places = {name: person.rest_positions[j] / 100 for name, j in person.joint_map.joints.items()}
    if drawn:
        person = replace(person, places=tuple(range(len(person.joints))))
    body, off = load_body(DEFAULT_BODY), []
    for fit in (bvh_body(person, body)[1], shape_of_bones(bone_lengths(places), body)):
        found = off_m(own, bowing(), body.skeleton(fit.shape))
        off.append(max(found[role] for role in (*(arm.end for arm in ARMS), Role.HEAD)))
    assert off[0] < 2 * off[1] / 3, off


def test_toes_and_hands_that_a_character_lacks_are_straightened_and_all_else_stays() -> None:
    rig, motion = smpl_rig(SKELETON.rest_positions, frozenset(TIPS)), sample_motion(3, seed=4)
    straight, tips = unbent_motion(rig, motion), [rig.joint(role) for role in TIPS]
    others = [j for j in range(len(rig)) if j not in tips]
    assert (straight.rotations[:, tips] == np.eye(3)).all()
    assert (straight.rotations[:, others] == motion.rotations[:, others]).all()
    assert (straight.root_positions == motion.root_positions).all()
