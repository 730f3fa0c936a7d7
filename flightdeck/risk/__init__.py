"""How dangerous a tool call is: shell commands parsed, unwrapped and held against the table."""
