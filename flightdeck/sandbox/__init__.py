"""The sandbox templates run in: what they may do, and how much of it."""
