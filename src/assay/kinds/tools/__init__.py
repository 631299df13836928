"""Code that several kinds of task share: cells with several values, and quick linear models."""
