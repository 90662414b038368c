"""Actions for people: which there are, their names, and what cannot be read."""

from __future__ import annotations

import numpy as np
import pytest

from ludion.errors import NotationError
from ludion.games.delirium.world import act, actions, read, read_action, write_action
from ludion.messages import speaking
from tests.games.delirium.test_physics import cave

NAMES = ["wait", "right", "up", "left", "down", "dig-right", "dig-up", "dig-left", "dig-down"]


def test_the_nine_actions_are_legal_until_the_end() -> None:
    briefing, world = read(cave("PX"))
    assert actions(briefing, world) == list(range(9))
    act(world, 1)
    assert world.fate == "won"
    assert actions(briefing, world) == []


def test_actions_have_names() -> None:
    briefing, world = read(cave("P.X"))
    assert [write_action(briefing, world, action) for action in actions(briefing, world)] == NAMES
    assert write_action(briefing, world, 100_000) == "enlarge-view"
    assert write_action(briefing, world, np.int64(3)) == "left"


@pytest.mark.parametrize("nonsense", [None, 42, "left", 2.5, True])
def test_what_is_not_an_action_is_written_as_it_is(nonsense: object) -> None:
    briefing, world = read(cave("P.X"))
    assert write_action(briefing, world, nonsense) == str(nonsense)


@pytest.mark.parametrize("action", [*range(9), 100_000])
def test_actions_are_read_by_name_number_and_letter(action: int) -> None:
    briefing, world = read(cave("P.X"))
    name = write_action(briefing, world, action)
    letter = "+" if action == 100_000 else ".ruldRULD"[action]
    for text in (name, name.upper(), f" {name} ", str(action), letter):
        assert read_action(briefing, world, text) == action


@pytest.mark.parametrize("text", ["", "jump", "9", "-1", "1.0", "x" * 1000, "fire-left"])
def test_other_words_are_refused_with_the_names(text: str) -> None:
    briefing, world = read(cave("P.X"))
    with pytest.raises(NotationError, match=r"is not an action \(known: wait, right") as error:
        read_action(briefing, world, text)
    assert len(str(error.value)) < 200


def test_refusals_speak_french() -> None:
    briefing, world = read(cave("P.X"))
    with speaking("fr"), pytest.raises(NotationError, match="n'est pas une action"):
        read_action(briefing, world, "sauter")
