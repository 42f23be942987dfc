"""The version of the index, which everything in its folder is of."""

FORMAT = 3
"""Raise it with every change of tokenizer, terms, stored fields or file layout."""

PREFIX = f"v{FORMAT}-"
"""How the name of a folder of this version begins."""
