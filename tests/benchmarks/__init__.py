"""The benchmarks: what is stored, shown and compared."""
