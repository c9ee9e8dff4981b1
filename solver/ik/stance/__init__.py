"""How people stand and look: what a solve leans to beside what is asked of it."""
