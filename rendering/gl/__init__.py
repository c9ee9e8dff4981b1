"""The few OpenGL objects the items are built from: programs, buffers, framebuffers."""
