"""Pose JSON: parse, build, write."""
