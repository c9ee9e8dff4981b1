"""Joint names of many programs are recognised as our 24 joints."""

from __future__ import annotations

from itertools import pairwise
from time import process_time

import pytest
from foreign_rigs import depth_first

from solver.errors import InputRefused, UnknownName
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS
from solver.rig.joint_names import PROFILES, written_names
from solver.rig.joint_recognition import recognise_joints
from solver.rig.joint_words import joint_words

# Trees as "parent > child child > grandchild of the first child".
TREES = {
    "CMU": """Hips > LHipJoint RHipJoint LowerBack; LHipJoint > LeftUpLeg > LeftLeg > LeftFoot > LeftToeBase;
        RHipJoint > RightUpLeg > RightLeg > RightFoot > RightToeBase; LowerBack > Spine > Spine1;
        Spine1 > Neck LeftShoulder RightShoulder; Neck > Neck1 > Head;
        LeftShoulder > LeftArm > LeftForeArm > LeftHand; LeftHand > LeftFingerBase LThumb;
        RightShoulder > RightArm > RightForeArm > RightHand; RightHand > RightFingerBase RThumb""",
    "CMU skeleton file": """root > lhipjoint rhipjoint lowerback; lhipjoint > lfemur > ltibia > lfoot > ltoes;
        rhipjoint > rfemur > rtibia > rfoot > rtoes; lowerback > upperback > thorax;
        thorax > lowerneck lclavicle rclavicle; lowerneck > upperneck > head;
        lclavicle > lhumerus > lradius > lwrist > lhand; rclavicle > rhumerus > rradius > rwrist > rhand""",
    "LaFAN1": """Hips > LeftUpLeg RightUpLeg Spine; LeftUpLeg > LeftLeg > LeftFoot > LeftToe;
        RightUpLeg > RightLeg > RightFoot > RightToe; Spine > Spine1 > Spine2;
        Spine2 > Neck LeftShoulder RightShoulder; Neck > Head; LeftShoulder > LeftArm > LeftForeArm > LeftHand;
        RightShoulder > RightArm > RightForeArm > RightHand""",
    "SMPL exports": """root > Pelvis > L_Hip R_Hip Spine1; L_Hip > L_Knee > L_Ankle > L_Foot; Spine1 > Spine2 > Spine3;
        R_Hip > R_Knee > R_Ankle > R_Foot; Spine3 > Neck L_Collar R_Collar; Neck > Head;
        L_Collar > L_Shoulder > L_Elbow > L_Wrist > L_Hand; R_Collar > R_Shoulder > R_Elbow > R_Wrist > R_Hand""",
    "Biped": """Bip01 > Bip01_Pelvis > Bip01_Spine; Bip01_Spine > Bip01_L_Thigh Bip01_R_Thigh Bip01_Spine1;
        Bip01_L_Thigh > Bip01_L_Calf > Bip01_L_Foot > Bip01_L_Toe0; Bip01_Spine1 > Bip01_Neck;
        Bip01_R_Thigh > Bip01_R_Calf > Bip01_R_Foot > Bip01_R_Toe0;
        Bip01_Neck > Bip01_Head Bip01_L_Clavicle Bip01_R_Clavicle;
        Bip01_L_Clavicle > Bip01_L_UpperArm > Bip01_L_Forearm > Bip01_L_Hand;
        Bip01_R_Clavicle > Bip01_R_UpperArm > Bip01_R_Forearm > Bip01_R_Hand""",
    "Unreal": """root > pelvis ik_foot_root; ik_foot_root > ik_foot_l; pelvis > spine_01 thigh_l thigh_r;
        spine_01 > spine_02 > spine_03 > spine_04 > spine_05; spine_05 > clavicle_l clavicle_r neck_01;
        neck_01 > neck_02 > head; clavicle_l > upperarm_l > lowerarm_l; lowerarm_l > hand_l lowerarm_twist_01_l;
        clavicle_r > upperarm_r > lowerarm_r > hand_r; hand_l > middle_01_l; hand_r > middle_01_r;
        thigh_l > calf_l > foot_l > ball_l; thigh_r > calf_r > foot_r > ball_r""",
    "Daz": """hip > pelvis abdomenLower; pelvis > lThighBend rThighBend;
        lThighBend > lThighTwist > lShin > lFoot > lToe;
        rThighBend > rThighTwist > rShin > rFoot > rToe; abdomenLower > abdomenUpper > chestLower > chestUpper;
        chestUpper > lCollar rCollar neckLower; neckLower > neckUpper > head;
        lCollar > lShldrBend > lShldrTwist > lForearmBend > lForearmTwist > lHand;
        rCollar > rShldrBend > rShldrTwist > rForearmBend > rForearmTwist > rHand""",
    "VRM": """Root > J_Bip_C_Hips > J_Bip_C_Spine J_Bip_L_UpperLeg J_Bip_R_UpperLeg;
        J_Bip_C_Spine > J_Bip_C_Chest > J_Bip_C_UpperChest > J_Bip_C_Neck J_Bip_L_Shoulder J_Bip_R_Shoulder;
        J_Bip_C_Neck > J_Bip_C_Head; J_Bip_L_Shoulder > J_Bip_L_UpperArm > J_Bip_L_LowerArm > J_Bip_L_Hand;
        J_Bip_R_Shoulder > J_Bip_R_UpperArm > J_Bip_R_LowerArm > J_Bip_R_Hand;
        J_Bip_L_UpperLeg > J_Bip_L_LowerLeg > J_Bip_L_Foot > J_Bip_L_ToeBase;
        J_Bip_R_UpperLeg > J_Bip_R_LowerLeg > J_Bip_R_Foot > J_Bip_R_ToeBase""",
    "Biovision": """Hips > LeftHip RightHip Chest; LeftHip > LeftKnee > LeftAnkle > LeftToe;
        RightHip > RightKnee > RightAnkle > RightToe; Chest > Chest2 > Chest3 > Chest4;
        Chest4 > LeftCollar RightCollar Neck; Neck > Head; LeftCollar > LeftShoulder > LeftElbow > LeftWrist;
        RightCollar > RightShoulder > RightElbow > RightWrist""",
}
# Per tree: spine1, spine2, spine3, left_hip, left_knee, left_ankle, left_foot, left_collar, left_shoulder,
# left_elbow, left_wrist; "-" where the tree has none.
EXPECTED = {
    "CMU": "LowerBack Spine Spine1 LeftUpLeg LeftLeg LeftFoot LeftToeBase LeftShoulder LeftArm LeftForeArm LeftHand",
    "CMU skeleton file": "lowerback upperback thorax lfemur ltibia lfoot ltoes lclavicle lhumerus lradius lwrist",
    "LaFAN1": "Spine Spine1 Spine2 LeftUpLeg LeftLeg LeftFoot LeftToe LeftShoulder LeftArm LeftForeArm LeftHand",
    "SMPL exports": "Spine1 Spine2 Spine3 L_Hip L_Knee L_Ankle L_Foot L_Collar L_Shoulder L_Elbow L_Wrist",
    "Biped": "Bip01_Spine - Bip01_Spine1 Bip01_L_Thigh Bip01_L_Calf Bip01_L_Foot Bip01_L_Toe0 Bip01_L_Clavicle "
    "Bip01_L_UpperArm Bip01_L_Forearm Bip01_L_Hand",
    "Unreal": "spine_01 spine_03 spine_05 thigh_l calf_l foot_l ball_l clavicle_l upperarm_l lowerarm_l hand_l",
    "Daz": "abdomenLower chestLower chestUpper lThighBend lShin lFoot lToe lCollar lShldrBend lForearmBend lHand",
    "VRM": "J_Bip_C_Spine J_Bip_C_Chest J_Bip_C_UpperChest J_Bip_L_UpperLeg J_Bip_L_LowerLeg J_Bip_L_Foot "
    "J_Bip_L_ToeBase J_Bip_L_Shoulder J_Bip_L_UpperArm J_Bip_L_LowerArm J_Bip_L_Hand",
    "Biovision": "Chest Chest3 Chest4 LeftHip LeftKnee LeftAnkle LeftToe LeftCollar LeftShoulder LeftElbow LeftWrist",
}
OURS = (
    "spine1", "spine2", "spine3", "left_hip", "left_knee", "left_ankle", "left_foot", "left_collar",
    "left_shoulder", "left_elbow", "left_wrist",
)  # fmt: skip


