"""One run: its settings, the network, the loop, checkpoints."""
