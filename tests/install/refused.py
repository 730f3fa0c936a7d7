"""Homes nothing may be written into, and settings an older flightdeck has left its marks in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.install.documents import OLDER, a_file, a_group
from tests.install.shapes import BELL, USUAL

if TYPE_CHECKING:
    from tests.install.person import Person
    from tests.install.shapes import Shape

REFUSED: dict[str, Shape] = {}


def _refused(make: Shape) -> Shape:
    REFUSED[make.__name__.replace("_", " ")] = make
    return make


def _bad(name: str, text: str | bytes) -> None:
    def make(person: Person) -> None:
        person.config.mkdir()
        person.file.write_bytes(text if isinstance(text, bytes) else text.encode())

    REFUSED[name] = make


_bad("a key twice", '{"a": 1, "hooks": {}, "hooks": {"Stop": []}}')
_bad("comments", '{\n  // mine\n  "model": "opus"\n}\n')
_bad("a comma too many", '{"model": "opus",}')
_bad("not utf-8", b'{"a": "\xff"}')
_bad("utf-16", USUAL.encode("utf-16"))
_bad("cut short", USUAL[:60])
_bad("a list", "[]")
_bad("hooks a list", '{"hooks": []}')
_bad("nested beyond reason", '{"a": ' + "[" * 200 + "]" * 200 + "}")
_bad("a nul byte", b'{"a": "b"}\x00')


@_refused
def link_into_a_disk_that_is_not_mounted(person: Person) -> None:
    person.config.mkdir()
    person.file.symlink_to("/nonexistent/disk/settings.json")


@_refused
def folder_is_a_link_that_leads_nowhere(person: Person) -> None:
    person.config.symlink_to("dotfiles/claude")


@_refused
def links_in_a_circle(person: Person) -> None:
    person.config.mkdir()
    person.file.symlink_to("other.json")
    (person.config / "other.json").symlink_to("settings.json")


@_refused
def folder_in_place_of_the_file(person: Person) -> None:
    (person.config / "settings.json").mkdir(parents=True)


@_refused
def file_in_place_of_the_folder(person: Person) -> None:
    person.config.write_text("")


# What an older flightdeck left behind is ours: it does not come back.
OLD_ONES: dict[str, tuple[str, str]] = {
    "doubled by an older version": (
        a_file({"Stop": [BELL, a_group(OLDER), a_group(OLDER)], "Old": [a_group(OLDER)]}),
        a_file({"Stop": [BELL]}),
    ),
    "tidied into one group": (
        a_file({"Stop": [a_group("/opt/other/bell.sh", OLDER, "/opt/other/ring.sh")]}),
        a_file({"Stop": [a_group("/opt/other/bell.sh", "/opt/other/ring.sh")]}),
    ),
}
