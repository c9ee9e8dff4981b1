"""How much a file may hold, each limit in one place.

They are set so that no file below 10 MB takes more than 500 MB on top of the idle program, or 5 seconds, and so that
whatever opens can be saved again. Real files stay far below them.
"""

from __future__ import annotations

MAX_FRAMES = 200_000  # of all motions of a scene: 28 minutes at 120 a second, 175 MB in memory
MAX_FRAME_VALUES = 80_000_000  # numbers in a BVH file's frames; no file below 160 MB has that many
MAX_CURVE_VALUES = 10_000_000  # numbers of a glTF motion frame by frame: a hundred joints for nine minutes
MAX_JOINTS = 1000  # of one skeleton
MAX_PEOPLE = 100  # of one scene or pose file
MAX_EFFECTORS = 1000  # of one person
MAX_ALL_EFFECTORS = 10_000  # of all people of one scene or pose file
MAX_JSON_VALUES = 500_000  # lists, objects and what stands between their commas
MAX_JSON_DEPTH = 64
MAX_ARCHIVE_BYTES = 512 << 20  # of an .npz file
MAX_UNPACKED_BYTES = 320 << 20  # of what is read of it, unpacked: 200,000 frames of SMPL-X, or an SMPL-X body
MAX_VERTICES = 50_000  # of a body; SMPL-X has 10,475
MAX_FACES = 100_000
MAX_PROPS = 200  # of one scene
MAX_PROP_TRIANGLES = 200_000  # of one prop from a mesh file
MAX_ALL_PROP_TRIANGLES = 1_000_000  # of all props of one scene
MAX_SKIN_TRIANGLES = 200_000  # of a character of the user's own, as it is drawn
MAX_MESH_BYTES = 64 << 20  # of a mesh file; one with 200,000 triangles stays below it in any of the formats
FARTHEST_M = 1e6  # metres from the origin: beyond, float32 cannot resolve centimetres
FARTHEST_ROOT_M = FARTHEST_M - 1e3  # of an imported pose or motion, so that its limbs are within the limit as well
FPS_RANGE = (1e-6, 1e6)  # frames a second of a motion
