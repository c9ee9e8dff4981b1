"""Skeletons, poses, rotations and forward kinematics."""
