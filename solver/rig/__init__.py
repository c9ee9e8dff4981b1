"""What a skeleton's joints mean: hierarchies of other programs recognised, joints named for them."""
