"""The rules: pure, standard library only, no clock and no files."""
