"""The solver as an engine: answers, words, limits, strength, threats, the book and the command line."""

import itertools
import json
import random
from pathlib import Path

import numpy as np
import pytest

import ludion
from ludion.api import study
from ludion.batch import run_jobs
from ludion.engines.budget import Observer, Session
from ludion.errors import LudionError
from ludion.games.connect_four import book, engine, score_table, solver
from ludion.games.connect_four.bitboards import board_of, shape_of
from ludion.games.connect_four.engine import StoneScore, column_scores
from ludion.games.connect_four.judging import UNKNOWN, YES
from ludion.games.connect_four.notation import read
from ludion.games.connect_four.rules import DropGame, drop_game, wins_at_once
from ludion.games.connect_four.solver import batch
from ludion.games.connect_four.threats import column_notes, losses, threats_by_parity
from ludion.kinds import duel
from ludion.messages import speaking

from .test_solver import FACTS, random_text

END = "44455554221"
LOST = [text for text, score in FACTS if int(score) < 0][::3]


def test_answers_in_stones_and_words():
    answer = ludion.solve(ludion.position("connect-four", "4455"))
    assert (answer.status, int(answer.score), str(answer.score)) == ("optimal", 18, "win in 2 moves")
    assert answer.line[0] in ("3", "6")
    assert len(answer.line) == answer.score.plies == 3
    answer = ludion.solve(ludion.position("connect-four", END))
    assert (int(answer.score), str(answer.score)) == (-15, "loss in 1 move")
    assert str(ludion.solve(ludion.position("connect-four", END), weak=True).score) == "loss"


@pytest.mark.interpreted
def test_scores_know_their_distance():
    assert StoneScore(21, True, 42).plies == 1
    assert StoneScore(1, True, 42).plies == 41  # the first player's last stone
    assert StoneScore(-1, True, 42).plies == 42
    assert StoneScore(18, True, 38).before() == StoneScore(-18, True, 39)
    assert str(StoneScore(0, True, 12)) == "draw"
    assert StoneScore(2, True, 12) > StoneScore(0, True, 12) > StoneScore(-2, True, 12)


def test_a_line_is_played_out_with_the_score():
    position = ludion.position("connect-four", "4612343726774174114")
    answer = ludion.solve(position, book=False)
    assert answer.line
    end = position.play(*answer.line)
    if answer.score.plies is None:
        assert end.status == "drawn"
    else:
        assert len(answer.line) == answer.score.plies
        assert end.status == "lost"


def test_finished_games_are_counted_in_stones_too():
    over = ludion.solve(ludion.position("connect-four", "1212121"))
    before = ludion.solve(ludion.position("connect-four", "121212"))
    assert (int(over.score), str(over.score), over.score.plies) == (-18, "lost", 0)
    assert over.score.before() == before.score


def test_every_column():
    scored = ludion.analyse(ludion.position("connect-four", "445567"))
    assert scored[0].name == "3"
    assert [each.score for each in scored] == sorted((each.score for each in scored), reverse=True)
    assert len(scored) == 7
    assert ludion.analyse(ludion.position("connect-four", "1212121")) == []


def test_limits_are_kept_and_leave_a_move():
    position = ludion.position("connect-four", "7x6:12")
    for settings in ({"seconds": 0.2}, {"nodes": 1000}):
        answer = ludion.solve(position, book=False, **settings)
        assert answer.limit == ("time" if "seconds" in settings else "nodes")
        assert answer.line
        assert "between" in answer.reason
        assert answer.seconds < 5
    small = ludion.solve(ludion.position("connect-four", END), memory=20_000)
    assert small.memory <= 20_000


def test_a_lost_position_has_a_move_without_the_distance_too():
    assert len(LOST) > 30
    for text in LOST:
        position = ludion.position("connect-four", text)
        answer = ludion.solve(position, weak=True)
        assert (answer.status, str(answer.score)) == ("optimal", "loss")
        assert ludion.best_move(position, weak=True) == answer.line[0] in position.moves()


