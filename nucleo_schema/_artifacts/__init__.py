"""Artifacts: records kept in a registry under short references, out of a model's reach."""
