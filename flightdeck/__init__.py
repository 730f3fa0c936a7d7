"""flightdeck: an annunciator panel for fleets of coding agents."""
