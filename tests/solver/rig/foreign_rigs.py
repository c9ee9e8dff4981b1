"""Joint trees as other programs name them, with what each joint is, and where the joints are in a T-pose."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from formats_samples import sample_skeleton

SKELETON = sample_skeleton()
_ROLES = {
    "P": "pelvis", "S1": "spine1", "S2": "spine2", "S3": "spine3", "N": "neck", "H": "head", "c": "collar",
    "s": "shoulder", "e": "elbow", "w": "wrist", "h": "hip", "k": "knee", "a": "ankle", "f": "foot",
}  # fmt: skip
_SIDES = {
    "left": {"S": "Left", "L": "L", "l": "l", "J": "左", "Z": "links"},
    "right": {"S": "Right", "L": "R", "l": "r", "J": "右", "Z": "rechts"},
}
# "a=P > b c; c > d" is a tree; what follows "=" is the role. A line with {S} (Left, Right), {L}, {l} … stands for both
# sides, and "~" for a space.
NAMED = {
    "Skyrim": """NPC~Root~[Root] > NPC~COM~[COM~] > NPC~Pelvis~[Pelv]=P;
        NPC~Pelvis~[Pelv] > NPC~{L}~Thigh~[{L}Thg]=h > NPC~{L}~Calf~[{L}Clf]=k > NPC~{L}~Foot~[{L}ft~]=a;
        NPC~{L}~Foot~[{L}ft~] > NPC~{L}~Toe0~[{L}Toe]=f;
        NPC~COM~[COM~] > NPC~Spine~[Spn0]=S1 > NPC~Spine1~[Spn1]=S2 > NPC~Spine2~[Spn2]=S3 > NPC~Neck~[Neck]=N;
        NPC~Neck~[Neck] > NPC~Head~[Head]=H; NPC~Spine2~[Spn2] > NPC~{L}~Clavicle~[{L}Clv]=c;
        NPC~{L}~Clavicle~[{L}Clv] > NPC~{L}~UpperArm~[{L}Uar]=s > NPC~{L}~Forearm~[{L}Lar]=e;
        NPC~{L}~Forearm~[{L}Lar] > NPC~{L}~Hand~[{L}Hnd]=w""",
    "MikuMikuDance": """全ての親 > センター > グルーブ > 腰 > 上半身=S1 > 上半身2=S3 > 首=N > 頭=H; 頭 > {J}目;
        上半身2 > {J}肩P > {J}肩=c > {J}肩C > {J}腕=s > {J}腕捩 > {J}ひじ=e > {J}手捩 > {J}手首=w > {J}人指１;
        腰 > 下半身=P; 下半身 > {J}足=h > {J}ひざ=k > {J}足首=a > {J}つま先=f; 全ての親 > {J}足ＩＫ > {J}つま先ＩＫ""",
    "mmd_tools": """センター > 下半身=P; センター > 上半身=S1 > 上半身2=S3 > 首=N > 頭=H;
        下半身 > 足.{L}=h > ひざ.{L}=k > 足首.{L}=a > つま先.{L}=f;
        上半身2 > 肩.{L}=c > 腕.{L}=s > ひじ.{L}=e > 手首.{L}=w""",
    "MikuMikuDance in English": """center > lower~body=P; lower~body > leg_{L}=h > knee_{L}=k > ankle_{L}=a > toe_{L}=f;
        lower~body > upper~body=S2 > neck=N > head=H;
        upper~body > shoulder_{L}=c > arm_{L}=s > elbow_{L}=e > wrist_{L}=w""",
    "Advanced Skeleton": """Root_M=P > Spine1_M=S1 > Spine2_M=S2 > Chest_M=S3 > Neck_M=N > Head_M=H > Jaw_M;
        Chest_M > Scapula_{L}=c > Shoulder_{L}=s > ShoulderPart1_{L} > Elbow_{L}=e > ElbowPart1_{L} > Wrist_{L}=w;
        Root_M > Hip_{L}=h > HipPart1_{L} > Knee_{L}=k > KneePart1_{L} > Ankle_{L}=a > Toes_{L}=f > ToesEnd_{L}""",
    "Auto-Rig Pro": """root.x=P > spine_01.x=S1 > spine_02.x=S2 > spine_03.x=S3 > neck.x=N > head.x=H;
        spine_03.x > shoulder.{l}=c > arm_stretch.{l}=s > forearm_stretch.{l}=e > hand.{l}=w;
        arm_stretch.{l} > arm_twist.{l}; leg_stretch.{l} > leg_twist.{l};
        root.x > thigh_stretch.{l}=h > leg_stretch.{l}=k > foot.{l}=a > toes_01.{l}=f""",
    "Motive": """Skeleton1_Hips=P > Skeleton1_Ab=S1 > Skeleton1_Chest=S3 > Skeleton1_Neck=N > Skeleton1_Head=H;
        Skeleton1_Chest > Skeleton1_{L}Shoulder=c > Skeleton1_{L}UArm=s > Skeleton1_{L}FArm=e > Skeleton1_{L}Hand=w;
        Skeleton1_Hips > Skeleton1_{L}Thigh=h > Skeleton1_{L}Shin=k > Skeleton1_{L}Foot=a > Skeleton1_{L}Toe=f""",
    "Character Creator": """RL_BoneRoot > CC_Base_Hip > CC_Base_Pelvis=P; CC_Base_Pelvis > CC_Base_{L}_Thigh=h;
        CC_Base_{L}_Thigh > CC_Base_{L}_ThighTwist01 CC_Base_{L}_Calf=k; CC_Base_{L}_Foot=a > CC_Base_{L}_ToeBase=f;
        CC_Base_{L}_Calf > CC_Base_{L}_KneeShareBone CC_Base_{L}_Foot;
        CC_Base_Hip > CC_Base_Waist=S1 > CC_Base_Spine01=S2 > CC_Base_Spine02=S3 > CC_Base_NeckTwist01=N;
        CC_Base_NeckTwist01 > CC_Base_NeckTwist02 > CC_Base_Head=H > CC_Base_FacialBone > CC_Base_JawRoot;
        CC_Base_Spine02 > CC_Base_{L}_RibsTwist CC_Base_{L}_Clavicle=c > CC_Base_{L}_Upperarm=s;
        CC_Base_{L}_Upperarm > CC_Base_{L}_UpperarmTwist01 CC_Base_{L}_Forearm=e > CC_Base_{L}_Hand=w""",
    "Rigify": """spine=P > spine.001=S1 > spine.002=S2 > spine.003=S3 > spine.004=N > spine.005 > spine.006=H;
        spine.006 > face > jaw; face > ear.{L} lip.T.{L}; spine.003 > shoulder.{L}=c > upper_arm.{L}=s > forearm.{L}=e;
        forearm.{L} > hand.{L}=w > palm.01.{L} > f_index.01.{L}; spine.003 > breast.{L}; spine > pelvis.{L};
        spine > thigh.{L}=h > shin.{L}=k > foot.{L}=a > toe.{L}=f; foot.{L} > heel.02.{L}""",
    "Maya, bound": """A:C_root_BIND=P > A:C_spine01_BIND=S1 > A:C_spine02_BIND=S3 > A:C_neck_BIND=N > A:C_head_BIND=H;
        A:C_spine02_BIND > A:{L}_arm_clavicle_BIND=c > A:{L}_arm_shoulder_BIND=s > A:{L}_arm_elbow_BIND=e;
        A:{L}_arm_elbow_BIND > A:{L}_arm_wrist_BIND=w; A:C_root_BIND > A:{L}_hip_joint=h > A:{L}_knee_joint=k;
        A:{L}_knee_joint > A:{L}_ankle_joint=a > A:{L}_ball_joint=f""",
    "a scene with furniture": """Scene > Camera1 > Camera1_Target; Scene > Chair; Chair > Chair_Leg_{L} Chair_Arm_{L};
        Scene > Puppet_Head; Scene > Reference > Hips=P > Spine=S1 > Spine1=S3 > Neck=N > Head=H;
        Spine1 > {S}Shoulder=c > {S}Arm=s > {S}ForeArm=e > {S}Hand=w > {S}HandProp;
        Hips > {S}UpLeg=h > {S}Leg=k > {S}Foot=a > {S}ToeBase=f""",
}  # fmt: skip
UNNAMED = {
    "Khronos' RiggedFigure": """torso_1=P > torso_2=S1 > torso_3=S3 > neck_1=N > neck_2=H;
        torso_3 > arm_joint_{L}_1=s > arm_joint_{L}_2=e > arm_joint_{L}_3=w;
        torso_1 > leg_joint_{L}_1=h > leg_joint_{L}_2=k > leg_joint_{L}_3=a > leg_joint_{L}_5=f""",
    "German": """Becken=P > Wirbel1=S1 > Wirbel2=S3 > Hals=N > Kopf=H;
        Wirbel2 > Schluesselbein_{Z}=c > Oberarm_{Z}=s > Unterarm_{Z}=e > Hand_{Z}=w;
        Becken > Oberschenkel_{Z}=h > Unterschenkel_{Z}=k > Fuss_{Z}=a > Zehen_{Z}=f""",
    "Blender's own": """Bone=P > Bone.001=S1 > Bone.002=S3 > Bone.003=N > Bone.004=H;
        Bone.002 > Bone.{L}5=c > Bone.{L}6=s > Bone.{L}7=e > Bone.{L}8=w > Bone.{L}9 > Bone.{L}10;
        Bone > Bone.{L}13=h > Bone.{L}14=k > Bone.{L}15=a > Bone.{L}16=f""",
}  # fmt: skip


class ForeignRig(NamedTuple):
    """roles: of each joint, our name or "" where it stands for none of ours. places: (J, 3) metres in a T-pose."""

    names: list[str]
    parents: list[int]
    roles: list[str]
    places: np.ndarray

    @property
    def by_role(self) -> dict[str, str]:
        """What the rig calls our joints."""
        return {role: name for role, name in zip(self.roles, self.names, strict=True) if role}


def depth_first(children: Mapping[str, Sequence[str]], root: str) -> tuple[list[str], list[int]]:
    """Names and parents of a tree, each joint before what hangs from it."""
    names: list[str] = []
    parents: list[int] = []

    def visit(name: str, parent: int) -> None:
        names.append(name)
        parents.append(parent)
        mine = len(names) - 1
        for child in children.get(name, ()):
            visit(child, mine)

    visit(root, -1)
    return names, parents


def foreign_rig(text: str) -> ForeignRig:
    """The rig of a text as above, depth first."""
    children: dict[str, list[str]] = {}
    roles: dict[str, str] = {}

    def name_of(token: str) -> str:
        name, _, role = token.replace("~", " ").partition("=")
        if role:
            roles[name] = role
        return name

    root = ""
    for line in _both_sides(text):
        groups = [[name_of(token) for token in group.split()] for group in line.split(">")]
        root = root or groups[0][0]
        for (*_, above), below in pairwise(groups):
            known = children.setdefault(above, [])
            known.extend(name for name in below if name not in known)
    names, parents = depth_first(children, root)
    told = [roles.get(name, "") for name in names]
    places = np.zeros((len(names), 3))
    for j, (role, parent) in enumerate(zip(told, parents, strict=True)):
        if role:
            places[j] = SKELETON.rest_positions[SKELETON.index(role)]
        elif parent >= 0:  # a little farther out
            places[j] = places[parent] + [0.03 * np.sign(places[parent][0]), 0.0, 0.01]
    return ForeignRig(names, parents, told, places)


def dog() -> ForeignRig:
    """A dog's skeleton: four legs under a trunk that lies."""
    places = {
        "rump": (0, 0.6, 0), "s1": (0, 0.62, 0.25), "s2": (0, 0.62, 0.5), "n": (0, 0.75, 0.7), "h": (0, 0.85, 0.8),
        "tail": (0, 0.6, -0.2),
    }  # fmt: skip
    parents = {"rump": "", "s1": "rump", "s2": "s1", "n": "s2", "h": "n", "tail": "rump"}
    for side, x in (("a", 0.1), ("b", -0.1)):
        for end, above, z in (("hind", "rump", 0.0), ("fore", "s2", 0.5)):
            way = [above, *(f"{end}{i}{side}" for i in range(4))]
            for i, name in enumerate(way[1:]):
                places[name] = (x, 0.58 - 0.25 * i + 0.19 * (i == 3), z + 0.02 * (i == 1) + 0.08 * (i == 3))
                parents[name] = way[i]
    order = list(places)
    return ForeignRig(
        order, [order.index(p) if p else -1 for p in parents.values()], [], np.array(list(places.values()), float)
    )


def named_dog(tail: str = "Tail1") -> ForeignRig:
    """That dog with human names for its joints, and this one for its tail."""
    called = {
        "rump": "Hips", "s1": "Spine", "s2": "Spine1", "n": "Neck", "h": "Head", "tail": tail,
        **{f"{end}{i}{mark}": f"{side}{part}" for mark, side in (("a", "Left"), ("b", "Right"))
           for end, parts in (("hind", ("UpLeg", "Leg", "Foot", "Toe")), ("fore", ("Arm", "ForeArm", "Hand", "Thumb")))
           for i, part in enumerate(parts)},
    }  # fmt: skip
    plain = dog()
    return plain._replace(names=[called[name] for name in plain.names])


def _both_sides(text: str) -> list[str]:
    lines = []

    def one(line: str, side: str) -> str:
        spelt, beside = _SIDES.get(side, {}), f"{side}_" if side else ""
        line = re.sub(r"\{(\w)\}", lambda mark: spelt[mark.group(1)], line.strip())
        return re.sub(r"=(\w+)", lambda role: f"={beside}{_ROLES[role.group(1)]}", line)

    for line in text.split(";"):
        sides = _SIDES if "{" in line else ("",)
        lines += [one(line, side) for side in sides]
    return lines
