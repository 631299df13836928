"""How many gold labels are wrong, and how that share is divided among the items."""
