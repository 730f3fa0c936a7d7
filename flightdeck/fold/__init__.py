"""The fold: inbox, registry and processes in, session records and the fleet out."""
