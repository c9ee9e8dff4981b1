"""The body joints that count, and the limbs that each problem has effectors on."""

from __future__ import annotations

from solver.kinematics.skeleton import SMPL_JOINTS, Skeleton
from solver.rig.roles import ARMS, BODY_ROLES, LEGS

BODY_JOINTS: tuple[str, ...] = SMPL_JOINTS[: len(BODY_ROLES)]  # without hands, which motion capture seldom has
# Without collars and hips, which move with the trunk, and without hands.
LIMBS: dict[str, tuple[str, ...]] = {
    **{arm.name: tuple(map(str, arm.line)) for arm in ARMS},
    **{leg.name: tuple(map(str, (leg.hinge, leg.end, leg.tip))) for leg in LEGS},
}


def body_skeleton(whole: Skeleton) -> Skeleton:
    """Only the body joints of one of our skeletons."""
    count = len(BODY_JOINTS)
    return Skeleton(BODY_JOINTS, whole.parents[:count], whole.offsets[:count])
