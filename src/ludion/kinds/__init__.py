"""The three kinds of games, each a contract in words and verbs: `puzzle`, `duel`, `quest`."""
