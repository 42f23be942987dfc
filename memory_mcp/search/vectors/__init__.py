"""Nearness of meaning, where the extra of that name is installed: vectors of passages and cosines with them.

- `embedder` is what turns texts into vectors, and finds what is installed; `wordllama_embedder` is that.
- `page_passages` cuts a page into the texts that get a vector each.
- `vector_file` is how vectors lie on disk; `vector_store` holds them in memory and keeps the file.
- `document_vectors` knows which vectors are those of a document of the index.
- `page_embedding` computes what is missing; `vector_search` is what the ranking and the services call.

All but the first need numpy at import.
"""
