"""Where a body's skin can touch something: its contact points, and what keeps them above the floor."""
