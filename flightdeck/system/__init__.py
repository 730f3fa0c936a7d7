"""This machine: subprocesses, git, processes, the clock."""
