"""Commands about labels: suspects, reviews, repairs, difficulty, information."""
