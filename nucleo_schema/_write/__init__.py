"""Writing: from an object to JSON text, whole, summarized, or with references."""
