"""One module a client: where its files live and how to edit them."""
