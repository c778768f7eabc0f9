"""Declaring: what a class says about itself, read once from annotations and attrs metadata."""
