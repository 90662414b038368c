"""The board in text and as a picture."""

from __future__ import annotations

from ludion.games.taquin.notation import rows_of, tile_name
from ludion.games.taquin.rules import Taquin, Tiles, contents
from ludion.games.taquin.words import cell_words
from ludion.svg import Picture


def text(rules: Taquin, position: Tiles) -> str:
    """Rows of tiles, the blank as a dot."""
    rows = rows_of(rules, contents(rules, position))
    width = max(len(name) for row in rows for name in row)
    return "\n".join(" ".join(("." if name in "0_" else name).rjust(width) for name in row) for row in rows)


def svg(rules: Taquin, position: Tiles) -> str:
    """The board as SVG; tiles in their place have a green edge and a notch."""
    here = contents(rules, position)
    width, height = rules.width * 100 + 20, rules.height * 100 + 20
    picture = Picture(width, height, f"Taquin {rules.width}x{rules.height}", text(rules, position))
    picture.grid(rules.width, rules.height, 10)
    picture.rect(0, 0, width, height, fill="board", rx=14)
    for cell, tile in enumerate(here):
        x, y = 10 + cell % rules.width * 100, 10 + cell // rules.width * 100
        words = cell_words(rules, cell, tile)
        if tile == 0:
            gap = {"rx": 12, "fill": "none", "pointer_events": "all", "data_cell": cell, "aria_label": words}
            picture.rect(x + 4, y + 4, 92, 92, **gap)
            continue
        home = int(rules.home[tile])
        edge = "green" if home == cell else "line"
        look = {"rx": 12, "fill": "paper", "stroke": edge, "stroke_width": 4, "aria_label": words}
        picture.rect(x + 4, y + 4, 92, 92, **look, data_cell=cell, data_home=home)
        if home == cell:  # a notch, besides the colour of the edge
            picture.polygon([(x + 6, y + 30), (x + 6, y + 6), (x + 30, y + 6)], fill="green")
        name = tile_name(rules, tile)
        picture.text(x + 50, y + 52, name, size=44 if len(name) < 3 else 34)
    return str(picture)
