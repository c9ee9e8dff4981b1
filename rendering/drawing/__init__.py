"""From a scene to pixels, with whatever OpenGL is available."""
