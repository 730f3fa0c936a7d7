"""One module a window host, and their catalogue."""
