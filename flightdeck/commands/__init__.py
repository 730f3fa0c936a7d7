"""One subcommand a file; each returns a Result and prints nothing."""
