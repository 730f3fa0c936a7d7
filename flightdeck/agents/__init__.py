"""One module an agent kind, and their catalogue."""
