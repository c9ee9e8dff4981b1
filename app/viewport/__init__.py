"""Mouse tools of the viewport, and the binding of document to scene."""
