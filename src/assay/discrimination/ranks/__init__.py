"""Which ranks are real: rank intervals, tie groups, critical differences and the stability of the first place."""
