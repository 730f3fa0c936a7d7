"""Two rasterisers, one picture; and which of them draws where."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import requires
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from PIL import ImageChops, ImageStat

from flightdeck.errors import Unavailable
from flightdeck.faces import raster
from flightdeck.faces.guard import Unsafe
from flightdeck.faces.raster import VARIABLE, backend, help_find_cairo, rasterise
from flightdeck.faces.svg import render_svg
from tests.faces.conftest import here
from tests.faces.looks import a_view

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96">'
RED = HEAD + '<path fill="#ff0000" d="{}"/></svg>'


@pytest.fixture
def fresh_choice() -> Iterator[None]:
    """What could be loaded is forgotten before and after."""
    raster._fault.cache_clear()
    yield
    raster._fault.cache_clear()


def test_a_picture_has_the_size_asked_for_and_no_alpha(rasteriser: str) -> None:
    image = rasterise(RED.format("M0 0H96V96H0Z"), 72, 80)
    assert (rasteriser, image.mode, image.size) == (rasteriser, "RGB", (72, 80))


def test_a_square_picture_is_centred_on_a_key_that_is_not(rasteriser: str) -> None:
    image = rasterise(RED.format("M0 0H96V96H0Z"), 96, 120)
    column = [image.getpixel((48, y)) for y in (5, 60, 115)]
    assert (rasteriser, column) == (rasteriser, [(0, 0, 0), (255, 0, 0), (0, 0, 0)])


def test_a_colour_comes_out_as_it_was_written(rasteriser: str) -> None:
    image = rasterise(RED.format("M0 0H96V96H0Z").replace("ff0000", "1256a3"), 96, 96)
    assert (rasteriser, image.getpixel((48, 48))) == (rasteriser, (0x12, 0x56, 0xA3))


def test_where_nothing_is_drawn_the_key_is_black(rasteriser: str) -> None:
    image = rasterise(RED.format("M0 0H48V96H0Z"), 96, 96)
    assert (rasteriser, image.getpixel((90, 50))) == (rasteriser, (0, 0, 0))


def test_half_transparent_is_half_way_to_black(rasteriser: str) -> None:
    svg = RED.format("M0 0H96V96H0Z").replace("<path", '<path fill-opacity="0.5"')
    red, green, blue = rasterise(svg, 96, 96).getpixel((9, 9))  # type: ignore[misc]
    assert (rasteriser, abs(red - 128) <= 1, green, blue) == (rasteriser, True, 0, 0)


def test_what_may_not_be_drawn_is_not(rasteriser: str) -> None:
    with pytest.raises(Unsafe):
        rasterise("<svg><use/></svg>", 96, 96)


class PanicException(BaseException):
    """What a panic in resvg arrives as."""


@pytest.mark.parametrize(
    ("raised", "seen"), [(PanicException, ValueError), (KeyboardInterrupt, KeyboardInterrupt)]
)
def test_a_panic_in_resvg_is_an_error_like_any_other(
    raised: type[BaseException], seen: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def panic(**_: object) -> bytes:
        raise raised

    monkeypatch.setitem(sys.modules, "resvg_py", SimpleNamespace(svg_to_bytes=panic))
    with pytest.raises(seen):
        raster._draw_resvg(RED.format("M0 0"), 96, 96)


@pytest.mark.parametrize("side", [72, 96, 120, 192])
def test_both_rasterisers_draw_the_same_face(side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    here("cairo")
    svg = render_svg(a_view(top="checkout", bottom="fix-flaky", count=3), side, side)
    drawn = []
    for name in ("cairo", "resvg"):
        monkeypatch.setenv(VARIABLE, name)
        drawn.append(rasterise(svg, side, side))
    assert max(ImageStat.Stat(ImageChops.difference(*drawn)).mean) < 2


@pytest.mark.usefixtures("fresh_choice")
def test_cairo_draws_where_it_can_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    here("cairo")
    monkeypatch.delenv(VARIABLE, raising=False)
    assert backend() == "cairo"


@pytest.mark.usefixtures("fresh_choice")
def test_resvg_draws_where_cairo_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setitem(sys.modules, "cairosvg.surface", None)
    assert backend() == "resvg"


@pytest.mark.usefixtures("fresh_choice")
def test_without_any_rasteriser_the_hint_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setitem(sys.modules, "cairosvg.surface", None)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(Unavailable) as caught:
        backend()
    assert caught.value.hint == "pip install resvg-py, or install the system's cairo library"


@pytest.mark.usefixtures("fresh_choice")
def test_a_rasteriser_that_was_named_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "cairo")
    monkeypatch.setitem(sys.modules, "cairosvg.surface", None)
    with pytest.raises(Unavailable, match="no rasteriser"):
        backend()


def test_a_rasteriser_nobody_knows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "skia")
    with pytest.raises(Unavailable, match="names no rasteriser"):
        backend()


def test_on_macos_homebrew_is_looked_in_after_what_was_given() -> None:
    environment = {"DYLD_FALLBACK_LIBRARY_PATH": "/mine"}
    help_find_cairo("darwin", environment)
    help_find_cairo("darwin", environment)
    assert environment["DYLD_FALLBACK_LIBRARY_PATH"] == (
        "/mine:/opt/homebrew/lib:/usr/local/lib:/usr/lib"
    )


def test_elsewhere_the_environment_is_left_alone() -> None:
    environment: dict[str, str] = {}
    help_find_cairo("linux", environment)
    assert environment == {}


def test_importing_faces_loads_no_rasteriser() -> None:
    code = (
        "import sys, flightdeck.faces.cache, flightdeck.faces.sheet;"
        "sys.exit('cairosvg' in sys.modules or 'resvg_py' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_machine_without_libcairo_still_draws(tmp_path: Path) -> None:
    """The library itself is hidden from a fresh interpreter, as on a bare machine."""
    code = (
        "import ctypes.util, cffi\n"
        "ctypes.util.find_library = lambda name: None\n"
        "def refuse(*_): raise OSError('not here')\n"
        "cffi.FFI.dlopen = refuse\n"
        "from flightdeck.faces.raster import backend, rasterise\n"
        f"rasterise({RED.format('M0 0H9V9H0Z')!r}, 96, 96)\n"
        "print(backend())"
    )
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
        cwd=str(tmp_path),
    )
    assert done.stdout.strip() == "resvg", done.stderr


def test_the_cairosvg_asked_for_bounds_nested_references() -> None:
    wanted = [need for need in requires("flightdeck") or () if need.startswith("cairosvg")]
    assert [need.count(">=2.9") for need in wanted] == [1]
