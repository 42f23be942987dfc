"""The order of the pages that answer a question.

- `page_ranking` asks the streams and orders what they find; `collection` is what it needs of the pages.
- The streams: full text by `scorer`, which adds up term by term (`bm25`) what `query_postings` fetches;
  `entity_stream`, `link_stream`, `time_stream`.
- `fusion` makes one score of what they say, with the numbers in `weights`; `authority` is a factor on top.
"""
