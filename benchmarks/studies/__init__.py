"""Studies behind the benchmarks: predictors and rankers of λ, and checks of task-specific information."""