def test_without_the_distance_a_line_is_still_stopped():
    stopped = 0
    for text in LOST:
        position = ludion.position("connect-four", text)
        safe = [
            move for move in position.moves() if not wins_at_once(position.rules, position.play(move).state)
        ]
        if safe:
            assert ludion.best_move(position, weak=True) in safe
            stopped += len(safe) < len(position.moves())
    assert stopped > 5


def test_a_node_limit_gives_the_same_answer_every_time(monkeypatch):
    """The guess has a budget of nodes; a budget of seconds would make it depend on the machine."""
    budgets = []
    search = engine.alpha_beta.solve

    def noting(rules, position, evaluation, budget, observer=None):
        budgets.append(budget)
        return search(rules, position, evaluation, budget, observer)

    monkeypatch.setattr(engine.alpha_beta, "solve", noting)
    position = ludion.position("connect-four", "12")
    answers = [ludion.solve(position, book=False, nodes=1000) for _ in range(3)]
    assert {(budget.seconds, budget.nodes) for budget in budgets} == {(None, engine.GUESS_NODES)}
    assert len({(answer.line, answer.score, answer.nodes, answer.reason) for answer in answers}) == 1
    assert answers[0].nodes == 1000


@pytest.mark.parametrize(("yes", "no"), [(True, False), ("yes", "no"), ("True", "FALSE")])
def test_switches_may_be_given_as_text(yes, no):
    position = ludion.position("connect-four", "44444222")
    assert isinstance(ludion.solve(position, weak=no).score, StoneScore)
    assert str(ludion.solve(position, weak=yes).score) in ("win", "draw", "loss")
    by_book, searched = (ludion.solve(position, book=each, nodes=500) for each in (yes, no))
    assert (by_book.limit, searched.limit) == ("", "nodes")
    scored = ludion.analyse(position, weak=no, book=yes)
    assert {type(each.score) for each in scored} == {StoneScore}
    with pytest.raises(LudionError, match="book must be yes or no, not 'perhaps'"):
        ludion.solve(position, book="perhaps")
    with pytest.raises(LudionError, match="weak must be yes or no"):
        ludion.analyse(position, weak="perhaps")


def test_strength():
    position = ludion.position("connect-four", "445567")
    weak = {ludion.best_move(position, strength=1, seed=seed) for seed in range(12)}
    assert len(weak) > 2
    assert {ludion.best_move(position, strength=10, seed=seed) for seed in range(3)} == {"3"}
    with pytest.raises(LudionError, match="strength must be from 1 to 10"):
        ludion.solve(position, strength=11)


def test_other_lengths_of_lines_fall_to_alpha_beta():
    answer = ludion.solve(ludion.position("connect-four", "5x4/3:12"))
    assert (answer.engine, str(answer.score)) == ("alpha-beta", "win in 4 moves")
    assert ludion.analyse(ludion.position("connect-four", "5x4/3:12"))[0].score.value > 0


@pytest.mark.interpreted
def test_threats_are_explained():
    game, position = read("445567")
    assert threats_by_parity(game, position)["x_odd_threats"] == [(3, 1)]
    assert column_notes(game, position)[2].wins
    game, position = read("4435251")
    assert study(ludion.position("connect-four", "4435251"), nodes=1)["to_move"] == "o"
    game, position = read(END)
    assert any("does not stop" in note.text for note in column_notes(game, position).values())


def test_who_loses_is_told_why():
    """Each column that loses has a sentence, no other has, and every kind of reason is met."""
    chance = random.Random(7)
    seen = ""
    for text in [random_text(chance, 7, 6, chance.randint(14, 34)) for _ in range(60)] + [
        "612446361123226564136743342",
        "27755552312361353517733616",
    ]:
        position = ludion.position("connect-four", text)
        notes = column_notes(position.rules, position.state) | losses(position.rules, position.state)
        for column, score, _ in column_scores(position.rules, position.state, ludion.Budget(), book=False):
            wins = column in notes and notes[column].wins
            loses = column in notes and notes[column].loses
            assert loses == (score.value < 0), (text, column)
            assert score.value > 0 or not wins, (text, column)
        seen += " ".join(note.text for note in notes.values())
    for kind in (
        "does not stop",
        "on top of it",
        "makes two threats at once against it",
        "every answer is forced",
        "x answers every move and keeps the odd threat",
        "o answers every move in the same column",
        "in the end every free cell is below a threat",
        "moves; best line",
    ):
        assert kind in seen
    over = ludion.position("connect-four", "1212121")
    assert study(over)["text"] == "no threats on the board"


