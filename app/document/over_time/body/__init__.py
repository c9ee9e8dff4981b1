"""How hips and arms go meanwhile, of people who step or jump between keys."""
