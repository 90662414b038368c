"""All notations, in every run with some hundred spoilt texts each, and with a million under the marker `slow`."""

from __future__ import annotations

import pytest

from .parsers import fuzz, parsers

FEW, MANY = 300, 1_000_000
PARSERS = list(parsers())
every_parser = pytest.mark.parametrize("parser", PARSERS, ids=[parser.name for parser in PARSERS])


@every_parser
def test_spoilt_texts_are_read_or_refused(parser):
    result = fuzz(parser, FEW)
    assert result.wrong == []
    assert result.accepted > 0


@pytest.mark.slow
@every_parser
def test_a_million_spoilt_texts(parser):
    assert fuzz(parser, MANY, seed=1).wrong == []