def test_the_explanation_in_french():
    position = ludion.position("connect-four", "6436725131116")
    with speaking("fr"):
        sentences = study(position)["text"].splitlines()
    assert sum(" perd " in sentence for sentence in sentences) == 6
    assert all("column" not in sentence for sentence in sentences)


def layer_at(game: DropGame, ply: int, known: book.KnownScores = book.NOTHING_KNOWN) -> book.BookLayer:
    """The positions of a ply that belong into a book."""
    layer = next(itertools.islice(book.layers(game, known), ply, None))
    chosen = book.entries_of(game, layer)
    won = {each for each in layer.positions() if wins_at_once(game, each)}
    assert set(chosen.positions()) == set(layer.positions()) - won
    return chosen


def test_books(tmp_path: Path):
    game = drop_game(5, 4)
    path = tmp_path / "small.book"
    assert book.BookBuild(game, path).add_positions(3)
    asked = []

    def noting(work, items):
        def noted():
            for item in items:
                asked.append(item)
                yield item

        return run_jobs(work, noted(), jobs=2)

    assert book.BookBuild(game, path, run_jobs=noting).add_positions(5)
    assert {each.position.mask.bit_count() for each in asked} == {5}
    known = book.read_book(path, game)
    scores = book.scores_in(game, known)
    assert scores.of(np.array([game.bottom])).tolist() == [0]
    assert known.plies == 5
    for ply in range(6):  # searched, or taken from the children
        layer = layer_at(game, ply)
        positions = list(layer.positions())
        assert scores.of(layer.keys).tolist() == batch(game, positions)
        assert [score_table.in_book(board_of(game), known, *each) for each in positions] == batch(
            game, positions
        )
        assert book.summary(game, path)["plies"][ply] == (len(positions), len(positions))
    bounded = layer_at(game, 5, scores)
    assert (scores.of(bounded.keys) >= bounded.least).all()
    beyond = list(layer_at(game, 6).positions())  # the book bounds them
    assert batch(game, beyond, book=known) == batch(game, beyond)
    bounds = [score_table.least_by_parents(board_of(game), known, *each) for each in beyond]
    assert sum(bound == score for bound, score in zip(bounds, batch(game, beyond), strict=True)) > 20
    assert (bounded.least > -game.cells).all()
    missing = layer_at(game, 6)
    assert {score_table.in_book(board_of(game), known, *each) for each in missing.positions()} == {
        score_table.NO_SCORE
    }
    with pytest.raises(book.BookError, match="is a book of 5x4"):
        book.read_book(path, drop_game())
    content = bytearray(path.read_bytes())
    content[-5] ^= 1
    path.write_bytes(content)
    with pytest.raises(book.BookError, match="damaged"):
        book.read_book(path, game)
    path.write_bytes(b"nothing")
    with pytest.raises(book.BookError, match="is not a book"):
        book.read_book(path, game)


