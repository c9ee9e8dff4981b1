"""People whose poses are mostly off, looked at again."""
