"""The ground floor: verbs and kernels, positions as 64-bit words, files."""

import time

STARTED = time.time()  # before anything is imported that is compiled: sources that are newer are not what runs here
