"""glTF: skeletons and what they do over time."""
