"""The ground floor: verbs and kernels, positions as 64-bit words, files."""

import time

# Before anything is imported that is compiled: sources that are newer are not what runs in this process.
STARTED = time.time()
