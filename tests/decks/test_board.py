"""What pages are told of, and that none of them can pile up work."""

from __future__ import annotations

import pytest

from flightdeck.decks.board import Board, Page


@pytest.fixture
def board() -> Board:
    return Board(most_pages=2)


def joined(board: Board) -> Page:
    page = board.join()
    assert page
    return page


def test_new_page_is_told_everything_shown_so_far(board: Board) -> None:
    board.show(3, b"a", "three")
    page = joined(board)
    assert board.news(page) == [(3, 1, "three")]
    board.leave(page)


def test_slow_page_owes_only_the_newest_version_of_a_key(board: Board) -> None:
    page = joined(board)
    for image in (b"a", b"b", b"c"):
        board.show(3, image, "three")
    assert board.news(page) == [(3, 3, "three")]
    board.leave(page)


def test_thousands_of_changes_do_not_block_the_painter(board: Board) -> None:
    page = joined(board)
    for number in range(20_000):
        board.show(3, b"%d" % number, "three")
    assert board.news(page) == [(3, 20_000, "three")]
    board.leave(page)


def test_same_picture_and_name_again_is_no_news(board: Board) -> None:
    board.show(3, b"a", "three")
    page = joined(board)
    board.news(page)
    board.show(3, b"a", "three")
    board.show(4, b"b", "four")
    assert board.news(page) == [(4, 1, "four")]
    board.leave(page)


def test_new_name_alone_keeps_the_version_of_the_picture(board: Board) -> None:
    board.show(3, b"a", "three")
    board.show(3, b"a", "three, blocked")
    shown = board.at(3)
    assert shown
    assert (shown.version, shown.name) == (1, "three, blocked")


def test_face_in_sight_is_the_newest_by_picture_and_by_name(board: Board) -> None:
    assert board.shows(3, "0", "")
    board.show(3, b"a", "three")
    assert board.shows(3, "1", "three")
    assert not board.shows(3, "0", "")
    assert not board.shows(3, "1", "three, blocked")


def test_more_pages_than_allowed_are_turned_away_until_one_leaves(board: Board) -> None:
    first, second = joined(board), joined(board)
    assert board.join() is None
    board.leave(first)
    board.leave(joined(board))
    board.leave(second)


def test_page_is_watching_only_while_it_is_open(board: Board) -> None:
    page = joined(board)
    during = board.watches(page.id)
    board.leave(page)
    board.leave(page)
    assert (during, board.watches(page.id)) == (True, False)


def test_key_never_written_is_nothing(board: Board) -> None:
    assert board.at(0) is None
