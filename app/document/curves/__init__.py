"""Curves: how fast joints go, how far soles slide and effectors miss, frame by frame, before and after the edit."""
