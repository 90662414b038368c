"""The ground floor: verbs and kernels, positions as 64-bit words, files."""
