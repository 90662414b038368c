"""The official checkers of Gymnasium, PettingZoo and OpenSpiel on our environments."""

import random
import warnings

import numpy as np
import pytest

from ludion import api, registry

pytestmark = pytest.mark.filterwarnings("default")

GAMES = registry.games()
ENVS = [name for name in ("taquin", "rush-hour", "crocomine", "delirium") if name in GAMES]
DUELS = [name for name in ("tic-tac-toe", "connect-four", "hive") if name in GAMES]

# Which names may return such observations is hard-coded in PettingZoo; all others get these warnings.
EXPECTED = ("Observation is not a NumPy array", "should be gymnasium.spaces.box or", "all zeros")


# ------------------------------------------------------------------ Gymnasium


@pytest.mark.parametrize("name", ENVS)
def test_gymnasium_s_checker(name):
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import ludion.adapters.gymnasium  # noqa: F401

    env = gymnasium.make(f"ludion/{name}-v0")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*spec.*render.*|.*render_mode.*|.*Box.*(infinite|infinity|inf).*")
        check_env(env.unwrapped, skip_render_check=True)
    env.reset(seed=1)
    for _ in range(20):
        legal = np.flatnonzero(env.unwrapped._info()["action_mask"])
        _, _, terminated, truncated, info = env.step(int(legal[0]))
        assert not info["illegal"]
        if terminated or truncated:
            break


@pytest.mark.parametrize("name", ENVS)
def test_gymnasium_s_render_modes(name):
    gymnasium = pytest.importorskip("gymnasium")
    import ludion.adapters.gymnasium  # noqa: F401

    for mode in ("ansi", "svg", "rgb_array"):
        env = gymnasium.make(f"ludion/{name}-v0", render_mode=mode)
        env.reset(seed=1)
        seen = env.render()
        if mode == "rgb_array":
            assert (seen.dtype, seen.ndim, seen.shape[2]) == (np.uint8, 3, 3)
        else:
            assert isinstance(seen, str)
            assert ("<svg" in seen) == (mode == "svg")
        env.close()


def test_an_episode_of_taquin_is_the_puzzle():
    pytest.importorskip("gymnasium")
    from ludion.adapters.gymnasium import PuzzleEnv

    env = PuzzleEnv("taquin", "1 2 3/4 5 6/0 7 8")
    seen, info = env.reset()
    assert seen.tolist() == [[1, 2, 3], [4, 5, 6], [0, 7, 8]]
    assert info["action_mask"].tolist() == [1, 0, 1, 0]  # up, left, right, down
    _, reward, done, _, info = env.step(1)
    assert (reward, done, info["illegal"], info["position"]) == (-1, False, True, "1 2 3/4 5 6/0 7 8")
    env.step(2)
    seen, reward, done, _, _ = env.step(2)
    assert (reward, done) == (-1, True)
    assert seen.tolist()[-1] == [7, 8, 0]
    shuffled = PuzzleEnv("taquin")
    first, _ = shuffled.reset(seed=5)
    assert np.array_equal(first, shuffled.reset(seed=5)[0])
    assert not np.array_equal(first, shuffled.reset(seed=6)[0])


# ------------------------------------------------------------------ PettingZoo


@pytest.mark.parametrize("name", DUELS)
def test_pettingzoo_s_checkers(name, capsys):
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, render_test, seed_test

    from ludion.adapters.pettingzoo import env

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        api_test(env(name, longest=12), num_cycles=20)
        seed_test(lambda: env(name, longest=8), num_cycles=6)
        render_test(
            lambda **more: env(name, longest=4, **more), custom_tests={"svg": lambda seen: "<svg" in seen}
        )
    texts = [str(each.message) for each in said if each.category is UserWarning]
    assert [text for text in texts if not any(known in text for known in EXPECTED)] == []


def test_pettingzoo_rewards_the_winner():
    pytest.importorskip("pettingzoo")
    from ludion.adapters.pettingzoo import env

    made = env("tic-tac-toe")
    made.reset()
    for cell in (0, 3, 1, 4, 2):
        made.step(cell)
    assert made.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(made.terminations.values())


def test_a_user_s_own_game_is_an_environment():
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from ludion.adapters.pettingzoo import env

    registry.load_game_file("examples/domineering.py")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env("domineering", position="..../..../...."), num_cycles=30)


# ------------------------------------------------------------------ OpenSpiel


@pytest.mark.parametrize("name", DUELS)
def test_open_spiel_s_random_simulation(name, capfd):
    pyspiel = pytest.importorskip("pyspiel")
    from ludion.adapters.open_spiel import as_open_spiel

    pyspiel.random_sim_test(as_open_spiel(name), num_sims=1, serialize=False, verbose=False)


