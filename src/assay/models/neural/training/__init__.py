"""The training loop of the neural classifiers and what it works with; most modules here import torch."""
