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
    "- weights start with He initialisation and small embeddings; rotations are predicted relative to the rest pose",
    "- gradients are clipped",
)
_OF_BASELINES = (
    "- knows the lengths of bones, and is trained on bodies of any shape (paper: one skeleton)",
    "- is given how firmly to keep each joint, as SKEL-IK is (paper: only the base pose)",
    "- works in the frame of the base pose's root; losses, base poses and control bits are those of our SKEL-IK",
    *_OF_PROTORES,
)
_OF_SKELIK = (
    "- knows the lengths of bones, and is trained on bodies of any shape (paper: one skeleton)",
    "- a joint's state has two halves; a position effector closes one to updates and a rotation effector the other, as "
    "far as their tolerance says (paper: joints are constrained or not)",
    "- forward kinematics uses the rotations that are asked for; the decoders start from the base pose",
    "- a joint takes over its base rotation as far as it is to be kept, relative to its parent (C_IK) or in the world "
    "(C_FK alone); how far to obey is learned",
    "- everything is relative to the root, where it is asked to be or was; each joint is given its target in its "
    "parent's frame; the embedding is an input of the fully connected network",
    "- C_IK multiplies the angle of equation 7 (paper: the matrix within the arccos)",
    "- the loss pulls a joint towards the true pose only as far as it is not kept (paper: fully)",
    "- base poses are other poses, or mixtures with the true one, of the whole body or parts (paper: random poses)",
    *_ALL,
)
_OF_POSE_EDITION = (
    "- 22 joints with the pelvis, 66 numbers (paper: 21 joints, 63 numbers)",
    "- poses are also turned to face the way the start pose's pelvis does, and every second one is mirrored",
    "- the autoencoder and the solvers are trained side by side (paper: one after the other)",
    "- a fourth solver takes all five joints; for other sets the solvers of head, feet and hands run one after another",
    "- other bodies are scaled to the trained one by the sum of their bones; FABRIK's backward step recovers rotations "
    "with the start pose's twist (paper: positions alone)",
    "- targets out of reach are brought closer, and a start pose far from all targets is first moved near them",
    *_ALL,
)
_OF_DRAGPOSER = (
    "- equations 8 and 13 are used with the opposite signs, as they are printed reversed",
    "- both halves of the autoencoder know the lengths of bones, on bodies of any shape (paper: one skeleton); layers "
    "are smooth (SiLU); quaternions have the sign nearer to their mean; every second pose is mirrored",
    "- the predictor looks at every second of 30 frames a second (paper: every fourth of 60); its feed-forward layers "
    "have 512 numbers (paper: 2048); it predicts how the latent changes",
    "- limbs of past poses are replaced by noise before they are encoded (paper: in the latent)",
    "- the search for poses solves damped normal equations with the decoder's own derivative (paper: Adam)",
    "- with four and five sensors the predictor looks one step ahead (paper: 16 or 60 with four) and pulls 3.5 times "
    "as much as with six (paper: 6.25 with four)",
    *_ALL,
)
_OF_LIFTER = (
    "- also takes the places in metres that landmark networks guess, and how well each point is seen (paper: 2D alone)",
    "- predicts rotations, and how far off each point may be (paper: joint positions)",
    "- uses LayerNorm and smooth layers (GELU) (paper: batch normalisation, ReLU, dropout)",
    "- learns from poses seen by random cameras, with measured errors of landmarks, some with limbs reversed in depth",
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
