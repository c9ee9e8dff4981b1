"""Body models: shape to rest vertices and joints."""
