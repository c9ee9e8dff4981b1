"""The likelihood from which a person found in a photo is taken to be there: ticked, counted, kept in labels."""

LIKELIHOOD_THRESHOLD = 0.7
