"""One run: its settings, the network, the losses, the loop, checkpoints."""
