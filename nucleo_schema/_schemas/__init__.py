"""Finished schemas, wherever they come from: their nodes, their text and the artifacts in them."""
