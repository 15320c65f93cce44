"""What is known of language: characters, words, sentences, numbers, names and word lists, once."""