def tree(text: str) -> tuple[list[str], list[int]]:
    """Names and parents, depth first; the last name of a chain has the children that follow it."""
    children: dict[str, list[str]] = {}
    root = ""
    for line in text.split(";"):
        groups = [group.split() for group in line.split(">")]
        root = root or groups[0][0]
        for (above, *_), below in pairwise(groups):
            children.setdefault(above, []).extend(below)
    return depth_first(children, root)


@pytest.mark.parametrize("profile", PROFILES)
def test_our_own_sets_of_names_are_recognised_whole(profile: str) -> None:
    found = recognise_joints(written_names(SMPL_JOINTS, profile), SMPL_PARENTS, "a.bvh")
    assert found.joints == {name: j for j, name in enumerate(SMPL_JOINTS)}
    assert found.missing == found.extra == ()


@pytest.mark.parametrize("program", TREES)
def test_the_names_of_other_programs_are_recognised(program: str) -> None:
    names, parents = tree(TREES[program])
    found = recognise_joints(names, parents, "a.bvh")
    assert [names[found.joints[j]] if j in found.joints else "-" for j in OURS] == EXPECTED[program].split()
    for ours in OURS:
        mirrored = ours.replace("left", "right")
        assert (mirrored in found.joints) == (ours in found.joints)
    assert {"pelvis", "neck", "head"} <= set(found.joints)
    assert set(found.missing).isdisjoint(found.joints)
    assert len(found.joints) + len(found.missing) == 24


