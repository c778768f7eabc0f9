"""Dialects: what a provider or a decoder takes of JSON Schema, and a finished schema in its terms."""
