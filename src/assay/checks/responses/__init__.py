"""Where points are lost between a response and its score."""
