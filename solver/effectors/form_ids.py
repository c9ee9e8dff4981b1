"""The three forms of effectors, as numbers that the compiled functions know; every kind of effector has one of them."""

POINT = 0  # a point of the joint's frame shall be at a point of the world
TURN = 1  # the joint shall be turned as a rotation says
AIM = 2  # an axis of the joint's frame shall point to a point of the world
