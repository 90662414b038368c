"""Benchmarks: ludion and its peers, in one run."""
