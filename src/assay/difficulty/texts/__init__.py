"""Single texts: how near each lies to training texts of its own and of another label."""
