"""The Whoosh index: what it holds, how it is built, changed, opened and kept fresh.

- `live_index` keeps the index fresh (`freshness`, `pending_pages`, `delta`); `file_scan` does without one;
  `snapshot` is what both give: the pages at one moment. `doc_set` are the documents that a query may see.
- `page_index` is the index on disk with its `manifest`; `current_folder` says which folder it is in,
  `index_format` of which version it is.
  `index_build` makes a new one, `index_write` commits changes (`segment_files`, `segment_merge`),
  `index_read` opens it; `whoosh_codec` is the format of both. `known_files` reads the manifest alone.
- `page_source` reads a file; `page_terms` says what the index holds of it. `link_graph` follows links.
"""
