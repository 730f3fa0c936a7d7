"""The state folder, `~/.fleet`: files, lock, inbox, sessions, snapshot, journal."""
