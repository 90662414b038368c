"""The contract of quests: percepts share nothing with the world, illegal actions change nothing, and runs are
reproducible."""

from __future__ import annotations

import copy
import pickle
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ludion.checks.sample import begin, starts
from ludion.checks.searched import function_problem
from ludion.core.verbs import Verb, class_name
from ludion.core.words import mix
from ludion.engines.trial import (
    BrokenContractError,
    ContractProblem,
    checked_call,
    place_of,
    problem_of,
    raised_problem,
    shape_of,
    shown,
)
from ludion.kinds import quest
from ludion.kinds.games import Quest
from ludion.kinds.quest import IllegalActionError
from ludion.messages import message

STEPS = 12
RUN_STEPS = 40
AGENT_SECONDS = 20.0  # after which no further agent is tried
OUTCOMES = (quest.WON, quest.LOST, quest.RUNNING)
NONSENSE = ("no such action", -77, 10**9, None, (999, 999), object())
ACTIONS_TRIED = 12
DEEPEST = 6  # levels of containers that are looked into


def parts_of(value: object) -> list[object]:
    """What a container or an object holds."""
    if isinstance(value, (list, tuple, set)):
        return list(value)
    if isinstance(value, dict):
        return list(value.values())
    return list(vars(value).values()) if hasattr(value, "__dict__") and not callable(value) else []


def mutable_parts(value: object, depth: int = 0) -> Iterator[object]:
    """The arrays, lists, dicts and sets that a value holds."""
    if isinstance(value, (list, dict, set, np.ndarray)):
        yield value
    if depth < DEEPEST and not isinstance(value, (str, bytes, np.ndarray, type)):
        for part in parts_of(value):
            yield from mutable_parts(part, depth + 1)


def shared_part(percept: object, world: object) -> object | None:
    """A mutable object that both share."""
    of_world = list(mutable_parts(world))
    ids_of_world = {id(each) for each in of_world}
    arrays = [each for each in of_world if isinstance(each, np.ndarray)]
    for part in mutable_parts(percept):
        if isinstance(part, np.ndarray):
            if part.flags.writeable and any(np.shares_memory(part, other) for other in arrays):
                return part
        elif id(part) in ids_of_world:
            return part
    return percept if percept is world else None


def check_outcome(world: Any) -> str:
    result = checked_call(quest.outcome, shown(world), world)
    if result not in OUTCOMES:
        expected = "WON, LOST, RUNNING"
        came = f"{shape_of(result)} {shown(result)}"
        raise BrokenContractError(
            problem_of(quest.outcome, world, "returns", shown(world), expected=expected, came=came)
        )
    return str(result)


def check_worlds(game: Quest[Any, Any]) -> Iterator[ContractProblem]:
    """Percepts, actions and outcomes along a random walk from every start."""
    for text in starts(game):
        rules, world, options = begin(game, text)
        needed: tuple[Verb, ...] = (quest.percept, quest.act, quest.outcome)
        for verb in needed:
            if verb.find(type(world)) is None:
                yield problem_of(verb, world, "no_verb", type=class_name(world))
                return
        if check_outcome(world) != quest.RUNNING:
            yield function_problem(game.read, "read", text, "quest_over", outcome=check_outcome(world))
            return
        yield from check_nonsense(world, text)
        for step in range(STEPS):
            if check_outcome(world) != quest.RUNNING:
                break
            seen = checked_call(quest.percept, text, world)
            if (part := shared_part(seen, world)) is not None:
                yield problem_of(quest.percept, world, "percept_shares", text, part=shown(part))
                return
            if game.actions is None:
                break
            try:
                actions = list(game.actions(rules, world))
            except Exception as error:
                yield raised_problem(error, "actions", game.actions, text)
                return
            if not actions:
                yield function_problem(game.actions, "actions", text, "no_actions")
                return
            chosen = actions[(mix(step, 3) & 0xFFFF) % len(actions)]
            for action in [*actions[:: len(actions) // ACTIONS_TRIED + 1], chosen]:
                try:
                    after = checked_call(quest.act, text, copy.deepcopy(world), action)
                except IllegalActionError as error:
                    yield function_problem(
                        game.actions, "actions", text, "action_refused", action=shown(action), why=error
                    )
                    return
            if type(after) is not type(world):
                expected, came = class_name(world), class_name(after)
                yield problem_of(quest.act, world, "returns", text, expected=expected, came=came)
                return
            world = after
        try:
            written = game.write(rules, begin(game, text)[1])
        except Exception as error:
            yield raised_problem(error, "write", game.write, text)
            return
        if not isinstance(written, str):
            yield function_problem(
                game.write, "write", text, "returns", expected="str", came=shape_of(written)
            )
            return
        try:
            game.read(written.strip(), **options)
        except Exception as error:
            yield raised_problem(error, "read", game.read, written)
            return


def check_nonsense(world: Any, text: str) -> Iterator[ContractProblem]:
    """An action that the world does not understand raises IllegalActionError and changes nothing."""
    for nonsense in NONSENSE:
        own = copy.deepcopy(world)
        before = picture(own)
        try:
            checked_call(quest.act, text, own, nonsense)
        except IllegalActionError:
            if picture(own) != before:
                yield problem_of(quest.act, world, "illegal_changes", text, action=shown(nonsense))
                return
        else:
            yield problem_of(quest.act, world, "nonsense_accepted", text, action=shown(nonsense))
            return


def picture(world: object) -> object:
    """The state of a world, for comparison."""
    try:
        return pickle.dumps(world)
    except Exception:
        return shown(world)


def check_agents(game: Quest[Any, Any]) -> Iterator[ContractProblem]:
    """Every agent without an argument decides, and equal seeds give equal runs; an agent with a time budget (a setting
    `budget`) may decide differently in another run."""
    text = game.start or (starts(game) or [""])[-1]
    seed = {"seed": "5"} if game.seeded else {}
    until = time.monotonic() + AGENT_SECONDS
    for name, maker in game.agents.items():
        if maker.argument or time.monotonic() > until:
            continue
        records = []
        by_the_clock = any(each.name == "budget" for each in maker.settings)
        for _ in range(1 if by_the_clock else 2):
            rules, world, _ = game.begin(text, seed)
            settings: dict[str, Any] = {each.name: 5 for each in maker.settings if each.name == "seed"}
            try:
                agent = maker.make(rules, **settings)
            except Exception as error:
                yield raised_problem(error, f"agent {name}", maker.make, text)
                return
            file, line = place_of(getattr(type(agent), "decide", None) or type(agent))
            if not callable(getattr(agent, "decide", None)):
                sentence = message("checks.no_decide", agent=name, type=class_name(agent))
                yield ContractProblem(file, line, "decide", text, sentence)
                return
            record = (game.referee or quest.run)(world, agent, steps=RUN_STEPS, patience=None)
            if record.ended_by in (quest.CRASHED, quest.ILLEGAL):
                reason = record.reason.removeprefix(
                    f"{Path(file).name}:"
                )  # it names a line of this file itself
                if reason != record.reason:
                    number, _, reason = reason.partition(": ")
                    line = int(number)
                sentence = message("checks.agent_fails", agent=name, reason=reason)
                yield ContractProblem(file, line, "decide", text, sentence)
                return
            records.append((record.outcome, record.ended_by, [shown(action) for action in record.actions]))
        if records[0] != records[-1]:
            sentence = message("checks.runs_differ", agent=name)
            yield ContractProblem(file, line, "decide", text, sentence)
            return
