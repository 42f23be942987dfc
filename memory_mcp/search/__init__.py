"""Finding pages: the Whoosh index over all of them, its freshness, the streams of a query, their fusion.

- What services call: `page_search` finds pages, `page_map` lists them and their links, `page_vectors` cares
  for the vectors; all put their questions to the `search_index`. `answer` is what comes back.
- `text/` turns texts and queries into terms and passages.
- `index/` is the index on disk and what is known of the pages at one moment.
- `history/` are the versions that pages had, read from git.
- `vectors/` tells which pages are near a question in meaning, where that is installed.
- `rank/` orders the pages that answer a query; `query_answer` makes an answer of them, `explain` says why.
- `zero_hits` says what to try when nothing answers; then `raw_search` looks through what `observation_read`
  reads of agent sessions. `page_health` counts pages, links and problems.
"""
