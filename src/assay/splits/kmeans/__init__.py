"""K-means whose folds hold an exact quota of every label (SDS K-means, Wecker et al. 2020)."""
