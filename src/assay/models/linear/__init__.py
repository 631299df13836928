"""The default classifier: logistic regression on TF-IDF of word and character n-grams."""

from assay.models.linear.classifier import LinearClassifier

__all__ = ["LinearClassifier"]
