"""SVG pictures, for the drawings of all games.

A picture carries a title and, as its description, the board in text: a screen reader reads it, and so can you.
Colours are given once as CSS variables with a light and a dark value, so a picture fits any page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

PALETTE = {
    # name: (light, dark)
    "paper": ("#fbf9f4", "#1d1f24"),
    "board": ("#efe9dc", "#2a2d34"),
    "line": ("#c9c0ab", "#474c57"),
    "control": ("#8c8269", "#79808e"),  # edges of what can be pressed
    "ink": ("#2b2a27", "#e9e6df"),
    "soft": ("#635b4c", "#a9afba"),
    "red": ("#b93022", "#ef7261"),
    "blue": ("#1f5fa6", "#7ab4f0"),
    "yellow": ("#e0a526", "#f0bf4c"),
    "green": ("#1f7a45", "#6fce93"),
    "purple": ("#7a55a8", "#a98bd6"),
    "brown": ("#8a5a33", "#b98555"),
    "sea": ("#bcd9e6", "#28505f"),
    "land": ("#e4dcc0", "#4a4636"),
    "tunnel": ("#3a342b", "#141519"),  # in a mine: dug out, dirt, and what cannot be dug
    "dirt": ("#c9a972", "#7a6644"),
    "rock": ("#635b4c", "#3d424d"),
    "white": ("#ffffff", "#f4f1ea"),
    "black": ("#2b2a27", "#101114"),
    # cells that hide something, and open ones: of no terrain, land and sea
    "hidden": ("#8793a3", "#6a7280"),
    "open": ("#fdfcf8", "#1e2126"),
    "hidden_land": ("#8f8468", "#7d745a"),
    "open_land": ("#f3ecd2", "#26251f"),
    "hidden_sea": ("#5f8aa3", "#5088a0"),
    "open_sea": ("#dcecf3", "#16242b"),
    # numbers 1 to 8, as usual in Minesweeper
    "number_1": ("#1d4ed8", "#8ab4ff"),
    "number_2": ("#1b6b32", "#7bd88f"),
    "number_3": ("#b01b1b", "#ff8f86"),
    "number_4": ("#1e2a78", "#b8b5ff"),
    "number_5": ("#7a1f1f", "#ffb27a"),
    "number_6": ("#0b6b70", "#6fdcdc"),
    "number_7": ("#25231f", "#ece9e2"),
    "number_8": ("#5a5a5a", "#b9bec8"),
}


def _style() -> str:
    light = "".join(f"--{name}:{pair[0]};" for name, pair in PALETTE.items())
    dark = "".join(f"--{name}:{pair[1]};" for name, pair in PALETTE.items())
    return f".ludion{{{light}}}@media(prefers-color-scheme:dark){{.ludion{{{dark}}}}}"


def colour(name: str) -> str:
    """The CSS value of a colour of the palette."""
    return f"var(--{name})"


class Picture:
    """An SVG picture under construction. Numbers are user units; one cell of a board is 100 wide by habit."""

    def __init__(self, width: float, height: float, title: str, description: str = "") -> None:
        self.root = ElementTree.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {_number(width)} {_number(height)}",
                "class": "ludion",
                "role": "img",
            },
        )
        ElementTree.SubElement(self.root, "title").text = title
        ElementTree.SubElement(self.root, "desc").text = description
        ElementTree.SubElement(self.root, "style").text = _style()

    def grid(self, columns: int, rows: int, edge: float, unit: float = 100) -> None:
        """Declare where the cells are, so that marks can be placed on them: each `unit` wide, after an edge."""
        for name, value in (("columns", columns), ("rows", rows), ("edge", edge), ("unit", unit)):
            self.root.set(f"data-{name}", _number(value))

    def turn(self, side: int) -> None:
        """Say whose turn it is in a duel: 0 for the player who began, 1 for the other."""
        self.root.set("data-turn", str(side))

    def add(
        self, tag: str, parent: ElementTree.Element | None = None, **attributes: Any
    ) -> ElementTree.Element:
        """Add an element; `fill="red"` names a colour of the palette, `stroke_width` becomes `stroke-width`."""
        written = {}
        for name, value in attributes.items():
            if value is None:
                continue
            if name in ("fill", "stroke") and value in PALETTE:
                value = colour(value)
            name = name.rstrip("_").replace("_", "-")
            written[name] = _number(value) if isinstance(value, (int, float)) else str(value)
        return ElementTree.SubElement(self.root if parent is None else parent, tag, written)

    def rect(self, x: float, y: float, width: float, height: float, **attributes: Any) -> ElementTree.Element:
        return self.add("rect", x=x, y=y, width=width, height=height, **attributes)

    def circle(self, x: float, y: float, radius: float, **attributes: Any) -> ElementTree.Element:
        return self.add("circle", cx=x, cy=y, r=radius, **attributes)

    def line(self, x1: float, y1: float, x2: float, y2: float, **attributes: Any) -> ElementTree.Element:
        return self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)

    def polygon(self, points: list[tuple[float, float]], **attributes: Any) -> ElementTree.Element:
        return self.add(
            "polygon", points=" ".join(f"{_number(x)},{_number(y)}" for x, y in points), **attributes
        )

    def path(self, d: str, **attributes: Any) -> ElementTree.Element:
        return self.add("path", d=d, **attributes)

    def text(
        self, x: float, y: float, content: str, size: float = 40, **attributes: Any
    ) -> ElementTree.Element:
        """Text centred on a point."""
        settings = {
            "fill": "ink",
            "text_anchor": "middle",
            "dominant_baseline": "central",
            "font_family": "system-ui, sans-serif",
            "font_size": size,
            **attributes,
        }
        element = self.add("text", x=x, y=y, **settings)
        element.text = content
        return element

    def __str__(self) -> str:
        return ElementTree.tostring(self.root, encoding="unicode")


def marked(picture: str, marks: Mapping[tuple[int, int] | str, str]) -> str:
    """The picture with a small mark at each place: a cell (row, column) of its grid, or a piece that it names."""
    ElementTree.register_namespace("", "http://www.w3.org/2000/svg")
    root = ElementTree.fromstring(picture)
    edge, unit = (
        float(root.get(f"data-{name}", default)) for name, default in (("edge", "0"), ("unit", "0"))
    )
    shapes = {
        name: shape for shape in root.iter() if (name := shape.get("data-piece") or shape.get("data-hand"))
    }
    for place, text in marks.items():
        if not isinstance(place, str):
            x, y, size = edge + (place[1] + 0.8) * unit, edge + (place[0] + 0.8) * unit, unit * 0.26
        elif place in shapes:
            outline = [each for shape in shapes[place].iter() if (each := shape.get("points"))][-1]
            corners = [tuple(map(float, pair.split(","))) for pair in outline.split()]
            xs, ys = [corner[0] for corner in corners], [corner[1] for corner in corners]
            size = (max(xs) - min(xs)) * 0.2
            x, y = max(xs) - size, max(ys) - size
        else:
            continue
        group = ElementTree.SubElement(root, "g", {"class": "mark"})
        wide = size * (0.5 + 0.6 * len(text))
        box = {"x": x - wide / 2, "y": y - size * 0.6, "width": wide, "height": size * 1.2, "rx": size * 0.4}
        look = {"fill": colour("paper"), "stroke": colour("soft"), "stroke-width": "1"}
        ElementTree.SubElement(
            group, "rect", {**{name: _number(value) for name, value in box.items()}, **look}
        )
        letters = {
            "x": _number(x), "y": _number(y), "fill": colour("ink"), "text-anchor": "middle",
            "dominant-baseline": "central", "font-family": "system-ui, sans-serif", "font-size": _number(size),
        }  # fmt: skip
        ElementTree.SubElement(group, "text", letters).text = text
    return ElementTree.tostring(root, encoding="unicode")


def beside(picture: str, other: str, label: str) -> str:
    """Two pictures as one: the first, and half as large beside it the other one with a label."""
    first, second = ElementTree.fromstring(picture), ElementTree.fromstring(other)
    (width, height), (wide, high) = (
        map(float, each.get("viewBox", "").split()[2:]) for each in (first, second)
    )
    gap = width / 10
    title, description = (first.findtext(f"{{*}}{name}") or "" for name in ("title", "desc"))
    goal_text = second.findtext("{*}desc") or ""
    whole = Picture(width + gap + wide / 2, height, title, f"{description}\n{label}\n{goal_text}")
    whole.text(width + gap + wide / 4, height / 2 - high / 4 - gap / 2, label, size=gap * 0.6)
    boxes = (
        (first, 0.0, 0.0, width, height),
        (second, width + gap, height / 2 - high / 4, wide / 2, high / 2),
    )
    for each, x, y, across, down in boxes:
        for element in each.iter():
            element.tag = element.tag.rpartition("}")[2]  # the whole picture names the namespace
        for name, value in (("x", x), ("y", y), ("width", across), ("height", down)):
            each.set(name, _number(value))
        whole.root.append(each)
    return str(whole)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
