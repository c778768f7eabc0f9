"""This library beside its peers, in one run, on the same data; see ``python -m benchmarks --help``."""
