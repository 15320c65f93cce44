"""The benchmark of `Similarity` and of retrieval, on labelled data and real embedding weights."""
