"""Where handles, bones and skin are, without the GPU: maths that picking and drawing share."""
