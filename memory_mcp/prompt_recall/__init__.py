"""The few passages that matter for what the user just wrote, or none.

`prompt_recall` finds them, `confidence` says whether they are worth showing, and `shown_passages` remembers
what a session has seen.
"""
