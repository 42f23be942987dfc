"""From text to terms, and back to the passage that answers.

- `tokenizer` makes terms of pages and queries alike (`characters`, `stop_words`, `irregular`); `query_text`
  parses queries.
- `passage` scores the best passage of a page, `snippet` shows it, `descriptor` describes a page otherwise.
- `time_text` tells which days a question is about, `date_text` which dates a text names.
"""
