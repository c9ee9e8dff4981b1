"""Getting up and lying down between two keys: the stages that people go through, as poses of their own."""
