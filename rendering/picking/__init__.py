"""What lies under a pixel, without asking the GPU."""
