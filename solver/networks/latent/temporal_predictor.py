"""DragPoser's temporal predictor: which latent comes next, given those before (Ponton et al., 2024, section 4.3).

Where it differs from the paper: its feed-forward layers have 512 numbers instead of 2048, and it predicts how the next
latent differs from the last one.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from solver.networks.latent.pose_autoencoder import SHIFT_SCALE, PoseAutoencoder
from solver.networks.residual import NetworkShape

STRIDE = 2  # frames of our 30 a second from one latent to the next, as 4 of the paper's 60
PAST, FUTURE = 16, 16  # W_p and W_f, latents
FEATURES, HEADS, FEED_FORWARD = 48, 4, 512
ROOT_FEATURES = 3 + 6  # root's way, and heights of root, head, hands and feet


class TemporalPredictor(nn.Module):
    """A transformer over latents of its autoencoder, which is not trained with it. shape: the autoencoder's, and
    shape.blocks: layers of encoder and decoder each."""

    places: Tensor

    def __init__(self, joints: int, shape: NetworkShape) -> None:
        super().__init__()
        self.autoencoder = PoseAutoencoder(joints, shape).requires_grad_(False)
        latent = self.autoencoder.latent
        self.read_past, self.read_next = nn.Linear(latent + ROOT_FEATURES, FEATURES), nn.Linear(latent, FEATURES)
        self.transformer = nn.Transformer(
            FEATURES, HEADS, shape.blocks, shape.blocks, FEED_FORWARD, dropout=0.0, batch_first=True
        )
        self.change = nn.Linear(FEATURES, latent)
        nn.init.zeros_(self.change.weight)
        nn.init.zeros_(self.change.bias)
        self.register_buffer("places", place_codes(max(PAST, FUTURE)))

    def forward(self, past: Tensor, told: Tensor, last: Tensor) -> Tensor:
        """Latents (B, N, L), each one place after `last` (B, N, L), the first of which follows past (B, PAST, L).

        told: (B, PAST, ROOT_FEATURES) root's way in a frame in SHIFT_SCALE, and heights in metres.
        """
        memory = self.transformer.encoder(self.read_past(torch.cat([past, told], dim=-1)) + self.places[:PAST])
        count = last.shape[1]
        later = torch.full((count, count), -math.inf, device=last.device).triu(1)
        seen = self.transformer.decoder(self.read_next(last) + self.places[:count], memory, tgt_mask=later)
        return last + self.change(seen)


def place_codes(count: int) -> Tensor:
    """(count, FEATURES) sines and cosines of a latent's place in the sequence."""
    angles = torch.arange(count)[:, None] * torch.exp(-math.log(1e4) * torch.arange(0, FEATURES, 2) / FEATURES)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def root_features(shift: Tensor, heights: Tensor) -> Tensor:
    """(..., ROOT_FEATURES) for the root's ways (..., 3) in metres a frame and heights (..., 6) in metres."""
    return torch.cat([shift / SHIFT_SCALE, heights], dim=-1)
