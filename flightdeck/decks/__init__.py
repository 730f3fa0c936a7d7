"""One module a deck, and their catalogue."""
