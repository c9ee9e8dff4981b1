"""What networks minimise, term by term as in their papers."""
