"""People as other estimators of pose and shape write them, read safely and placed in a scene of ours."""