def test_replies_of_a_book(tmp_path: Path):
    """For each position of the last ply the book has the position after a best move, and the solver plays it."""
    game = drop_game(5, 4)
    path = tmp_path / "small.book"
    assert book.BookBuild(game, path).add_positions(4)
    before = book.summary(game, path)["entries"]

    def until_one_is_done(work, items):
        for item in items:
            yield work(item)
            work.stop.set()

    assert not book.BookBuild(game, path, run_jobs=until_one_is_done).add_replies(4)
    assert book.summary(game, path)["entries"] == before + 1
    assert book.BookBuild(game, path).add_replies(4)
    have, count = book.summary(game, path)["plies"][5]
    assert 0 < have < count // 2
    known = book.read_book(path, game)
    scores = book.scores_in(game, known)
    after = layer_at(game, 5)
    after = after.select(scores.of(after.keys) != score_table.NO_SCORE)
    assert scores.of(after.keys).tolist() == batch(game, list(after.positions()))
    table, stack = score_table.new_table(board_of(game), 0), solver.new_stack(board_of(game))
    shape = shape_of(game)
    for position in layer_at(game, 4).positions():
        score = score_table.in_book(board_of(game), known, *position)
        control, line = np.zeros(16, np.int64), np.zeros(game.cells, np.int64)  # no nodes at all
        work = solver.SolverWork(known, table, stack, control)
        length = solver.best_line(shape, *position, score, False, 0, work, line)
        assert length >= 1
        assert -score in batch(game, [duel.play(game, position, int(line[0]))])


def test_an_interrupted_book_keeps_what_was_done(tmp_path: Path):
    game = drop_game(5, 4)
    path = tmp_path / "small.book"

    def stopped_after_three(work, items):
        for number, item in enumerate(items):
            if number == 3:
                work.stop.set()
            yield work(item)

    for searched in (3, 6):  # the second time it goes on from there
        assert not book.BookBuild(game, path, run_jobs=stopped_after_three).add_positions(6)
        assert book.summary(game, path)["plies"][6][0] == searched

    def until_the_time_is_over(work, items):
        for item in items:
            assert work.stop.wait(60)
            yield work(item)

    assert not book.BookBuild(game, path, run_jobs=until_the_time_is_over, seconds=0.01).add_positions(6)
    assert book.summary(game, path)["plies"][6][0] == 6
    with pytest.raises(book.BookError, match="four in a row"):
        book.BookBuild(drop_game(5, 4, 3), path).add_positions(1)
    with pytest.raises(book.BookError, match="at most 63 cells"):
        book.BookBuild(drop_game(8, 8), path).add_positions(1)


@pytest.mark.interpreted
def test_the_layers_of_a_book_are_all_positions():
    """Counts of the literature: 1, 7, 49, 238, 1120 positions, mirror images counted apart."""
    game = drop_game()
    for layer, wanted in zip(
        book.layers(game, book.NOTHING_KNOWN), (1, 7, 49, 238, 1120, 4263), strict=False
    ):
        positions = list(layer.positions())
        assert sum(1 if duel.mirror(game, each, 1) == each else 2 for each in positions) == wanted
        assert (layer.least == -game.cells).all()


def test_the_shipped_book_is_right():
    """All positions with up to eight stones are there, and each is worth the best of its children."""
    game = drop_game()
    path = book.SHIPPED / book.file_name(game)
    assert path.stat().st_size <= 5_000_000
    scores = book.scores_in(game, book.read_book(path, game))
    plies = book.summary(game, path)["plies"]
    assert all(have == count for ply, (have, count) in plies.items() if ply <= 8)
    for ply in range(8):
        layer = layer_at(game, ply)
        assert (scores.of(layer.keys) == book.from_children(game, layer, scores)).all()
    assert scores.of(np.array([game.bottom])).tolist() == [1]
    answer = ludion.solve(ludion.position("connect-four"))
    assert (int(answer.score), answer.line[:1]) == (1, ("4",))


