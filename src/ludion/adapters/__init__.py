"""Adapters: our games as environments of Gymnasium, PettingZoo and OpenSpiel, and OpenSpiel's games for our engines.

Each module needs its library: `pip install 'ludion[envs]'` or `'ludion[open-spiel]'`. A game is given by its name, by
the path of a game file, or as its description.
"""
