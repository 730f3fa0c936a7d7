"""A risk rule of somebody's own: what is high by it hangs on no shipped rule."""

from __future__ import annotations

OWN_RULE = """rules:
  frob:
    tier: high
    why: because
    program: frob
    matches:
      - frob -f
    spares:
      - make
"""
