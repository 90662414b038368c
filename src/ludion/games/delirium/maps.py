"""Maps of mines, in XML of both generations or as BDCFF caves; the format is recognised from the text.

A BDCFF text may hold several caves; `cave` chooses one by its number (from 1), letter or name.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ludion.errors import unknown
from ludion.games.delirium.bdcff import read_bdcff, write_bdcff
from ludion.games.delirium.mine import RULE_SETS, MapError, Mine, shortened, with_border
from ludion.games.delirium.xml_maps import read_xml, write_xml
from ludion.messages import message

__all__ = ["MapError", "Mine", "read_map", "with_border", "write_bdcff", "write_xml"]


def read_map(text: str, cave: str = "", rules: str = "", difficulty: str = "Easy") -> Mine:
    """The mine that the text describes; `rules` replaces the rule set of the map."""
    start = text.lstrip("\ufeff \t\r\n")
    if not start:
        raise MapError(message("delirium.empty_text"))
    if start.startswith("<"):
        mine = read_xml(start, difficulty)
    elif re.match(r"\[\w+\]|\w+=", start):
        mine = read_bdcff(start, cave)
    else:
        raise MapError(message("delirium.neither_xml_nor_bdcff", line=shortened(start.splitlines()[0])))
    if rules:
        if rules not in RULE_SETS:
            raise unknown("delirium.rule_set", rules, RULE_SETS)
        mine = replace(mine, rules=rules)
    return mine.validated()
