"""People as other estimators of pose and shape write them: read safely, and set into a scene of ours."""
