"""The Whoosh index over all pages: freshness, queries, ranks.

In the order in which a query meets them:

- `page_search` is what services call. `live_index` keeps the index fresh (`freshness`, `pending_pages`,
  `delta`); `file_scan` does without one; `snapshot` is what both give: the pages at one moment.
- `text_search` answers a query from a snapshot: `query_text` parses it, `query_postings` and `doc_set` fetch
  what `scorer` adds up (`bm25`), `passage` ranks the best again, `snippet` shows why. `link_graph` follows
  links.
- `page_index` is the index on disk with its `manifest`. `index_build` makes a new one, `index_write` commits
  changes (`segment_files`, `segment_merge`), `index_read` opens it; `whoosh_codec` is the format of both.
- `page_source` reads a file; `page_terms` says what the index holds of it (`tokenizer`, `characters`,
  `stop_words`, `descriptor`). `answer` is what comes back.
"""