def same_moves(theirs, ours, names, apply, games, plies, skip=lambda state: False):
    """Play random games on both sides and compare the legal moves and the end of each."""
    import pyspiel

    for number in range(games):
        chance = random.Random(number)
        state, position = pyspiel.load_game(theirs).new_initial_state(), api.position(ours, "")
        for _ in range(plies):
            assert state.is_terminal() == (position.status != api.OPEN), position.text
            if state.is_terminal():
                gain = state.returns()[0]
                turn = len(state.history()) % 2
                mine = {"won": 1, "lost": -1, "drawn": 0}[position.status] * (1 if turn == 0 else -1)
                assert gain == mine
                break
            left, right = names(state), set(position.moves())
            if left != right and skip(state):
                break
            assert left == right, position.text
            move = chance.choice(sorted(right))
            apply(state, move)
            position = position.play(move)


def test_open_spiel_agrees_on_tic_tac_toe():
    pytest.importorskip("pyspiel")
    cells = [f"{column}{row}" for row in (1, 2, 3) for column in "abc"]
    same_moves(
        "tic_tac_toe",
        "tic-tac-toe",
        lambda state: {cells[action] for action in state.legal_actions()},
        lambda state, move: state.apply_action(cells.index(move)),
        games=30,
        plies=10,
    )


@pytest.mark.skipif("connect-four" not in GAMES, reason="needs connect-four")
def test_open_spiel_agrees_on_connect_four():
    pytest.importorskip("pyspiel")
    same_moves(
        "connect_four",
        "connect-four",
        lambda state: {str(action + 1) for action in state.legal_actions()},
        lambda state, move: state.apply_action(int(move) - 1),
        games=30,
        plies=43,
    )


def holds_the_hive_together(position, piece):
    """Whether the hive falls apart without this piece (which stands alone on its cell)."""
    from ludion.games.hive import rules

    board = position.state.board
    cells = {cell for cell in range(rules.CELLS) if board[rules.TOP + cell]}
    cells.discard(int(board[rules.WHERE + piece]))
    reached, waiting = set(), [min(cells)]
    while waiting:
        cell = waiting.pop()
        if cell in cells and cell not in reached:
            reached.add(cell)
            waiting += [int(cell + step) % rules.CELLS for step in rules.STEPS]
    return reached != cells


def test_open_spiel_agrees_on_hive():
    """But for OpenSpiel's known error: it overlooks some pins (perft 6 is 12,587,388, not 12,219,480)."""
    pyspiel = pytest.importorskip("pyspiel")
    from ludion.games.hive import rules
    from ludion.games.hive.notation import read_move

    game = pyspiel.load_game("hive(uses_mosquito=false,uses_ladybug=false,uses_pillbug=false)")
    compared = 0
    for number in range(3):
        chance = random.Random(number)
        state, position = game.new_initial_state(), api.position("hive", "")
        for _ in range(30):
            assert state.is_terminal() == (position.status != api.OPEN), position.text
            if state.is_terminal():
                break
            theirs = {}
            for action in state.legal_actions():
                theirs.setdefault(
                    read_move(position.rules, position.state, state.action_to_string(action)), action
                )
            ours, where = set(position.codes()), position.state.board[rules.WHERE :]
            assert ours <= set(theirs), position.text
            for extra in set(theirs) - ours:
                piece = extra >> 20
                early = where[piece] < 0 and where[piece - 1] < 0  # they may place wA2 before wA1
                same_bug = rules.BUG_OF[piece] == rules.BUG_OF[piece - 1]
                assert (early and same_bug) or holds_the_hive_together(position, piece), position.text
            compared += len(ours)
            move = chance.choice(sorted(ours))
            state.apply_action(theirs[move])
            position = position.play(move)
    assert compared > 1000


def test_our_engines_play_open_spiel_s_games():
    pyspiel = pytest.importorskip("pyspiel")
    from ludion.adapters.open_spiel import LudionBot, ask
    from ludion.errors import LudionError

    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    assert ask("negamax", state, depth=2).score.value == 0
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    assert ask("negamax", state).moves == (2,)
    assert ask("negamax", state).score.plies == 1
    assert ask("monte-carlo", state, nodes=1500).moves[0] == 2
    assert LudionBot("monte-carlo", nodes=1500).step(state) == 2
    breakthrough = pyspiel.load_game("breakthrough(rows=4,columns=4)").new_initial_state()
    assert ask("monte-carlo", breakthrough, nodes=300).moves[0] in breakthrough.legal_actions()
    with pytest.raises(LudionError, match="no duel"):
        ask("negamax", pyspiel.load_game("kuhn_poker").new_initial_state())
    with pytest.raises(LudionError, match="unknown engine"):
        ask("alpha-beta", state)
