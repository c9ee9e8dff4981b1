"""BVH: parse, understand, write."""
