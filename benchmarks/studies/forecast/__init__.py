"""How the forecast of discrimination was made and tested: sub-datasets, predictors, rankers, both protocols."""
