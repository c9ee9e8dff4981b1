"""Bodies that jump among solid things, drawn as they swing over."""
