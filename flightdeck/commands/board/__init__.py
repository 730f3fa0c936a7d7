"""`flightdeck status --watch` on a terminal: the fleet as a board, with keys."""
