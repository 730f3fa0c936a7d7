"""Whatever a client sends, and whatever its environment holds: exit 0, silence, no EPIPE."""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flightdeck.install.snippets import Kind
from flightdeck.model.event import END, NAMES, is_whole
from tests.hooks.draining import fire, nothing_waits, stage, told, waits
from tests.hooks.place import DEADLINE_S, QUIET, SESSION, SHELLS, Ended, Place, argv, is_root

# What an environment can hold: any bytes but NUL.
VALUES = (
    st.binary(max_size=60)
    .filter(lambda raw: b"\x00" not in raw)
    .map(lambda raw: raw.decode("utf-8", "surrogateescape"))
)
ENVIRONMENTS = st.dictionaries(st.sampled_from([*NAMES, "CLAUDE_PID", "IFS", "HOME"]), VALUES)
LINES = st.binary(max_size=3000).map(lambda raw: raw.replace(b"\n", b" "))
PROFILE = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)


def whatever_the_shell(shell: str, kind: Kind, payload: bytes, environ: dict[str, str]) -> bytes:
    """Run the hook in a fresh place; return what it kept, having checked what never varies."""
    with tempfile.TemporaryDirectory() as top:
        place = Place(Path(top) / ".fleet", Path(top) / "flightdeck", shell)
        (place.root / "blocked" / SESSION).write_text("")
        place.environ = environ
        assert place.fire(payload, place.command(kind)) == QUIET
        (kept,) = place.spooled()
        here = {path.relative_to(top) for path in Path(top).rglob("*")} - {kept.relative_to(top)}
        names = (
            ".fleet",
            "flightdeck",
            ".fleet/inbox",
            ".fleet/blocked",
            ".fleet/asks",
            ".fleet/queue",
            f".fleet/blocked/{SESSION}",
        )
        assert here == {Path(name) for name in names}
        content = kept.read_bytes()
        assert is_whole(content)
        return content.removesuffix(END)


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.BRAKES])
@pytest.mark.parametrize("shell", SHELLS)
@PROFILE
@given(line=LINES, end=st.sampled_from([b"", b"\n"]))
def test_any_line_is_kept_byte_for_byte(shell: str, kind: Kind, line: bytes, end: bytes) -> None:
    kept = whatever_the_shell(shell, kind, line + end, {})
    assert kept.split(b"\n", 1)[1] == line + end


@pytest.mark.parametrize("shell", SHELLS)
@PROFILE
@given(payload=st.binary(max_size=3000))
def test_any_bytes_leave_a_header_line_and_at_most_one_more(shell: str, payload: bytes) -> None:
    kept = whatever_the_shell(shell, Kind.SPOOL, payload, {})
    assert kept.split(b"\n", 1)[1] == b"".join(payload.partition(b"\n")[:2])


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
@pytest.mark.parametrize("shell", SHELLS)
@PROFILE
@given(environ=ENVIRONMENTS)
def test_any_environment_leaves_the_header_its_thirteen_fields(
    shell: str, locale: str, environ: dict[str, str]
) -> None:
    environ = {**environ, "LC_ALL": locale}
    header, payload = whatever_the_shell(shell, Kind.SPOOL, b"{}\n", environ).split(b"\n", 1)
    assert len(header.split(b"\x1f")) == 3 + len(NAMES)
    assert header.split(b"\x1f")[2].isdigit()
    assert payload == b"{}\n"


@pytest.mark.parametrize("shell", SHELLS)
@PROFILE
@given(environ=ENVIRONMENTS, line=LINES)
def test_verb_is_printed_whole_or_waits(shell: str, environ: dict[str, str], line: bytes) -> None:
    with tempfile.TemporaryDirectory() as top:
        place = Place(Path(top) / ".fleet", Path(top) / "flightdeck", shell)
        place.environ = environ
        printed = stage(place)
        ended = fire(place, line + b"\n")
        assert ended in {QUIET, Ended(0, printed, b"")}
        assert told(place) == ["Drained" if ended.out else "Stop"]
        assert nothing_waits(place) if ended.out else waits(place)


def no_process_more() -> None:
    """Leave this process no child; root, for whom the limit does not count, becomes nobody."""
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    if is_root():
        os.setgid(65_534)
        os.setuid(65_534)


# bash ends with 254 instead, which no client minds, after trying for 15 s.
@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("shell", [shell for shell in SHELLS if "bash" not in shell])
def test_machine_without_a_process_left_refuses_no_prompt(shell: str, kind: Kind) -> None:
    with tempfile.TemporaryDirectory() as top:
        Path(top).chmod(0o755)
        place = Place(Path(top) / ".fleet", Path(top) / "flightdeck", shell)
        (place.root / "blocked" / SESSION).write_text("")
        hook = subprocess.run(
            argv(shell, place.command(kind)),
            stdin=subprocess.DEVNULL,
            env={"CLAUDE_CODE_SESSION_ID": SESSION},
            cwd=top,
            preexec_fn=no_process_more,
            timeout=DEADLINE_S,
            check=False,
        )
    assert hook.returncode == 0
