"""The runtime: one loop that performs what the rules return."""
