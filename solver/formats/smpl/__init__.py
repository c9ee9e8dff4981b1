"""Motions of SMPL bodies."""
