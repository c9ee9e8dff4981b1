"""From a run to a folder of weights: models, measured errors, comparisons, the card."""
