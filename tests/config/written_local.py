"""`local.yaml` and the frontmatter of verbs as people write them, good and spoilt."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.config.written import WORDS, Leaf, Tree, fixed, leaves, one_of, spoilt_of

TARGETS = one_of("app Obsidian", "app /Applications/A b.app", "url https://a.org", "app  X")
_PINS = st.one_of(
    TARGETS, st.fixed_dictionaries({"bind": TARGETS}, optional={"label": WORDS}).map(dict)
)
_SIZES = one_of("10 kB", "2 MB", "0.5MB", "1000 MB")
_KEPT = leaves(st.integers(1, 99).map(lambda number: f"{number} files"))
LOCALS: st.SearchStrategy[Tree] = fixed(
    pins=st.dictionaries(st.integers(0, 40).map(str), _PINS, min_size=1, max_size=3),
    renderers=st.lists(one_of("/usr/bin/lamp", "/a b/c", "/"), min_size=1, max_size=3),
    journal=st.one_of(one_of("off"), fixed(size=_SIZES, keep=_KEPT).filter(bool)),
).map(dict)

_VALUES: st.SearchStrategy[Tree] = st.one_of(
    one_of(
        *("", "3", "-1", "true", "no", "yes", "off", "on", "null", "~", "a b", "07", "0x10", "4.5"),
        *("app X", "app -x", "app a/b", "url ftp://x", "url https://a:b", "app", "/a", "a", "2 MB"),
        *("2 TB", "99 MB", "9 GB", "5 files", "0 files", "100 files", "1 file", "files"),
        *("steer", "key", "prompt", "git", "working", "blocked", "working blocked", "idle"),
        *("blocked blocked", "empty", "Twelve chars", "123456789012", "mine"),
    ),
    st.just(Leaf("3", quoted=True)),
    st.just(Leaf("", quoted=True)),
    st.builds(lambda: [Leaf("a")]),
    st.builds(lambda: {"bind": Leaf("app X")}),
    st.builds(lambda: {"keep": Leaf("5 files")}),
)
_NAMES = st.sampled_from(
    [
        *("pins", "renderers", "journal", "bind", "label", "size", "keep", "1", "01", "x", "-1"),
        *("kind", "id", "confirm", "common", "requires", "on", "1.0"),
    ]
)


def spoilt_locals() -> st.SearchStrategy[Tree]:
    """Draw a local.yaml with some things wrong in it."""
    return spoilt_of(LOCALS, _VALUES, _NAMES)


_OF_ALL = {"label": one_of("SIMPLER", "42", "true", "Eleven char"), "id": one_of("mine")}
_CONFIRM = one_of("yes", "no")
_HEADS: tuple[st.SearchStrategy[Tree], ...] = (
    st.fixed_dictionaries(
        {"kind": one_of("prompt")},
        optional={**_OF_ALL, "confirm": _CONFIRM, "common": one_of("git")},
    ).map(dict),
    st.fixed_dictionaries({"kind": one_of("steer")}, optional=_OF_ALL).map(dict),
    st.fixed_dictionaries(
        {"kind": one_of("key"), "requires": one_of("working", "working working")},
        optional={**_OF_ALL, "confirm": _CONFIRM},
    ).map(dict),
    st.fixed_dictionaries(
        {"kind": one_of("key"), "requires": one_of("blocked"), "confirm": one_of("yes")},
        optional=_OF_ALL,
    ).map(dict),
)
HEADS: st.SearchStrategy[Tree] = st.one_of(*_HEADS)


def spoilt_heads() -> st.SearchStrategy[Tree]:
    """Draw a frontmatter with some things wrong in it."""
    return spoilt_of(HEADS, _VALUES, _NAMES)
