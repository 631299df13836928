"""What a response says: its state, and the answer it commits to."""
