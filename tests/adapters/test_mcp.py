"""The Model Context Protocol, asked by the official client: in this process and over standard input."""

import os
import sys

import pytest

mcp = pytest.importorskip("mcp")

from ludion.adapters.mcp import make_server  # noqa: E402
from ludion.cli import main  # noqa: E402
from tests.coroutines import finished  # noqa: E402

TOOLS = {"games", "levels", "show", "play", "solve", "analyse", "explain", "generate"}


def call(tool, server=None, **arguments):
    """The result of a tool, and whether it is an error."""

    async def ask():
        async with mcp.Client(server or make_server()) as client:
            return await client.call_tool(tool, arguments)

    return finished(ask())


def value(tool, **arguments):
    result = call(tool, **arguments)
    assert not result.is_error, result.content
    content = result.structured_content
    return content["result"] if set(content) == {"result"} else content


def refusal(tool, **arguments):
    result = call(tool, **arguments)
    assert result.is_error
    (content,) = result.content
    assert "\n" not in content.text
    return content.text


def test_every_tool_is_described():
    async def ask():
        async with mcp.Client(make_server()) as client:
            return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in finished(ask())}
    assert set(tools) == TOOLS
    assert all(tool.description for tool in tools.values())
    assert set(tools["solve"].input_schema["properties"]) >= {"game", "position", "engine", "seconds"}


def test_a_game_is_played_with_proofs():
    names = {each["name"]: each for each in value("games")}
    assert "alpha-beta" in names["tic-tac-toe"]["engines"]
    assert "report-1" in {each["name"] for each in value("levels", game="taquin")}
    state = value("show", game="tic-tac-toe", position="xx./oo./...")
    assert state["status"] == "open"
    answer = value("solve", game="tic-tac-toe", position=state["position"])
    assert answer["status"] == "optimal"
    after = value("play", game="tic-tac-toe", position=state["position"], moves=answer["moves"][:1])
    assert after["status"] != "open"
    assert after["moves"] == []


def test_other_answers():
    best = value("analyse", game="connect-four", position="4455", seconds=5)["moves"][0]
    assert best["words"] == "win in 2 moves"
    explained = value("explain", game="taquin", position="1 2 3/4 5 6/0 7 8", guide="manhattan")
    assert (explained["value"], explained["admissible"]) == (2, True)
    assert value("generate", game="taquin", seed=3) == value("generate", game="taquin", seed=3)
    assert value("solve", game="crocomine", position="9x9:3/3/4")["moves"]


def test_what_is_wrong_is_one_line():
    assert "no-game" in refusal("show", game="no-game")
    assert "seconds" in refusal("solve", game="taquin", seconds=1e9)
    assert refusal("play", game="tic-tac-toe", position="", moves=["nowhere"])
    assert refusal("explain", game="crocomine", position="9x9:3/3/4")


def test_over_standard_input():
    server = mcp.StdioServerParameters(
        command=sys.executable, args=["-m", "ludion", "mcp"], env=dict(os.environ)
    )
    result = call("solve", server, game="taquin", position="1 2 3/4 5 6/0 7 8")
    assert (result.structured_content["status"], result.structured_content["length"]) == ("optimal", 2)


def test_without_the_sdk(monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit) as ended:
        main(["mcp"])
    assert ended.value.code == 2
    assert "ludion[mcp]" in capsys.readouterr().err
