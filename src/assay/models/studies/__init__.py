"""Studies that need whole datasets: scores under families of splits, and under the age of the training data."""
