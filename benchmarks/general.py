"""ludion beside OpenSpiel, a general library: the same searches of the same positions, in one process."""

from __future__ import annotations

from typing import Any

import ludion
from benchmarks.measure import ROUNDS, Row, claim, cpu, in_turn, ratios, sample

SIMULATIONS = 2000
NODES = 60_000  # about as many random games


def open_spiel() -> list[Row]:
    """Alpha-beta over all of tic-tac-toe, and Monte-Carlo tree search of Connect 4."""
    try:
        import pyspiel
        from open_spiel.python.algorithms.minimax import alpha_beta_search
    except ImportError:
        return []
    rows: list[Row] = []
    board, theirs = ludion.position("tic-tac-toe"), pyspiel.load_game("tic_tac_toe")

    def search() -> Any:
        return ludion.solve(board, "alpha-beta")

    search()
    taken = in_turn(ROUNDS, own=lambda: cpu(search), peer=lambda: cpu(lambda: alpha_beta_search(theirs)))
    (own, answer), (peer, (value, _)) = taken["own"], taken["peer"]
    assert int(answer.score) == value == 0, "the two do not agree"
    rows.append(claim("alpha-beta, all of tic-tac-toe, whole call", sample(own, 1000), "ms"))
    rows.append(claim("... by OpenSpiel's alpha-beta (Python)", sample(peer, 1000), "ms"))
    rows.append(claim("... OpenSpiel's time beside ours", ratios(peer, own), "times"))

    start, game = ludion.position("connect-four"), pyspiel.load_game("connect_four")
    bot = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 0), 1.4, SIMULATIONS, 1000, False, 0, False,
        pyspiel.ChildSelectionPolicy.UCT,
    )  # fmt: skip
    state = game.new_initial_state()

    def simulate() -> Any:
        return ludion.solve(start, "monte-carlo", nodes=NODES)

    rounds = simulate().details["games"]
    taken = in_turn(ROUNDS, own=lambda: cpu(simulate), peer=lambda: cpu(lambda: bot.mcts_search(state)))
    own, peer = taken["own"][0], taken["peer"][0]
    rates = [rounds / each / 1e3 for each in own], [SIMULATIONS / each / 1e3 for each in peer]
    rows.append(claim("Monte-Carlo, Connect 4", sample(rates[0]), "k games/s"))
    rows.append(claim("... by OpenSpiel's MCTSBot (C++)", sample(rates[1]), "k games/s"))
    rows.append(claim("... our rate beside OpenSpiel's", ratios(*rates), "times"))
    return rows


PEERS = {"open_spiel": ("open_spiel",)}
PARTS = {"open_spiel": open_spiel}
