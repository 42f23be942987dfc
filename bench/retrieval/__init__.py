"""How good the ranking is, on public evaluation data by path: `python -m bench.retrieval`.

- `load` finds the sets at a path, by `formats/` and `read_files`; `evaluation_set` says what a set is, and
  `session_page` how a conversation becomes a page.
- `product` asks the query service over a store of its own, `baseline_run` SQLite FTS5 over the same pages.
- `measures` and `scored` say how good an answer is, `goals` how good it shall be.
- `ablations` are other ways to rank, by `changed_code` for what is no weight; `paired_test` says whether they
  differ, and `report` prints.
"""
