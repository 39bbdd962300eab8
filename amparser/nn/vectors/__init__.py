"""External word vectors, which an encoder uses in addition to the embeddings that it learns."""
