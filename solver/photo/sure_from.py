"""From which likelihood somebody who was found in a photo is taken to be there: ticked, counted, kept in labels."""

SURE_FROM = 0.7
