"""Commands about systems: scores, responses, decisions, judges, training."""
