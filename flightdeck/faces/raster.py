"""From SVG text to pixels; the only module that knows a rasteriser.

CairoSVG draws; where libcairo cannot be loaded, resvg-py draws the same SVG: it is a
wheel with everything inside. Both are imported when the first picture is drawn, for
CairoSVG takes longer to import than most commands run.

Source: CairoSVG issues 354, 385 and 392 (libcairo of Homebrew under other Pythons).
"""

from __future__ import annotations

import importlib
import io
import os
import platform
import sys
from functools import lru_cache
from typing import TYPE_CHECKING

from PIL import Image

from flightdeck.errors import Unavailable
from flightdeck.faces import guard

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

# Names one rasteriser, `cairo` or `resvg`; what the other would do is then never tried.
VARIABLE = "FLIGHTDECK_RASTER"

_DYLD = "DYLD_FALLBACK_LIBRARY_PATH"
_MODULES = {"cairo": "cairosvg.surface", "resvg": "resvg_py"}
_HOMEBREW = ("/opt/homebrew/lib", "/usr/local/lib", "/usr/lib")


def rasterise(svg: str, width: int, height: int) -> Image.Image:
    """Return `svg` drawn on black, an RGB image of `width` by `height` pixels.

    Raises:
        Unsafe: the SVG holds what no face may hold, or is too much work.
        Unavailable: there is no rasteriser on this machine.
        Exception: whatever the rasteriser thinks of it; a caller must expect anything.
    """
    guard.check(svg)
    return _DRAW[backend()](svg, width, height)


def backend() -> str:
    """Return which rasteriser draws here, `cairo` or `resvg`.

    Raises:
        Unavailable: neither can be loaded, or the environment names an unknown one.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted and wanted not in _MODULES:
        raise Unavailable(
            f"{VARIABLE} names no rasteriser", "set it to cairo or resvg, or unset it"
        )
    for name in (wanted,) if wanted else tuple(_MODULES):
        if not _fault(name):
            return name
    raise Unavailable(
        f"no rasteriser: {_fault(wanted or 'cairo')} ({platform.machine()})",
        "pip install resvg-py, or install the system's cairo library",
    )


def help_find_cairo(system: str, environment: MutableMapping[str, str]) -> None:
    """On macOS (`darwin`), let ctypes look where Homebrew puts libraries, for this process.

    Pythons that are not Homebrew's do not look there, and a value exported in a shell
    is lost whenever a system program stands between.
    """
    if system == "darwin":
        given = [part for part in environment.get(_DYLD, "").split(":") if part]
        missing = [part for part in _HOMEBREW if part not in given]
        environment[_DYLD] = ":".join(given + missing)


@lru_cache(maxsize=2)
def _fault(name: str) -> str:
    """Return why a rasteriser cannot be loaded, one line, or "" if it can."""
    help_find_cairo(sys.platform, os.environ)
    try:
        importlib.import_module(_MODULES[name])
    except (ImportError, OSError) as error:
        return (str(error).splitlines() or [type(error).__name__])[0]
    return ""


def _draw_cairo(svg: str, width: int, height: int) -> Image.Image:
    from cairosvg.parser import Tree  # noqa: PLC0415, TID251 - this is its door
    from cairosvg.surface import PNGSurface  # noqa: PLC0415, TID251

    # The pixels are taken straight from cairo: a PNG on the way costs half the time again.
    tree = Tree(bytestring=svg.encode(), unsafe=False)
    drawn = PNGSurface(tree, None, 96, output_width=width, output_height=height)
    drawn.cairo.flush()
    pixels, stride = bytes(drawn.cairo.get_data()), drawn.cairo.get_stride()
    # Cairo's colours are multiplied by their alpha: without the alpha they lie on black.
    layout = "BGRX" if sys.byteorder == "little" else "XRGB"
    return Image.frombytes("RGB", (width, height), pixels, "raw", layout, stride)


def _draw_resvg(svg: str, width: int, height: int) -> Image.Image:
    import resvg_py  # noqa: PLC0415, TID251 - this is its door

    try:
        data = resvg_py.svg_to_bytes(
            svg_string=svg, width=width, height=height, background="#000000", skip_system_fonts=True
        )
    except BaseException as error:
        # A panic inside the library arrives as no Exception, and would end the painter.
        if type(error).__name__ == "PanicException":
            raise ValueError("resvg could not draw it") from error
        raise
    with Image.open(io.BytesIO(data)) as image:
        drawn = image.convert("RGB")
    if drawn.size == (width, height):
        return drawn
    # A picture of another shape is fitted in, centred, as cairo does by itself.
    whole = Image.new("RGB", (width, height))
    whole.paste(drawn, ((width - drawn.width) // 2, (height - drawn.height) // 2))
    return whole


_DRAW: dict[str, Callable[[str, int, int], Image.Image]] = {
    "cairo": _draw_cairo,
    "resvg": _draw_resvg,
}
