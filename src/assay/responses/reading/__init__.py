"""The reading of a response: its state, and the answer it commits to."""
