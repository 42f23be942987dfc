"""The few passages that matter for what the user just wrote, or none.

- `prompt_recall` finds them in the index, which `whoosh_import` loads for a hook.
- `prompt_words` is what of a prompt is searched, `confidence` says whether the best page is worth showing,
  `shown_passages` remembers what a session has seen.
"""
