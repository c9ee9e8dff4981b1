"""The selected effector's target, or the selected people's place, in numbers."""
