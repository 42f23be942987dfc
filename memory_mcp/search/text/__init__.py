"""From text to terms, and back to the passage that answers.

- `tokenizer` makes terms of pages and queries alike (`characters`, `stop_words`); `query_text` parses them.
- `passage` scores the best passage of a page, `snippet` shows it, `descriptor` describes a page otherwise.
"""
