"""French readers: every text of the games and every complaint that the studio may show has its French words."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

from ludion.kinds.card import QUEST

import ludion
from ludion import api, registry
from ludion.studio.asks import generator_settings

PACKAGE = Path(ludion.__file__).parent
FRENCH: dict[str, str] = json.loads((PACKAGE / "studio/static/french.json").read_text(encoding="utf-8"))
# What only the command line, other programs or a book's maker can meet.
NOT_IN_THE_STUDIO = ("book.py", "client.py", "server.py", "prolog.py", "uhp.py", "tuning.py", "players.py")
NOT_FOR_READERS = ("AssertionError", "AttributeError", "ValueError", "TypeError", "KeyError", "unknown", "")


def in_french(text: str) -> bool:
    return text in FRENCH or re.sub(r"\d+", "{}", text) in FRENCH


def template(node: ast.expr) -> str | None:
    """A message with {} for what varies."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


def complaints() -> list[str]:
    """The messages of all errors raised where the studio can meet them."""
    found = []
    for folder in ("games", "engines", "studio"):
        for file in sorted((PACKAGE / folder).rglob("*.py")):
            if file.name in NOT_IN_THE_STUDIO and folder == "games":
                continue
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args):
                    continue
                name = getattr(node.exc.func, "id", "")
                if name in NOT_FOR_READERS:
                    continue
                text = template(node.exc.args[-1 if name == "HTTPException" else 0])
                if text is not None and text.replace("{}", "").strip(" :'"):
                    found.append(text)
    return found


def test_every_complaint_has_its_french_words():
    found = complaints()
    assert len(found) > 100
    assert [text for text in found if text not in FRENCH] == []


def test_every_text_of_the_games_has_its_french_words():
    missing = []
    for card in registry.installed().values():
        texts = [card.summary, *card.facts]
        texts += [text for option in card.options for text in (option.name, option.help)]
        texts += [guide.help for guide in (*card.guides.values(), *card.agents.values())]
        texts += [setting["name"].replace("_", " ") for setting in generator_settings(card)]
        if card.kind != QUEST:
            texts += api.engines_for(card).values()
        missing += [(card.name, text) for text in texts if not in_french(text)]
    assert missing == []


def test_gaps_are_filled_in_both_languages():
    for english, french in FRENCH.items():
        gaps = english.count("{}")
        numbered = {int(number) for number in re.findall(r"\{(\d+)\}", french)}
        assert french.count("{}") + len(numbered) == gaps, english


def test_the_page_has_every_text_it_asks_for_in_both_languages():
    static = PACKAGE / "studio/static"
    table = (static / "strings.js").read_text(encoding="utf-8")
    known = set(re.findall(r'^  "([\w.+-]+)": \[".*", ".*"\],$', table, re.MULTILINE))
    assert len(known) > 150
    for file in static.rglob("*.js"):
        asked = set(re.findall(r'\bt\("([\w.]+)"', file.read_text(encoding="utf-8")))
        assert asked <= known, (file.name, asked - known)
