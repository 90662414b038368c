"""The insects of Hive, drawn by hand in a square from -50 to 50.

Their outlines alone distinguish them: the bee by stripes and wings, the ant by three beads, the spider by eight
bent legs, the beetle by its split back and horns, the grasshopper by its knees, the mosquito by its beak, the ladybug
by dots, the pillbug by rings.
"""

from __future__ import annotations

from typing import NamedTuple


class Insect(NamedTuple):
    """The parts of an insect as SVG paths: legs and feelers as lines, the body filled, marks in the tile's colour."""

    lines: str
    body: str
    marks: str = ""
    dots: str = ""  # filled in the tile's colour
    inks: tuple[str, str] = ("#25231f", "#ece9e2")  # on a white and on a black tile


def _both(*paths: str) -> str:
    """Paths of the right side, and their mirror images; each is `x,y x,y ...`: the points of a line."""
    parts = []
    for path in paths:
        points = [tuple(map(float, point.split(","))) for point in path.split()]
        for side in (1, -1):
            places = [f"{side * x:g} {y:g}" for x, y in points]
            curve = f"Q{places[1]} {places[2]}" if len(places) == 3 else "L" + "L".join(places[1:])
            parts.append(f"M{places[0]}{curve}")
    return "".join(parts)


def _oval(x: float, y: float, across: float, down: float) -> str:
    half = f"a{across:g} {down:g} 0 1 0"
    return f"M{x - across:g} {y:g}{half} {2 * across:g} 0{half} {-2 * across:g} 0z"


INSECTS = {
    "Q": Insect(
        _both(
            "3,-27 6,-36 14,-39",
            "7,-2 20,-2 29,8",
            "8,8 20,14 25,28",
            "7,-10 40,-44 40,-12",
            "40,-12 34,4 7,-8",
        ),
        _oval(0, -22, 9, 8) + _oval(0, -5, 10, 10) + _oval(0, 20, 14, 20),
        "M-13 13H13M-14 22H14M-11 31H11",
        inks=("#8f6400", "#ffc73d"),
    ),
    "S": Insect(
        _both("6,-6 20,-28 30,-36", "8,-2 28,-14 40,-10", "9,6 30,8 39,24", "8,12 24,22 27,40"),
        _oval(0, -10, 9, 9) + _oval(0, 12, 15, 16),
        inks=("#8a4b20", "#e6a071"),
    ),
    "B": Insect(
        _both("4,-28 18,-34 9,-44", "15,-8 28,-14 36,-22", "19,6 32,4 40,8", "16,20 28,26 34,36"),
        _oval(0, -22, 11, 9) + _oval(0, 9, 20, 26),
        "M0 -15V35",
        inks=("#6b3fa0", "#bfa2f7"),
    ),
    "G": Insect(
        _both("3,-32 8,-42 16,-44", "5,-14 22,-8 26,6", "6,8 28,-24 34,38"),
        _oval(0, -27, 9, 9) + _oval(0, 6, 9, 34),
        inks=("#236b2a", "#7bd488"),
    ),
    "A": Insect(
        _both("4,-31 8,-42 17,-42", "5,-9 20,-22 34,-24", "6,-3 22,-8 38,0", "5,3 20,8 33,28"),
        _oval(0, -25, 10, 9) + _oval(0, -4, 7, 9) + _oval(0, 22, 13, 17),
        inks=("#1f5fa6", "#7ab4f0"),
    ),
    "M": Insect(
        "M0 -22V-47"
        + _both(
            "4,-8 24,-20 36,-12",
            "4,-2 26,2 38,22",
            "3,4 16,20 20,42",
            "4,-10 34,-46 42,-22",
            "42,-22 34,-6 4,-8",
        ),
        _oval(0, -20, 8, 8) + _oval(0, -6, 7, 8) + _oval(0, 17, 6, 21),
        inks=("#4f5a6b", "#b5bfcc"),
    ),
    "L": Insect(
        _both("5,-27 10,-36 18,-37", "20,-10 30,-16 36,-22", "25,6 36,6 41,10", "20,20 30,26 35,34"),
        _oval(0, -20, 14, 11) + _oval(0, 8, 27, 26),
        "M0 -18V34",
        _oval(-13, 0, 5, 5) + _oval(13, 0, 5, 5) + _oval(-13, 17, 5, 5) + _oval(13, 17, 5, 5),
        inks=("#b3261e", "#ff8a7a"),
    ),
    "P": Insect(
        _both(
            "6,-32 12,-42 20,-40",
            "18,-14 30,-18 34,-24",
            "21,-2 34,-2 38,-4",
            "21,10 34,12 38,16",
            "17,24 28,30 32,36",
        ),
        _oval(0, 2, 23, 37),
        "M-19 -18Q0 -10 19 -18M-22 -6Q0 2 22 -6M-22 6Q0 14 22 6M-20 18Q0 26 20 18",
        inks=("#0b6b70", "#6fdcdc"),
    ),
}  # by the letter of the bug
