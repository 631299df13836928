"""Classifiers that need torch. Their modules import it only to train, to load and to predict."""
