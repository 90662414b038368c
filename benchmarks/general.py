"""ludion beside general libraries: the same searches of the same positions. What pip has of them is asked by its own
Python (`--install-peers`)."""

from __future__ import annotations

import subprocess
from typing import Any

import ludion
from benchmarks import peers
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


SIMPLEAI = """
import sys, time
from simpleai.search import SearchProblem, astar
start, goal = eval(sys.argv[1]), eval(sys.argv[2])
HOME = {tile: divmod(cell, 3) for cell, tile in enumerate(goal)}
class Puzzle(SearchProblem):
    def actions(self, state):
        row, column = divmod(state.index(0), 3)
        return [step for step, ok in ((-3, row), (3, row < 2), (-1, column), (1, column < 2)) if ok]
    def result(self, state, step):
        blank, tiles = state.index(0), list(state)
        tiles[blank], tiles[blank + step] = tiles[blank + step], 0
        return tuple(tiles)
    def is_goal(self, state):
        return state == goal
    def heuristic(self, state):
        places = (divmod(cell, 3) + HOME[tile] for cell, tile in enumerate(state) if tile)
        return sum(abs(r - y) + abs(c - x) for r, c, y, x in places)
begin = time.process_time()
found = astar(Puzzle(start), graph_search=True)
print(time.process_time() - begin, len(found.path()) - 1)
"""

EASYAI = """
import time
from easyAI import Human_Player, Negamax, TwoPlayerGame
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
class Game(TwoPlayerGame):
    def __init__(self):
        self.players, self.board, self.current_player = [Human_Player(), Human_Player()], [0] * 9, 1
    def possible_moves(self):
        return [cell for cell in range(9) if not self.board[cell]]
    def make_move(self, cell):
        self.board[cell] = self.current_player
    def unmake_move(self, cell):
        self.board[cell] = 0
    def lose(self):
        other = self.opponent_index
        return any(all(self.board[cell] == other for cell in line) for line in LINES)
    def is_over(self):
        return 0 not in self.board or self.lose()
    def scoring(self):
        return -100 if self.lose() else 0
search = Negamax(9)
begin = time.process_time()
search(Game())
print(time.process_time() - begin, 0)
"""


def teaching() -> list[Row]:
    """The libraries of courses, in plain Python: A* with Manhattan, and alpha-beta of all of tic-tac-toe."""
    board, empty = ludion.position("taquin", "level:report-5"), ludion.position("tic-tac-toe")
    tiles = [tuple(0 if sign == "_" else ord(sign) for sign in text if sign not in " /") for text in (
        board.text, board.options["goal"]
    )]  # fmt: skip

    def a_star() -> Any:
        return ludion.solve(board, "a-star", heuristic="manhattan")

    works = {
        "simpleai": ("A\\* with Manhattan, 30 moves", a_star,
                     [SIMPLEAI, *map(str, tiles)], 30),
        "easyAI": ("alpha-beta, all of tic-tac-toe", lambda: ludion.solve(empty, "alpha-beta"), [EASYAI], 0),
    }  # fmt: skip
    rows: list[Row] = []
    for package, (what, work, script, expected) in works.items():
        python = peers.python(package)
        if python is None:
            continue

        def ask(command: list[str] = [python, "-c", *script]) -> tuple[float, int]:  # noqa: B006
            seconds, result = subprocess.run(
                command, capture_output=True, text=True, check=True
            ).stdout.split()
            return float(seconds), int(result)

        work()
        taken = in_turn(3, own=lambda work=work: cpu(work), peer=ask)
        (own, answer), (peer, result) = taken["own"], taken["peer"]
        assert answer.status == "optimal", "not solved"
        assert result == expected == (answer.length or 0), "the two do not agree"
        rows.append(claim(f"{what}, whole call", sample(own, 1000), "ms"))
        rows.append(claim(f"... by {package}", sample(peer, 1000), "ms"))
        rows.append(claim("... its time beside ours", ratios(peer, own), "times"))
    return rows


PEERS = {"open_spiel": ("open_spiel",), "teaching": ("simpleai", "easyAI")}
PARTS = {"open_spiel": open_spiel, "teaching": teaching}
