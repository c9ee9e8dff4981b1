"""The pose encoder: prototype, subtract, accumulate (ProtoRes section 2, equations 2 to 5)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from solver.networks.residual import NetworkShape, ResidualBlock


class ProtoEncoder(nn.Module):
    """A set of N embedded effectors (B, N, inputs) -> one pose embedding (B, width), whatever their order.

    Every block works on what the effectors say beyond the embedding so far:
    x_1 = the input, x_r = ReLU(b_{r-1} - p_{r-1} / (r - 1))   (2)
    b_r, f_r = the residual and forward outputs of block r      (3, 4)
    p_r = p_{r-1} + mean over the effectors of f_r              (5)
    f_r is computed from the mean of the effectors' rows: the result is the same, and it takes one row instead of N.
    """

    def __init__(self, inputs: int, shape: NetworkShape) -> None:
        super().__init__()
        self.inputs, self.width = inputs, shape.width
        self.blocks = nn.ModuleList(
            ResidualBlock(inputs if r == 0 else shape.width, shape.width, shape) for r in range(shape.blocks)
        )

    def forward(self, x: Tensor) -> Tensor:
        """The pass through the layers, as the class describes."""
        batch = x.shape[0]

        def sets(rows: Tensor) -> Tensor:
            return rows.reshape(batch, -1, self.width)

        def mean(rows: Tensor) -> Tensor:
            return sets(rows).mean(dim=1, dtype=torch.float32).to(rows.dtype)

        # Effectors stacked as rows, so that every layer is one product of two matrices.
        x, pose = self.blocks[0](x.reshape(-1, self.inputs), mean)
        pose = pose.float()
        for done, block in enumerate(self.blocks[1:], start=1):
            x = torch.relu(sets(x) - (pose / done).to(x.dtype).unsqueeze(1)).reshape(-1, self.width)
            x, output = block(x, mean)
            pose = pose + output.float()
        return pose
