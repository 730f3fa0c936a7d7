"""What `doctor` looks at: one module a part, and the visit that asks them all.

Every part is looked at from outside, reads only, and may say that it cannot be looked at.

Source: README.md, "Doctor".
"""
