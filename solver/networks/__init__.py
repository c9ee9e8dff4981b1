"""The networks in torch, as they are trained. Never imported by the application."""
