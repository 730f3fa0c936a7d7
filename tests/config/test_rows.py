"""Rows and keys: every position is bound once, and a slot never moves."""

from __future__ import annotations

from flightdeck.model.layout import (
    Action,
    AppTarget,
    BlankBinding,
    LongPress,
    OpenBinding,
    PinBinding,
    SlotBinding,
    SteerBinding,
    VerdictBinding,
)
from tests.config.panels import (
    SMALLEST,
    compiled,
    hints,
    key_at,
    marked,
    shipped_verbs,
    told,
    with_keys,
)


def test_every_position_of_the_deck_has_a_key() -> None:
    layout = compiled(SMALLEST)
    assert [key.position for key in layout.keys] == [
        layout.grid.position(index) for index in range(32)
    ]


def test_filled_row_holds_the_slots_left_to_right() -> None:
    assert compiled(SMALLEST).slots == tuple(range(8))
    assert key_at(compiled(SMALLEST), 1, 8).binding == SlotBinding(7)


def test_second_filled_row_counts_on() -> None:
    layout = compiled(SMALLEST + "  - name: more\n    fill: slot\n")
    assert key_at(layout, 2, 1).binding == SlotBinding(8)


def test_what_is_not_bound_is_blank() -> None:
    assert key_at(compiled(SMALLEST), 4, 8).binding == BlankBinding()


def test_explicit_key_takes_the_place_of_its_slot_and_moves_no_other() -> None:
    layout = compiled(with_keys("3: open app X", fill=True))
    assert key_at(layout, 1, 3).binding == OpenBinding(AppTarget("X"))
    assert layout.slots == (0, 1, 3, 4, 5, 6, 7)


def test_pin_reserves_the_slot_of_its_place() -> None:
    layout = compiled(with_keys("8: pin app X", fill=True))
    assert key_at(layout, 1, 8).binding == PinBinding(7, AppTarget("X"))
    assert layout.slots == (0, 1, 2, 3, 4, 5, 6)


def test_slot_can_stand_anywhere_once() -> None:
    layout = compiled(with_keys("2: slot 5", "1: slot 0"))
    assert layout.slots == (0, 5)


def test_long_form_names_the_key() -> None:
    key = key_at(compiled(with_keys("1:", "  bind: open app X", "  label: Notes")), 1, 1)
    assert (key.label, key.look) == ("Notes", None)


def test_short_form_is_called_after_what_it_does() -> None:
    assert key_at(compiled(with_keys("1: open app X")), 1, 1).label == "X"


def test_two_bindings_on_one_key_are_a_problem() -> None:
    text = with_keys("1: blank", "2: blank", "01: open app X")
    assert told(text) == ["6:7 key 1.1 has two bindings"]
    assert hints(text) == ["the first is on line 4: keep one of them"]


def test_column_outside_the_deck_is_a_problem() -> None:
    text = with_keys("0: blank", "9: blank")
    assert told(text) == ["4:7 column 0 is outside the deck", "5:7 column 9 is outside the deck"]
    assert hints(text) == ["stream-deck-xl has columns 1 to 8"] * 2


def test_column_is_a_number() -> None:
    assert told(with_keys("a: blank")) == ["4:7 'a' is no column"]


def test_row_outside_the_deck_is_a_problem() -> None:
    text = SMALLEST + "  - name: b\n  - name: c\n  - name: d\n  - name: e\n"
    assert told(text) == ["7:5 row 5 is outside the deck"]
    assert hints(text) == ["stream-deck-xl has 4 rows"]


def test_the_deck_named_decides_what_is_outside() -> None:
    text = with_keys("4: blank").replace("stream-deck-xl", "stream-deck-mini")
    assert hints(text) == ["stream-deck-mini has columns 1 to 3"]


def test_slot_bound_twice_is_a_problem() -> None:
    text = with_keys("1: slot 3", "2: slot 3")
    assert told(text) == ["5:10 slot 3 is bound twice"]
    assert hints(text) == ["the first is on line 4: a session has one key"]


def test_slot_bound_beside_its_filled_place_is_a_problem() -> None:
    assert told(with_keys("1: slot 3", fill=True)) == ["3:11 slot 3 is bound twice"]


def test_slot_beyond_the_deck_is_a_problem() -> None:
    text = with_keys("1: slot 32")
    assert told(text) == ["4:10 slot 32 is out of range"]
    assert hints(text) == ["this deck has slots 0 to 31"]


def test_pin_outside_a_filled_row_has_no_slot_to_take() -> None:
    assert hints(with_keys("1: pin app X")) == [
        "put it in a row with `fill: slot`, or write `open app X`"
    ]


def test_unknown_kind_is_a_problem_and_not_a_blank_key() -> None:
    text = with_keys("1: send commit")
    assert told(text) == ["4:10 nobody implements 'send' yet"]
    assert marked(text) == ["send commit"]


def test_face_of_a_slot_is_its_sessions() -> None:
    text = with_keys("1:", "  bind: slot 0", "  label: X", "  colour: '#000000'")
    assert told(text) == [
        "6:9 'label' on a key that takes none",
        "7:9 'colour' on a key that takes none",
    ]


