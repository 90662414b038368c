"""The words of the course's HTTP interface, which client and server share."""

from __future__ import annotations

from ludion.games.crocomine.rules import LAND, SEA, UNKNOWN

Json = dict[str, object]

OK, KO, GG, ERR = "OK", "KO", "GG", "Err"  # the status of an answer: done, dead, won, refused
FIELDS = {UNKNOWN: "", LAND: "land", SEA: "sea"}
COUNTS = ("tiger_count", "shark_count", "croco_count")  # in `grid_infos`
