"""The command line: a client of the public library, above everything else in the package."""
