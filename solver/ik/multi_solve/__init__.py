"""Beyond one plain solve: one limb alone, other solutions, variations, frames between keys."""
