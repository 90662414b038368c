"""Data stored on disk: games in progress and best results of players, measured results, outputs of stopped runs."""
