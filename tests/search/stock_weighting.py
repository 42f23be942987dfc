"""The ranking formula as a weighting class of Whoosh, with which a stock search checks our own scorer."""

from typing import Any

from whoosh import scoring

from memory_mcp.search.rank import bm25


class PageBM25(scoring.BM25F):
    """BM25 with the constants and the idf of `bm25`."""

    def __init__(self) -> None:
        super().__init__(B=bm25.B, K1=bm25.K1)

    def idf(self, searcher: Any, fieldname: str, text: str) -> float:
        """The inverse document frequency that the scorer uses too."""
        parent = searcher.get_parent()
        return bm25.idf(parent.doc_count_all(), parent.doc_frequency(fieldname, text))
