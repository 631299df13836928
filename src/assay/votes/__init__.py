"""Ratings of systems from votes between two answers: Bradley–Terry with intervals, ranks and stability."""

from assay.votes.bradley_terry import count_wins, fit_strengths
from assay.votes.components import split_components
from assay.votes.ranks import bound_ranks
from assay.votes.ratings import CategoryRatings, Rating, VoteRatings, rate_votes
from assay.votes.stability import SystemStability, VoteStability, measure_vote_stability
from assay.votes.tables import Votes, find_votes, is_votes, read_votes
from assay.votes.winners import parse_winners

__all__ = [
    "CategoryRatings",
    "Rating",
    "SystemStability",
    "VoteRatings",
    "VoteStability",
    "Votes",
    "bound_ranks",
    "count_wins",
    "find_votes",
    "fit_strengths",
    "is_votes",
    "measure_vote_stability",
    "parse_winners",
    "rate_votes",
    "read_votes",
    "split_components",
]