def test_a_head_is_recognised_without_a_neck_and_with_one_only_above_it() -> None:
    bare = TREES["LaFAN1"].replace(
        "Spine2 > Neck LeftShoulder RightShoulder; Neck > Head", "Spine2 > Head LeftShoulder RightShoulder"
    )
    names, parents = tree(bare)
    found = recognise_joints(names, parents, "a.bvh")
    assert names[found.joints["head"]] == "Head"
    assert "neck" in found.missing
    names, parents = tree(TREES["LaFAN1"].replace("Hips > LeftUpLeg", "Hips > prop:Head LeftUpLeg"))
    found = recognise_joints(names, parents, "a.bvh")
    assert names[found.joints["head"]] == "Head"


@pytest.mark.parametrize(
    "spelling",
    [str.upper, str.lower, lambda n: n.replace("_", " "), lambda n: f"Ann:{n}", lambda n: f"|Group|Ann:{n}",
     lambda n: n.replace("_", "-"), lambda n: n.replace("left", "L").replace("right", "R"),
     lambda n: "_".join([*n.split("_")[1:], n[0]]) if n.startswith(("left", "right")) else n],
)  # fmt: skip
def test_case_spaces_namespaces_and_the_place_of_the_side_do_not_matter(spelling) -> None:
    names = [spelling(name) for name in SMPL_JOINTS]
    found = recognise_joints(names, SMPL_PARENTS, "a.bvh")
    assert found.joints == {name: j for j, name in enumerate(SMPL_JOINTS)}


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("mixamorig:LeftHandMiddle1", ("left", "middle finger")),
        ("LeftForeArmRoll", ("", "")),
        ("Head_End", ("", "")),
        ("HeadTop_End", ("", "")),
        ("radius", ("", "forearm")),
        ("leg", ("", "leg")),
        ("Left_Knee_Joint", ("left", "shin")),
        ("Zehe_L", ("left", "")),
    ],
)
def test_a_name_is_read_as_side_and_part(name: str, meaning: tuple[str, str]) -> None:
    assert tuple(joint_words(name)) == meaning


def test_a_name_of_a_hundred_thousand_words_takes_no_time() -> None:
    start = process_time()
    assert joint_words("aB" * 50_000 + "LeftForeArm") == ("left", "forearm")
    assert joint_words("aB" * 50_000 + "_lforearm") == ("left", "forearm")
    assert process_time() - start < 5.0


def test_what_is_missing_is_named() -> None:
    names = ["thing" if name in ("left_knee", "right_elbow") else name for name in SMPL_JOINTS]
    with pytest.raises(InputRefused, match="recognised as left knee or right elbow"):
        recognise_joints(names, SMPL_PARENTS, "a.bvh")


def test_a_knee_that_hangs_from_an_arm_is_not_taken_for_a_knee() -> None:
    parents = list(SMPL_PARENTS)
    parents[SMPL_JOINTS.index("left_knee")] = 0
    with pytest.raises(InputRefused, match="left knee"):
        recognise_joints(SMPL_JOINTS, parents, "a.bvh")


def test_written_names_are_unique_short_and_without_spaces() -> None:
    for profile in PROFILES:
        names = written_names(SMPL_JOINTS, profile)
        assert len(set(names)) == 24
        assert all(len(name) <= 63 and " " not in name for name in names)
    assert written_names(("tail bone",), "humanik") == ("tail_bone",)
    with pytest.raises(UnknownName, match="smpl, humanik, mixamo"):
        written_names(SMPL_JOINTS, "poser")
