"""The profile of a dataset: labels, lengths, words, duplicates, odd texts and features."""
