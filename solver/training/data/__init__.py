"""What a network learns from: motion capture as pose data, augmented batches, effectors drawn at random."""
