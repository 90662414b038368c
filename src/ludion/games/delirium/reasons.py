"""Why an action is good or bad, as far as the miner sees: a danger, or the layer that chooses it."""

from __future__ import annotations

from ludion.games.delirium.layered import LayeredMiner, Layers
from ludion.games.delirium.physics import ACTION_STEPS, DOWN, MINER_CELL, RIGHT, STAY, column_of, row_of
from ludion.games.delirium.world import WHOLE_VIEW, Briefing, MineWorld, act, look, outcome
from ludion.kinds.parts import MoveReason, Place, marks_at
from ludion.kinds.quest import LOST
from ludion.messages import message


def action_reason(briefing: Briefing, world: MineWorld, action: int) -> MoveReason | None:
    """Death in the same tick, a step into danger, or the layer of the report's miner that would do the same."""
    place = int(world.state.info[MINER_CELL])
    here: Place = (row_of(place), column_of(place))
    after = act(world.copy(), action)
    if min(world.view_x, world.view_y) >= WHOLE_VIEW and outcome(after) == LOST:
        fate = message(f"delirium.fate.{after.fate.replace(' ', '_')}")
        return MoveReason(message("delirium.why_fatal", fate=fate), marks_at("danger", [here]))
    miner = LayeredMiner(Layers())
    advised = miner.decide(look(world))
    thought = miner.thought
    dangers = [(y, x) for x, y in thought.dangers]
    marks = marks_at("danger", dangers)
    target = place + (ACTION_STEPS[action] if RIGHT <= action <= DOWN else 0)
    if (row_of(target), column_of(target)) in dangers:
        id = "delirium.why_waits_in_danger" if action == STAY else "delirium.why_into_danger"
        return MoveReason(message(id), marks)
    if advised != action:
        return MoveReason("", marks) if marks else None
    marks += marks_at("path", [(y, x) for x, y in thought.path])
    if thought.target is not None:
        marks += marks_at("target", [(thought.target[1], thought.target[0])])
    return MoveReason(str(thought), marks)
