"""Files of other programs: parse, build, write. Knows skeletons and poses, never the document."""
