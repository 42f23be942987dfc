"""One module a format of public evaluation data: `load` takes what was read and yields the sets it knows.

- `locomo`, `longmemeval`: conversations; `cookbook_code`, `cookbook_docs`: code and documentation.
- `cranfield`: abstracts; `known_items`: notes that a Python file makes.
"""
