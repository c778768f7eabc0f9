"""Describing: the one walk over a declaration, and its two renderings."""
