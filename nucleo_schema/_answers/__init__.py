"""Answers: reasoning, responses with references, and the contract that reads them."""