@pytest.mark.interpreted
def test_a_book_that_is_named_must_be_there(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDION_BOOK", str(tmp_path / "typo.book"))
    book.shipped_book.cache_clear()
    with pytest.raises(book.BookError, match="no book typo"):
        book.shipped_book(drop_game())


@pytest.mark.interpreted
def test_books_of_boards_of_all_sizes_are_read_back(tmp_path: Path):
    """Few and many entries, short and long keys: the rest of a key takes from one to six bytes."""
    chance = np.random.default_rng(1)
    for columns, rows in ((4, 4), (7, 6), (9, 5)):
        game = drop_game(columns, rows)
        for ply in (0, 1, 4):
            layer = layer_at(game, ply)
            known = book.NOTHING_KNOWN.joined(
                layer.keys, chance.integers(-20, 20, layer.keys.size).astype(np.int8)
            )
            book.write_book(tmp_path / "b.book", game, known)
            again = book.read_book(tmp_path / "b.book", game)
            assert again.plies == ply
            for one, other in zip(book.scores_in(game, again), known, strict=True):
                assert one.tolist() == other.tolist()
            for place, position in list(enumerate(layer.positions()))[:50]:
                expected = int(known.of(layer.keys[place : place + 1])[0])
                assert score_table.in_book(board_of(game), again, *position) == expected


def test_command_line(ludion):
    done = ludion("solve", "connect-four", END, "--json")
    summary = json.loads(done.stdout)
    assert (summary["score"], summary["words"], summary["status"]) == (-15, "loss in 1 move", "optimal")
    assert json.loads(ludion("solve", "connect-four", END, "--weak", "--json").stdout)["score"] == -1
    moves = json.loads(ludion("analyse", "connect-four", "445567", "--json").stdout)["moves"]
    assert moves[0]["move"] == "3"
    for text, said in (
        ("12121212", "move 8 '2' comes after the end"),
        ("9x9", "too large"),
        ("48", "move 2 '8'"),
    ):
        done = ludion("solve", "connect-four", text)
        assert (done.returncode, said in done.stderr) == (2, True)
        assert "Traceback" not in done.stderr


def test_explanations_end_quietly_where_the_nodes_do():
    game, position = read("6436725131116")
    assert losses(game, position, nodes=1) == {}
    assert len(losses(game, position)) == 6


def test_book_command(ludion, tmp_path):
    path = str(tmp_path / "b.book")
    done = ludion("book", "connect-four", "build", "--plies", "2", "--size", "5x4", "--out", path, "--json")
    assert json.loads(done.stdout)["complete"] is True
    assert "ply 2: 13 of 13" in ludion("book", "connect-four", "info", "--size", "5x4", "--out", path).stdout
    assert ludion("book", "taquin", "info").returncode == 2
    assert ludion("book", "connect-four", "build").returncode == 2
    assert ludion("book", "connect-four", "info", "--size", "9x9").returncode == 2


def test_a_table_that_grows_keeps_what_it_knows():
    """All entries are still found after the table has doubled."""
    board = board_of(drop_game())
    table = score_table.new_table(board, 0)
    first = int(table.log[0])
    chance = random.Random(1)
    facts = {}
    for key in (chance.randrange(1 << board.bits) for _ in range(400)):
        target = chance.randint(-18, 18)
        score_table.store(board, table, key, target, YES, 1)
        facts[key] = target
    known = {key for key, target in facts.items() if score_table.look_up(board, table, key, target) == YES}
    assert len(known) > 300  # some share a place with others
    for doubled in (1, 2, 3):
        score_table.double(board, table)
        assert table.log[0] == first + doubled
        for key, target in facts.items():
            answer = score_table.look_up(board, table, key, target)
            assert (answer == YES) == (key in known)
            assert score_table.look_up(board, table, key, target + 1) == UNKNOWN


def test_a_session_keeps_what_was_proved():
    session = Session()
    position = ludion.position("connect-four", "44444226674")
    alone = ludion.solve(position, book=False)
    first, second = (ludion.solve(position, book=False, observer=Observer(session=session)) for _ in range(2))
    assert alone.score == first.score == second.score
    assert alone.nodes == first.nodes > 10 * second.nodes
    after = position.play(first.line[0])
    assert (
        ludion.solve(after, book=False, observer=Observer(session=session)).score.value == -first.score.value
    )


def test_the_best_line_is_whole_or_marked():
    cut = ludion.solve(ludion.position("connect-four", ""))
    assert cut.line_is_cut
    assert cut.json()["line_is_cut"]
    assert "..." in str(cut)
    whole = ludion.solve(ludion.position("connect-four", "4444422667455"))
    assert not whole.line_is_cut
    assert "..." not in str(whole)
    position = ludion.position("connect-four", "4444422667455")
    for move in whole.line:
        position = position.play(move)
    assert not position.moves()
