"""What cards say of each network: its name, its paper, the paper's settings, and what is always different here."""

from __future__ import annotations

from typing import Any

TITLES = {
    "smplik": "SMPL-IK", "protores": "ProtoRes", "skelik": "SKEL-IK", "protores_with_prev": "ProtoResWithPrev",
    "fcnn": "FCNN", "pose_edition": "Pose edition", "dragposer_time": "DragPoser",
    "lifter": "Lifter",
}  # fmt: skip
_SKELIK_PAPER = "Agrawal et al., SKEL-IK, SIGGRAPH Asia 2023"
PAPERS = {
    "smplik": "Voleti et al., SMPL-IK, SIGGRAPH Asia 2022, on ProtoRes (Oreshkin et al., ICLR 2022)",
    "protores": "Oreshkin et al., ProtoRes, ICLR 2022",
    "skelik": _SKELIK_PAPER,
    "protores_with_prev": f"a baseline of {_SKELIK_PAPER}",
    "fcnn": f"a baseline of {_SKELIK_PAPER}",
    "pose_edition": "Victor, Meyer and Bouakaz, Learning-based pose edition, CAVW 2021",
    "dragposer_time": "Ponton et al., DragPoser: Motion Reconstruction from Variable Sparse Tracking Signals via "
    "Latent Space Optimization, 2024",
    "lifter": "no paper; its layers are those of Martinez et al., A simple yet effective baseline for 3D human pose "
    "estimation, ICCV 2017",
}
_PROTORES: dict[str, Any] = {
    "width": 1024, "blocks": 3, "layers": 3, "embedding": 32, "dropout": 0.01, "batch": 2048, "learning_rate": 2e-4,
    "optimizer": "adam", "position_weight": 100.0, "effector_share": 1.0, "limb_share": 0.0, "posture_balance": 0.0,
    "exact_share": 0.0, "noise": 0.1, "noise_exponent": 13.0, "largest_weight": 1e3,
}  # fmt: skip
# The rest stands in a supplement that we have not seen.
_SKELIK: dict[str, Any] = {
    "width": 512, "embedding": 512, "preservation": 1.0, "effector_share": 1.0,
    "limit_weight": 0.0,
}  # fmt: skip
_POSE_EDITION: dict[str, Any] = {
    "width": 200, "embedding": 64, "batch": 256, "learning_rate": 1e-4, "optimizer": "adam", "rest_weight": 0.01,
    "bone_weight": 0.0, "fixed_weight": 0.0, "drawn_share": 0.0, "posture_balance": 0.0,
}  # fmt: skip
_DRAGPOSER: dict[str, Any] = {"embedding": 24, "batch": 512, "posture_balance": 0.0}
PAPER = {
    "smplik": _PROTORES, "protores": _PROTORES, "skelik": _SKELIK, "protores_with_prev": _PROTORES, "fcnn": _PROTORES,
    "pose_edition": _POSE_EDITION, "dragposer_time": _DRAGPOSER, "lifter": {"width": 1024, "blocks": 2, "batch": 64},
}  # fmt: skip

_ALL = (
    "- learning rate: linear warm-up, then cosine decay (paper: constant)",
    "- the shipped weights are the moving average of training (paper: the last weights)",
    "- motion capture at 30 frames a second, without AMASS",
)
_OF_PROTORES = (
    *_ALL,
    "- weights start with He initialisation, embeddings small; rotations are predicted relative to the rest pose",
    "- gradients are clipped",
)
_OF_BASELINES = (
    "- told of the bones, and trained on bodies of any shape (paper: one skeleton)",
    "- told how firmly each joint is to be kept, as SKEL-IK is (paper: of the base pose alone)",
    "- seen from the base pose's root; the losses, base poses and control bits are those of our SKEL-IK",
    *_OF_PROTORES,
)
_OF_SKELIK = (
    "- told of the bones, and trained on bodies of any shape (paper: one skeleton)",
    "- a joint's state has two halves, shut to updates by a position and by a rotation effector, as far as their "
    "tolerance says (paper: joints are constrained or not)",
    "- rotations that are asked for are taken in forward kinematics; the decoders start from the base pose",
    "- as far as a joint is to be kept, its base rotation is taken over, against its parent (C_IK) or in the world "
    "(C_FK alone); how far that is obeyed is learned",
    "- all is seen from the root, as it is asked to be or was; each joint is told what it has to reach, in its "
    "parent's frame; the embedding enters the fully connected network",
    "- C_IK weighs the angle of equation 7 (paper: the matrix within the arccos)",
    "- a joint is drawn to the true pose by as much as it is not kept (paper: fully)",
    "- base poses: other poses, or mixtures with the true one, in all of the body or in parts (paper: random poses)",
    *_ALL,
)
_OF_POSE_EDITION = (
    "- 22 joints with the pelvis, 66 numbers (paper: 21 joints, 63 numbers)",
    "- poses are also turned to face as the pelvis of the start pose does, and every second one is seen in the mirror",
    "- the autoencoder and the solvers are trained side by side (paper: one after the other)",
    "- a fourth solver knows all five joints; other sets run head, feet, hands one after the other",
    "- other bodies are scaled onto the trained one by the sum of their bones; rotations are recovered by FABRIK's "
    "backward step with the start pose's twist (paper: positions alone)",
    "- targets that no bones reach are brought in, and a start pose far from all targets comes near them first",
    *_ALL,
)
_OF_DRAGPOSER = (
    "- the signs of equations 8 and 13, which are printed reversed",
    "- both halves of the autoencoder are told of the bones, on bodies of any shape (paper: one skeleton); layers are "
    "smooth (SiLU); quaternions have the sign nearer to their mean; every second pose is seen in the mirror",
    "- the predictor looks at every second of 30 frames a second (paper: every fourth of 60); its feed-forward layers "
    "have 512 numbers (paper: 2048); it predicts how the latent changes",
    "- limbs of the past are noise before they are encoded (paper: in the latent)",
    "- poses are searched for by damped normal equations with the decoder's own derivative (paper: Adam)",
    "- with four and five sensors the predictor looks one step ahead (paper: 16 or 60 with four) and pulls 3.5 times "
    "as much as with six (paper: 6.25 with four)",
    *_ALL,
)
_OF_LIFTER = (
    "- told of the places in metres that landmark networks guess, and of how well each point is seen (paper: 2D alone)",
    "- answers with rotations, and with how far off each point may be (paper: joint positions)",
    "- layers are normalised (LayerNorm) and smooth (GELU) (paper: batch normalisation, ReLU, dropout)",
    "- learns from poses seen by random cameras with measured errors of landmarks, some with limbs read the other way",
    *_ALL,
)
_PLACED = ("- every set of effectors has at least one position",)
ALWAYS = {
    "smplik": _OF_PROTORES + _PLACED,
    "protores": _OF_PROTORES + _PLACED,
    "skelik": _OF_SKELIK,
    "protores_with_prev": _OF_BASELINES,
    "fcnn": _OF_BASELINES,
    "pose_edition": _OF_POSE_EDITION,
    "dragposer_time": _OF_DRAGPOSER,
    "lifter": _OF_LIFTER,
}
