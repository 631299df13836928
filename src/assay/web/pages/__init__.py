"""The pages as HTML; all text from outside is made visible and escaped."""
