"""Scene files: the document as JSON and back."""
