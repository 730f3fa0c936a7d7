"""Lines somebody might type, of which every character means something to some program."""

from __future__ import annotations

LINES = [
    "flightdeck TEST: do what @/tmp/queue/0123abcd.md says",
    "-t %0 -X cancel",
    "--",
    "; kill-server",
    "ends with ;",
    "\\;",
    "#{pane_id} #(touch x) #[fg=red]",
    "$HOME $(id) `id` ${IFS} \"double\" 'single'",
    '" & (do shell script "id") & "',
    "!! ~ * ? % {} [200~ [201~ %0 C-c Enter",
    " blanks around ",
    "Grüße, 日本語 🙂 é",
]

NO_LINES = [
    "",
    "two\nlines",
    "a return\r",
    "a tab\t",
    "\x1b[201~ ends the paste",
    "\x9b201~ too",
    "\x03",
    "\x00",
    "a next line\x85",
    "a separator\u2028",
    "no\xa0break",
    "turned \u202e round",
    "half a character \ud83d",
    "x" * 1001,
]
