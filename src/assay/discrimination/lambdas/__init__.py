"""The measures of Xiao et al. (2022): performance variance, scaled variance and hit rate, with intervals."""
