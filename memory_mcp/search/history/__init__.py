"""Old versions of pages, found by their own words: an index built from git at its first use.

- `history_index` brings the index up to HEAD and answers: the pages of one moment (`past_pages`), or all
  pages with their older versions beside them (`all_versions`).
- `history_folder` is the index on disk: Whoosh's files, in which a document is a `page_version`, and beside
  them the `timeline`, which says when each version was the page.
- `history_read` reads what git has committed since.
- `version_list` are the versions of a generation of the index; `version_text` reads their texts.
"""
