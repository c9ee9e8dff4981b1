"""Pose solving without a window: kinematics, bodies, inverse kinematics, photos, files. Knows no Qt and no OpenGL."""
