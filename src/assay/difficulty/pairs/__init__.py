"""Pairs of texts: lexical divergence, obvious and non-obvious cases, annotators (Peinelt et al. 2019)."""
