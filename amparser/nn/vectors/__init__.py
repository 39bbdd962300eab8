"""External word vectors, which an encoder reads in addition to the embeddings that it learns."""