def test_blank_key_shows_nothing() -> None:
    text = with_keys("1:", "  bind: blank", "  label: X")
    assert hints(text) == ["it is blank"]


def test_long_form_needs_its_binding() -> None:
    assert told(with_keys("1:", "  label: X")) == ["4:7 '1' has no 'bind'"]


def test_long_form_has_no_other_keys() -> None:
    text = with_keys("1:", "  bind: blank", "  lable: X")
    assert (told(text), hints(text)) == (["6:9 unknown key 'lable'"], ["did you mean 'label'?"])


def test_binding_left_out_is_told() -> None:
    assert told(with_keys("1:")) == ["4:9 '1' is empty"]


def test_only_slots_fill_a_row() -> None:
    text = "device: stream-deck-xl\nrows:\n  - fill: verbs\n  - fill:\n"
    assert told(text) == [
        "3:11 a row cannot be filled with 'verbs'",
        "4:10 fill of 'row 2' is empty",
    ]


def test_row_has_no_other_keys() -> None:
    assert told(SMALLEST + "    press: focus\n") == ["4:5 unknown key 'press'"]


def test_row_that_is_no_mapping_is_told() -> None:
    assert told("device: stream-deck-xl\nrows:\n  - slot\n") == ["3:5 'row 1' is not a mapping"]


def test_rows_are_a_list() -> None:
    assert told("device: stream-deck-xl\nrows:\n  fill: slot\n") == ["3:3 'rows' is not a list"]


def test_keys_are_a_mapping() -> None:
    text = "device: stream-deck-xl\nrows:\n  - keys:\n      - blank\n"
    assert told(text) == ["4:7 keys of 'row 1' is not a mapping"]
    assert hints(text) == ["write it as\n    keys:\n      name: value"]


def test_place_where_the_yaml_is_at_fault_is_told_once() -> None:
    text = "device: stream-deck-xl\nrows:\n  - keys: [1, 2]\n"
    assert told(text) == ["3:11 flow style, '[…]' or '{…}'"]


def test_verdict_may_have_two_keys_and_a_look_of_its_own() -> None:
    text = with_keys("1: verdict approve", "2:", "  bind: verdict approve", "  colour: '#0F3B1A'")
    first, second = (key_at(compiled(text), 1, column) for column in (1, 2))
    assert first.binding == second.binding == VerdictBinding(Action.APPROVE)
    assert second.look is not None
    assert (first.look, second.look.colour) == (None, "#0f3b1a")


def test_steer_key_carries_its_verb_and_the_verbs_label_unless_it_has_one() -> None:
    text = with_keys("1: steer dryrun", "2:", "  bind: steer dryrun", "  label: Show me")
    first, second = (key_at(compiled(text), 1, column) for column in (1, 2))
    assert first.binding == SteerBinding(shipped_verbs().usable["dryrun"])
    assert (first.label, second.label) == ("DRYRUN", "Show me")


def test_unknown_verb_is_told_at_the_key_with_the_nearest() -> None:
    text = with_keys("1: steer dryrum")
    assert (told(text), hints(text)) == (
        ["4:10 unknown verb 'dryrum'"],
        ["did you mean 'dryrun'?"],
    )
    assert marked(text) == ["steer dryrum"]


def test_row_without_keys_keeps_its_place() -> None:
    text = SMALLEST + "  - name: spare\n  - keys:\n      1: verdict deny\n"
    assert key_at(compiled(text), 2, 1).binding == BlankBinding()
    assert key_at(compiled(text), 3, 1).binding == VerdictBinding(Action.DENY)


def with_hold(row: str) -> str:
    return SMALLEST.replace("  - fill: slot\n", f"  - name: fleet\n{row}")


def test_held_row_arms_on_its_slots_and_on_nothing_else() -> None:
    held = with_hold("    fill: slot\n    long_press: teardown\n    keys:\n      2: blank\n")
    layout = compiled(held + "  - fill: slot\n    keys:\n      3: slot 20\n")
    slots = [key for key in layout.keys if isinstance(key.binding, SlotBinding)]
    assert {key.position.row for key in slots if key.long_press is LongPress.TEARDOWN} == {1}
    assert key_at(layout, 1, 2).long_press is None
    assert key_at(layout, 2, 1).long_press is None


def test_slot_that_is_named_in_a_held_row_is_held_too() -> None:
    held = "    fill: slot\n    long_press: teardown\n    keys:\n      2: slot 20\n"
    assert key_at(compiled(with_hold(held)), 1, 2).long_press is LongPress.TEARDOWN


def test_unknown_hold_is_a_problem() -> None:
    text = with_hold("    fill: slot\n    long_press: teardwon\n")
    assert [problem.split(" ", 1)[1] for problem in told(text)] == [
        "no key does 'teardwon' when it is held"
    ]
    assert hints(text) == ["did you mean 'teardown'?"]


def test_hold_in_a_row_without_slots_is_a_problem() -> None:
    text = SMALLEST + "  - name: more\n    long_press: teardown\n"
    assert [problem.split(" ", 1)[1] for problem in told(text)] == [
        "'long_press' in a row that is not filled with slots"
    ]
