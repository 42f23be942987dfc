"""Ranks: what each stream of a query finds.

- `scorer` adds up the full text, term by term (`bm25`), from what `query_postings` fetches.
"""
