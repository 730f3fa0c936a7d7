"""What `apply` puts into other programs' settings, and takes out again."""
