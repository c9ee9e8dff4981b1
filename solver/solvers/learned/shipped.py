"""The learned solvers as they are shipped: a network's folder under weights/, on the embedded body."""

from __future__ import annotations

from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.effectors.kinds import Position
from solver.ik.problem import IKProblem
from solver.kinematics.pose import rest_pose
from solver.rig.roles import Role
from solver.solvers import dls
from solver.solvers.catalog import DEFAULT_SOLVER, SOLVERS, usable_solver
from solver.solvers.learned.device_model import on_devices
from solver.solvers.learned.edit_proposer import EditProposer
from solver.solvers.learned.network_proposer import NetworkProposer
from solver.solvers.learned.weights import WEIGHTS, load_weights


def smplik() -> NetworkProposer:
    """SMPL-IK (Voleti et al., SIGGRAPH Asia 2022), trained by us."""
    return _shipped("smplik")


def protores() -> NetworkProposer:
    """ProtoRes (Oreshkin et al., ICLR 2022), trained by us on the average body."""
    return _shipped("protores")


def skelik() -> NetworkProposer:
    """SKEL-IK (Agrawal et al., SIGGRAPH Asia 2023), trained by us."""
    return _shipped("skelik")


def pose_edition() -> EditProposer:
    """Pose edition (Victor et al., CAVW 2021), trained by us; it takes any body that has the joints."""
    weights = load_weights(WEIGHTS / "pose_edition", "pose_edition", DEFAULT_BODY)
    return EditProposer(on_devices(weights), load_body(DEFAULT_BODY).skeleton(BodyShape()))


def _shipped(id: str) -> NetworkProposer:
    """Raises InputRefused if the weights are missing or not those of our body."""
    return NetworkProposer(on_devices(load_weights(WEIGHTS / id, id, SOLVERS[id].body)))


def warm_up() -> None:
    """Compile the exact stage, load the network of new characters and run it once, so that the first drag is quick."""
    dls.warm_up()
    body = load_body(DEFAULT_BODY)
    skeleton = body.skeleton(BodyShape())
    target = (Position(Role.HEAD, skeleton.rest_positions[skeleton.index(Role.HEAD)]),)
    problem = IKProblem.without_masks(skeleton, target, rest_pose(skeleton), body=body.id)
    usable_solver(DEFAULT_SOLVER, problem).solver.solve(problem)
