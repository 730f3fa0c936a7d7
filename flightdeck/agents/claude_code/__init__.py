"""Claude Code: its hook payloads, its registry and its transcript."""
